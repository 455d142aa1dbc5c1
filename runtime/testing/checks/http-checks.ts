import {
  type Checks,
  AUTHORIZATION,
  HTTP,
  hasHttpSessions,
  hasMethodHeaders,
  hasVersionHeader,
  isSession,
  isStateless,
  isStreamable,
} from "./check.js";

/**
 * Checks of servers over HTTP, and of their authorization, for which the doctor sends requests that
 * provoke a fault. Ids are stable.
 */
export const HTTP_CHECKS = {
  // HTTP
  "http-origin": {
    sentence: "A request with the Origin of a foreign page is refused with 403.",
    page: HTTP,
    advice: "Without this check, any web page can use a server on the same machine.",
  },
  "http-host": {
    severity: "warning",
    sentence: "A server on a loopback address refuses a foreign Host.",
    page: HTTP,
    advice: "Without this check, a page whose name leads to 127.0.0.1 can use the server.",
  },
  "http-method-refused": {
    severity: "warning",
    sentence: "GET and DELETE are refused with 405 where there are no sessions.",
    page: HTTP,
    applies: isStateless,
  },
  "http-encoded": {
    sentence: "A header value in Base64 is decoded before it is compared.",
    page: HTTP,
    applies: hasMethodHeaders,
  },
  "http-stream-end": {
    severity: "warning",
    sentence: "The event stream of a request ends with its response.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-resume": {
    sentence: "A stream that is resumed continues after the named event, with its own messages.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-priming": {
    severity: "warning",
    sentence: "A stream that can be resumed begins with an event that has an id and no data.",
    expected: "an event with an id and empty data",
    page: HTTP,
    applies: ({ conventions }) => conventions.polling,
  },
  "http-buffering": {
    severity: "warning",
    sentence: "An event stream has the header X-Accel-Buffering: no.",
    page: HTTP,
    applies: isStateless,
    advice: "Proxies such as nginx hold back events without it.",
  },
  "http-last-event": {
    severity: "warning",
    sentence: "The header Last-Event-ID is ignored where streams cannot be resumed.",
    page: HTTP,
    applies: isStateless,
  },
  "http-version-absent": {
    severity: "warning",
    sentence: "A request without MCP-Protocol-Version is served.",
    page: HTTP,
    applies: (revision) => hasVersionHeader(revision) && hasHttpSessions(revision),
  },
  "http-unusable": {
    sentence: "A request receives a response with a JSON-RPC message.",
    expected: "a JSON-RPC message in the response",
    page: HTTP,
  },
  "http-get": {
    sentence: "GET opens an event stream, or is refused with 405.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-version-refused": {
    sentence: "An unknown MCP-Protocol-Version is refused with 400.",
    page: HTTP,
    applies: hasVersionHeader,
  },
  "http-session-id": {
    sentence: "A session id consists of visible ASCII characters.",
    expected: "visible ASCII characters",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-session-unknown": {
    sentence: "An unknown session is refused with 404.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-session-missing": {
    severity: "warning",
    sentence: "A request without the id of its session is refused with 400.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-session-ended": {
    sentence: "A session that was deleted is refused with 404.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-delete": {
    sentence: "DELETE ends a session, or is refused with 405.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-body-invalid": {
    severity: "warning",
    sentence: "A body that is not JSON is refused with 400.",
    leniency: "The status is demanded for notifications and responses only.",
    page: HTTP,
  },
  "http-media-type": {
    severity: "hint",
    sentence: "A body of another media type is refused with 415.",
    advice: "Pages of other origins can send text/plain without being checked.",
  },
  "http-accept-refused": {
    severity: "hint",
    sentence: "A request that accepts neither JSON nor event streams is refused with 406.",
  },
  "http-header-forms": {
    severity: "warning",
    sentence:
      "Accept may have another order and weights, and Content-Type the parameter charset=utf-8.",
    page: HTTP,
    applies: isStreamable,
    advice: "Parse these fields; do not compare them with one text.",
  },
  "http-mismatch": {
    sentence:
      "A header that is missing, or does not repeat the body, is refused with 400 and -32020.",
    page: HTTP,
    applies: hasMethodHeaders,
  },
  "sse-endpoint": {
    sentence:
      "The first event of a stream of HTTP+SSE is endpoint, with an address of the same server.",
    page: { session: "basic/transports" },
    applies: isSession,
  },
  "http-cors": {
    sentence: "A foreign origin is not allowed to send credentials.",
    page: HTTP,
    applies: isStreamable,
  },

  // Authorization
  "auth-challenge": {
    sentence: "A response 401 has a WWW-Authenticate header with the scheme Bearer.",
    expected: "a WWW-Authenticate header with the scheme Bearer",
    page: AUTHORIZATION,
  },
  "auth-metadata": {
    sentence:
      "The metadata of a protected resource can be found: by the challenge, or at its well-known address.",
    expected: "metadata of the protected resource",
    page: AUTHORIZATION,
  },
  "auth-token": {
    sentence: "A request with an invalid token, or without one, is refused with 401.",
    page: AUTHORIZATION,
    advice: "Verify the token of each request: its signature, its audience and its expiry.",
  },
  "auth-scope": {
    severity: "warning",
    sentence: "Scopes that a server requires do not include offline_access.",
    expected: "scopes of this server",
    page: AUTHORIZATION,
    applies: isStateless,
  },
  "auth-endpoints": {
    sentence: "An authorization server names its endpoints and response types.",
    expected: "a value",
    page: AUTHORIZATION,
  },
  "auth-secure": {
    sentence: "Endpoints of an authorization server are https: URLs, or on a loopback address.",
    expected: "an https: URL",
    page: AUTHORIZATION,
  },
  "auth-resource": {
    sentence: "The metadata names this server as its resource.",
    page: AUTHORIZATION,
  },
  "auth-servers": {
    sentence: "The metadata names an authorization server.",
    expected: "a list of URLs",
    page: AUTHORIZATION,
  },
  "auth-issuer": {
    sentence: "An authorization server has metadata, with its own address as issuer.",
    page: AUTHORIZATION,
  },
  "auth-pkce": {
    sentence: "An authorization server supports PKCE with S256.",
    expected: 'a list with "S256"',
    page: AUTHORIZATION,
  },
} as const satisfies Checks;
