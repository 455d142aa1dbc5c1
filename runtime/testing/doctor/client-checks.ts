import type { Check } from "../checks/index.js";

const LIFECYCLE = { session: "basic/lifecycle", stateless: "basic/versioning" };

/** Checks of clients that need more than reading messages. Ids are stable. */
export const CLIENT_CHECKS: Readonly<Record<string, Check>> = {
  "client-opening": {
    severity: "error",
    sentence: "A client opens a conversation with the server that it is pointed at.",
    page: LIFECYCLE,
    advice: "Point it at {url} or {server}, or let it speak on its standard input and output.",
  },
  "client-ended": {
    severity: "error",
    sentence: "A client survives messages and members that it does not know.",
    page: "basic",
  },
  "client-silent": {
    severity: "error",
    sentence: "A client answers each request of the server.",
    page: "basic",
  },
  "client-ping": {
    severity: "error",
    sentence: "A client answers ping with an empty result.",
    page: "basic/utilities/ping",
  },
  "client-method-refused": {
    severity: "error",
    sentence: "A client refuses an unknown method with -32601.",
    page: "basic",
  },
  "client-capability": {
    severity: "error",
    sentence: "A client answers the requests of the capabilities that it declares.",
    page: LIFECYCLE,
  },
  "client-undeclared": {
    severity: "warning",
    sentence: "A client refuses requests for capabilities that it has not declared.",
    page: LIFECYCLE,
  },
  "client-notification-answered": {
    severity: "error",
    sentence: "A client does not answer notifications.",
    page: "basic",
  },
  "client-pages": {
    severity: "warning",
    sentence: "A client follows the cursor of a list to its end.",
    page: "server/utilities/pagination",
  },
  "client-version": {
    severity: "error",
    sentence: "A client ends a session whose version it does not support.",
    page: LIFECYCLE,
  },
  "client-list-changed": {
    severity: "hint",
    sentence: "A client reads a list again after the notification that it has changed.",
  },
  "client-session-lost": {
    severity: "error",
    sentence: "A client opens a new session when its own is no longer found (404).",
    page: "basic/transports",
  },
  "client-unauthorized": {
    severity: "error",
    sentence: "A client does not repeat a request that was refused with 401 without a token.",
    page: "basic/authorization",
  },
};
