import { AT, error, hint, on, PAGE, warning } from "./check.js";

/** Client checks that the doctor runs against its own servers. Ids are stable. */
export const CLIENT_CHECKS = {
  ...on(PAGE.lifecycle, AT.any, {
    "client-opening": error(
      "A client opens a conversation with the server that it is pointed at.",
      {
        expected: "an opening request",
        advice: "Point it at {url} or {server}, or let it speak on its standard input and output.",
      },
    ),
    "client-capability": "A client answers the requests of the capabilities that it declares.",
    "client-undeclared": warning(
      "A client refuses requests for capabilities that it has not declared.",
    ),
    "client-version": "A client ends a session whose version it does not support.",
  }),
  ...on(PAGE.lifecycle, AT.stateless, {
    "client-fallback": error(
      "A client that is refused with -32020, -32021 or -32022 does not fall back to initialize, or to HTTP+SSE.",
    ),
    "client-probe": warning(
      "A client over stdio sends server/discover before anything else, even if it also has sessions.",
      { expected: "server/discover first" },
    ),
    "client-sessions": error(
      "A client that also has sessions opens one after any error that sessions may return.",
      { expected: "initialize after the error -32000, as after -32601" },
    ),
  }),
  ...on("basic", AT.any, {
    "client-ended": error("A client survives messages and members that it does not know.", {
      expected: "a client that stays alive",
    }),
    "client-silent": error("A client answers each request of the server.", {
      expected: "an answer",
    }),
    "client-method-refused": error("A client refuses an unknown method with -32601.", {
      expected: "the error -32601",
    }),
  }),
  ...on(PAGE.transports, AT.any, {
    "client-framing": error(
      "A client over stdio reads messages that arrive in pieces: only a line feed ends a message.",
      { expected: "the same requests as if each message arrived at once" },
    ),
  }),
  ...on("basic", AT.sessions, {
    "client-id": error(
      "A client answers requests with any id, including 0, an empty string, and the id of a request of its own.",
      { expected: "an answer" },
    ),
  }),
  ...on("basic", AT.stateless, {
    "client-result-type": error(
      "A client does not use a result of an unknown type: its response is invalid.",
    ),
    "client-named": warning(
      "A client names itself in each request, unless the user has switched this off.",
      {
        expected: "name and version",
      },
    ),
    "client-result-untyped": warning("A client takes a result without resultType as complete.", {
      leniency: "The official SDK for TypeScript rejects such results.",
    }),
  }),
  ...on("basic", AT.batches, {
    "client-batch": warning("A client answers each request of a batch.", {
      leniency: "The official SDKs neither send nor read batches.",
      expected: "a response to each request of the batch",
    }),
  }),
  ...on(PAGE.cancellation, AT.any, {
    "client-timeout": warning("A client cancels a request for which it no longer waits."),
  }),
  ...on("basic/utilities/ping", AT.any, {
    "client-ping": error("A client answers ping with an empty result.", {
      expected: "an empty result",
    }),
  }),
  ...on({ session: "client/roots" }, AT.sessions, {
    "client-roots-changed": error(
      "A client that declares roots.listChanged sends a notification when its roots change.",
    ),
  }),
  ...on({ session: "client/elicitation" }, AT.toolSampling, {
    "client-mode": error(
      "A client refuses a mode of elicitation that it has not declared with -32602.",
      { expected: "the error -32602, as the mode url is not declared" },
    ),
  }),
  ...on("client/elicitation", AT.icons, {
    "client-visit": error(
      "A client requests the page of an elicitation only with the user's consent.",
      { expected: "no request for the page, as the user has not consented" },
    ),
  }),
  ...on("basic", AT.icons, {
    "client-icon": error("A client fetches no icon whose URL is neither https: nor data:.", {
      expected: "no request for an icon at an http: URL of another origin",
    }),
  }),
  ...on("server/tools", AT.stateless, {
    "client-reference": error("A client fetches nothing that a $ref in a schema names.", {
      expected: "no request for the address of a $ref",
    }),
  }),
  ...on({ session: "client/sampling" }, AT.toolSampling, {
    "client-sampling-tools": error(
      "A client refuses sampling with tools if it has not declared sampling.tools.",
      { expected: "an error, as sampling.tools is not declared" },
    ),
    "client-turns": warning("A client refuses the use of a tool without its result with -32602.", {
      expected: "the error -32602, as the use of a tool has no result",
    }),
  }),
  ...on("server/utilities/pagination", AT.any, {
    "client-pages": warning("A client follows the cursor of a list to its end."),
  }),
  ...on("server/utilities/pagination", AT.stateless, {
    "client-last-page": error(
      "A client follows an empty cursor: only a page without one is the last.",
      {
        expected: 'tools/list with the cursor "" of the second page',
      },
    ),
  }),
  ...on(PAGE.http, AT.methodHeaders, {
    "client-refetch": warning(
      "A client whose headers do not match reads the tools again, and repeats its call with them.",
      { expected: "a request for the tools, and the call again" },
    ),
  }),
  ...on("basic/transports", AT.httpSessions, {
    "client-resume": warning(
      "A client resumes a stream that breaks off before the response, with Last-Event-ID.",
      { expected: "GET with Last-Event-ID" },
    ),
    "client-retry": "A client waits for the time of retry before it resumes a stream.",
    "client-delete": warning("A client that exits without being killed deletes its session.", {
      expected: "DELETE",
    }),
  }),
  ...on(PAGE.http, AT.httpSessions, {
    "client-plain": error(
      "A client uses servers that assign no session, and refuse GET with 405.",
      { expected: "the same requests as with a session" },
    ),
  }),
  ...on(PAGE.http, AT.streamable, {
    "client-media-type": error(
      "A client reads responses of both media types, application/json and text/event-stream, with parameters, and events in each form.",
    ),
    "client-older-transport":
      "A client that falls back to HTTP+SSE does so after each of the statuses 400, 404 and 405.",
  }),
  ...on(PAGE.none, AT.sessions, {
    "client-endpoint": hint("A client over HTTP+SSE refuses an endpoint on another origin.", {
      expected: "no message to another origin",
      advice: "A token that is sent there is lost.",
    }),
  }),
  ...on(PAGE.none, AT.any, {
    "client-retry-after": hint(
      "A client repeats a request that was refused with 503 after the time of Retry-After.",
      { expected: "no repetition before 1,000 ms, as Retry-After says" },
    ),
    "client-list-changed": hint(
      "A client reads a list again after the notification that it has changed.",
      { expected: "a request for the list" },
    ),
  }),
  ...on(PAGE.sse, AT.sessions, {
    "client-endpoint-used": error(
      "A client over HTTP+SSE sends its messages to the endpoint that its stream names, with its query.",
      { expected: "messages to the address of the event endpoint" },
    ),
  }),
  ...on("basic/transports", AT.any, {
    "client-session-lost": error(
      "A client opens a new session when its own is no longer found (404).",
      { expected: "initialize, as the session was not found" },
    ),
  }),
  ...on(PAGE.authorization, AT.streamable, {
    "client-auth-pkce": error("A client proves with S256 that a code is its own.", {
      expected: "code_challenge with code_challenge_method=S256",
    }),
    "client-auth-registration": error(
      "A client registers redirect URIs that are HTTPS or loopback and, in stateless revisions, its application_type.",
      { expected: "an HTTPS or loopback URI" },
    ),
    "client-auth-token": error(
      "A client sends its token in each request to the server, and only there.",
      {
        expected: "the header Authorization, as in the requests before",
      },
    ),
  }),
  ...on(PAGE.authorization, AT.versionHeader, {
    "client-auth-discovery": error(
      "A client finds its authorization server by the metadata that the challenge names, or at the well-known places in their order.",
    ),
    "client-auth-resource": error(
      "A client names the server as the resource in each request for a code or a token.",
    ),
    "client-auth-state": warning(
      "A client sends a new state with each request for a code, and uses a code only if the redirect has the same one.",
      { expected: "a new state" },
    ),
  }),
  ...on(PAGE.authorization, AT.icons, {
    "client-auth-metadata": error("A client stops at metadata of another resource."),
    "client-auth-document": warning(
      "A client that has a metadata document identifies itself by it, rather than by a registration, where it can.",
      {
        leniency: "Only the form of the URL is demanded, and not the order.",
        expected: "the URL of the document as client_id, as where there is no registration",
      },
    ),
    "client-auth-methods": warning("A client stops at an authorization server without PKCE.", {
      leniency: "The official SDK for TypeScript continues.",
    }),
    "client-auth-scope": warning(
      "A client requests the scopes that the challenge names or, if it names none, those that the metadata lists.",
    ),
    "client-auth-step-up": warning(
      "A client whose token lacks a scope requests a code for the scope that the challenge names.",
      { expected: "a request for a code after insufficient_scope" },
    ),
    "client-auth-attempts": warning(
      "A client requests a code for the same scopes a few times at most.",
      {
        expected: "no more than 3 requests for a code",
      },
    ),
  }),
  ...on(PAGE.authorization, AT.stateless, {
    "client-auth-grant": warning(
      "A client that uses refresh tokens names refresh_token among the grant_types of its registration.",
      { expected: "refresh_token among them" },
    ),
    "client-auth-issuer": error(
      "A client uses only metadata, codes and errors of the issuer that it has found.",
    ),
    "client-auth-credentials": error(
      "A client uses its registration and its refresh token only with the authorization server that has issued them.",
      { expected: "a registration with the authorization server that is named now" },
    ),
  }),
  ...on("basic/authorization", AT.any, {
    "client-token-query": error("A client sends its token in a header, and not in the query.", {
      expected: "the header Authorization",
    }),
    "client-unauthorized": error(
      "A client does not repeat a request that was refused with 401 without a token.",
      { expected: "no more requests without a token" },
    ),
  }),
};
