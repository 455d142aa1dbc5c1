import { AT, error, hint, on, PAGE, warning } from "./check.js";

/**
 * Checks of HTTP servers and their authorization, for which the doctor sends requests that provoke a fault. Ids are
 * stable.
 */
export const HTTP_CHECKS = {
  // HTTP
  ...on(PAGE.http, AT.any, {
    "http-origin": error("A request with the Origin of a foreign page is refused with 403.", {
      advice: "Without this check, any web page can use a server on the same machine.",
    }),
    "http-host": warning("A server on a loopback address refuses a foreign Host.", {
      advice: "Without this check, a page whose name leads to 127.0.0.1 can use the server.",
    }),
    "http-unusable": error("A request receives a response with a JSON-RPC message.", {
      expected: "a JSON-RPC message in the response",
    }),
    "http-body-invalid": warning(
      "A body that is not JSON, or not a message, is refused with 400.",
      {
        leniency: "The status is demanded for notifications and responses only.",
      },
    ),
  }),
  ...on(PAGE.http, AT.stateless, {
    "http-method-refused": warning(
      "GET and DELETE are refused with 405 where there are no sessions.",
    ),
    "http-buffering": warning("An event stream has the header X-Accel-Buffering: no.", {
      advice: "Proxies such as nginx hold back events without it.",
    }),
    "http-last-event": warning(
      "The headers Last-Event-ID and Mcp-Session-Id are ignored where there are no sessions.",
    ),
  }),
  ...on(PAGE.http, AT.methodHeaders, {
    "http-mismatch":
      "A header that is missing, or does not repeat the body, is refused with 400 and -32020.",
  }),
  ...on(PAGE.http, AT.streamable, {
    "http-stream-end": warning("The event stream of a request ends with its response."),
    "http-header-forms": warning(
      "Names of headers have any case, numbers any form, Accept any order and weights, Content-Type a charset.",
      { advice: "Parse these fields; do not compare them with a fixed string." },
    ),
    "http-cors": "A foreign origin is not allowed to send credentials.",
  }),
  ...on(PAGE.http, AT.polling, {
    "http-retry": warning("A stream that ends before its response names the time of retry.", {
      expected: "retry before the end of the stream",
    }),
  }),
  ...on(PAGE.http, AT.httpSessions, {
    "http-resume":
      "A stream that is resumed continues after the named event, with its own messages.",
    "http-session-id": error("A session id consists of visible ASCII characters.", {
      expected: "visible ASCII characters",
    }),
    "http-session-guessable": warning("A session id is unique, and cannot be predicted.", {
      advice: "Use at least 122 random bits, as those of crypto.randomUUID().",
    }),
    "http-session-unknown": "An unknown session is refused with 404.",
    "http-session-missing": warning("A request without the id of its session is refused with 400."),
    "session-mixed": error("A session has its own client, log level and subscriptions.", {
      expected: "what the client of this session has declared",
    }),
    "http-session-ended": "A session that was deleted is refused with 404.",
    "http-delete": "DELETE ends a session, or is refused with 405.",
  }),
  ...on(PAGE.http, AT.agreements, {
    "http-version-absent": warning("A request without MCP-Protocol-Version is served."),
  }),
  ...on(PAGE.http, AT.versionHeader, {
    "http-version-refused": "An unknown MCP-Protocol-Version is refused with 400.",
  }),
  ...on(PAGE.none, AT.any, {
    "http-media-type": hint("A body of another media type is refused with 415.", {
      advice: "Pages of other origins can send text/plain without being checked.",
    }),
    "http-accept-refused": hint(
      "A request that accepts neither JSON nor event streams is refused with 406.",
    ),
  }),
  ...on(PAGE.none, AT.sessions, {
    "sse-ended": hint("The address of an HTTP+SSE stream that has ended refuses messages.", {
      expected: "404, as the stream was closed",
      advice: "Forget the session when its stream closes.",
    }),
  }),
  ...on(PAGE.sse, AT.sessions, {
    "sse-endpoint":
      "The first event of a stream of HTTP+SSE is endpoint, with an address of the same server; others are messages of its session.",
  }),
  // Authorization
  ...on(PAGE.authorization, AT.any, {
    "auth-challenge": error(
      "A response 401 has a WWW-Authenticate header with the scheme Bearer.",
      { expected: "a WWW-Authenticate header with the scheme Bearer" },
    ),
    "auth-metadata": error(
      "The metadata of a protected resource can be found: by the challenge, or at its well-known address.",
      { expected: "metadata of the protected resource" },
    ),
    "auth-token": error("A request with an invalid token, or without one, is refused with 401.", {
      advice: "Verify the token of each request: its signature, its audience and its expiry.",
    }),
    "auth-endpoints": error("An authorization server names its endpoints and response types.", {
      expected: "a value",
    }),
    "auth-secure": error(
      "Endpoints of an authorization server are https: URLs, or on a loopback address.",
      { expected: "an https: URL" },
    ),
    "auth-resource": "The metadata names this server as its resource.",
    "auth-servers": error("The metadata names an authorization server.", {
      expected: "a list of URLs",
    }),
    "auth-issuer": "An authorization server has metadata, with its own address as issuer.",
    "auth-pkce": error("An authorization server supports PKCE with S256.", {
      expected: 'a list with "S256"',
    }),
  }),
  ...on(PAGE.authorization, AT.challenges, {
    "auth-named": warning("The challenge of a response 401 names resource_metadata.", {
      leniency: "Without a token, it is not known whether a server supports this revision.",
      expected: "resource_metadata in the challenge",
    }),
  }),
  ...on(PAGE.authorization, AT.icons, {
    "auth-insufficient": warning(
      "The challenge of a response 403 to a token names insufficient_scope, and the scopes that are required.",
      { expected: 'error="insufficient_scope" and scope in the challenge' },
    ),
  }),
  ...on(PAGE.authorization, AT.stateless, {
    "auth-scope": warning("Scopes that a server requires do not include offline_access.", {
      expected: "scopes of this server",
    }),
  }),
};
