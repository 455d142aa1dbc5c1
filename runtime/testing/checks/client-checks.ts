import {
  type Checks,
  LIFECYCLE,
  hasHttpSessions,
  hasMethodHeaders,
  hasToolSampling,
  isSession,
} from "./check.js";

/** Checks of clients that need more than reading messages. Ids are stable. */
export const CLIENT_CHECKS = {
  "client-opening": {
    sentence: "A client opens a conversation with the server that it is pointed at.",
    expected: "an opening request",
    page: LIFECYCLE,
    advice: "Point it at {url} or {server}, or let it speak on its standard input and output.",
  },
  "client-ended": {
    sentence: "A client survives messages and members that it does not know.",
    expected: "a client that stays alive",
    page: "basic",
  },
  "client-silent": {
    sentence: "A client answers each request of the server.",
    expected: "an answer",
    page: "basic",
  },
  "client-ping": {
    sentence: "A client answers ping with an empty result.",
    expected: "an empty result",
    page: "basic/utilities/ping",
  },
  "client-method-refused": {
    sentence: "A client refuses an unknown method with -32601.",
    expected: "the error -32601",
    page: "basic",
  },
  "client-capability": {
    sentence: "A client answers the requests of the capabilities that it declares.",
    page: LIFECYCLE,
  },
  "client-undeclared": {
    severity: "warning",
    sentence: "A client refuses requests for capabilities that it has not declared.",
    page: LIFECYCLE,
  },
  "client-mode": {
    sentence: "A client refuses a mode of elicitation that it has not declared with -32602.",
    expected: "the error -32602, as the mode url is not declared",
    page: { session: "client/elicitation" },
    applies: hasToolSampling,
  },
  "client-sampling-tools": {
    sentence: "A client refuses sampling with tools if it has not declared sampling.tools.",
    expected: "an error, as sampling.tools is not declared",
    page: { session: "client/sampling" },
    applies: hasToolSampling,
  },
  "client-turns": {
    severity: "warning",
    sentence: "A client refuses the use of a tool without its result with -32602.",
    expected: "the error -32602, as the use of a tool has no result",
    page: { session: "client/sampling" },
    applies: hasToolSampling,
  },
  "client-notification-answered": {
    sentence: "A client does not answer notifications.",
    expected: "no answer",
    page: "basic",
  },
  "client-pages": {
    severity: "warning",
    sentence: "A client follows the cursor of a list to its end.",
    page: "server/utilities/pagination",
  },
  "client-version": {
    sentence: "A client ends a session whose version it does not support.",
    page: LIFECYCLE,
  },
  "client-refetch": {
    severity: "warning",
    sentence:
      "A client whose headers do not match reads the tools again, and repeats its call with them.",
    expected: "a request for the tools, and the call again",
    page: { stateless: "basic/transports/streamable-http" },
    applies: hasMethodHeaders,
  },
  "client-resume": {
    severity: "warning",
    sentence: "A client resumes a stream that breaks off before the response, with Last-Event-ID.",
    expected: "GET with Last-Event-ID",
    page: "basic/transports",
    applies: hasHttpSessions,
  },
  "client-retry": {
    sentence: "A client waits for the time of retry before it resumes a stream.",
    page: "basic/transports",
    applies: hasHttpSessions,
  },
  "client-delete": {
    severity: "warning",
    sentence: "A client that ends by itself deletes its session.",
    expected: "DELETE",
    page: "basic/transports",
    applies: hasHttpSessions,
  },
  "client-retry-after": {
    severity: "hint",
    sentence: "A client repeats a request that was refused with 503 after the time of Retry-After.",
    expected: "no repetition before 1,000 ms, as Retry-After says",
  },
  "client-endpoint": {
    severity: "warning",
    sentence: "A client over HTTP+SSE refuses an endpoint on another origin.",
    expected: "no message to another origin",
    page: { session: "basic/transports" },
    applies: isSession,
    advice: "A token that is sent there is lost.",
  },
  "client-list-changed": {
    severity: "hint",
    sentence: "A client reads a list again after the notification that it has changed.",
    expected: "a request for the list",
  },
  "client-session-lost": {
    sentence: "A client opens a new session when its own is no longer found (404).",
    expected: "initialize, as the session was not found",
    page: "basic/transports",
  },
  "client-unauthorized": {
    sentence: "A client does not repeat a request that was refused with 401 without a token.",
    expected: "no more requests without a token",
    page: "basic/authorization",
  },
} as const satisfies Checks;
