import type { Revision } from "@mcp-codegen/runtime";
import type { Check } from "../checks/index.js";

const isStateless = ({ traits }: Revision): boolean => traits.lifecycle === "discover";
const isSession = ({ traits }: Revision): boolean => traits.lifecycle === "initialize";
const isStreamable = ({ conventions }: Revision): boolean => conventions.http === "streamable";
const hasHttpSessions = (revision: Revision): boolean =>
  isSession(revision) && isStreamable(revision);

const LIFECYCLE = { session: "basic/lifecycle", stateless: "basic/versioning" };
const HTTP = { session: "basic/transports", stateless: "basic/transports/streamable-http" };
const STDIO = { session: "basic/lifecycle", stateless: "basic/transports/stdio" };
const AUTHORIZATION = "basic/authorization";

/**
 * Checks of servers that need more than reading messages: the doctor sends what reveals a fault. Ids are stable. Checks of
 * messages are in the table of checks.
 */
export const SERVER_CHECKS: Readonly<Record<string, Check>> = {
  // Opening
  "opening-answered": {
    severity: "error",
    sentence: "A server answers the opening request.",
    page: LIFECYCLE,
    advice: "Start the command by itself: it must stay alive, and read standard input.",
  },
  "version-invented": {
    severity: "error",
    sentence: "A server does not agree to a version that does not exist.",
    page: LIFECYCLE,
    applies: isSession,
    advice: "Look the requested version up in a list; do not echo it.",
  },
  "version-refused": {
    severity: "error",
    sentence:
      "A version that is not supported is refused with -32022, and with those that are in data.supported.",
    page: LIFECYCLE,
    applies: isStateless,
  },
  "revision-missing": {
    severity: "error",
    sentence: "A server speaks the revisions that were requested.",
    page: LIFECYCLE,
  },

  // Lists
  "list-unserved": {
    severity: "error",
    sentence: "A list whose capability is declared can be read.",
    page: LIFECYCLE,
  },
  "list-endless": {
    severity: "error",
    sentence: "A list has at most 200 pages.",
    page: "server/utilities/pagination",
  },
  "list-order": {
    severity: "warning",
    sentence: "The order of a list stays the same while its items do.",
    page: "server/tools",
    applies: isStateless,
  },
  "name-case": { severity: "hint", sentence: "Names do not differ in case only." },
  "schema-slow": {
    severity: "hint",
    sentence: "Patterns of schemas can be matched in linear time.",
    advice: "Clients that do not trust a server refuse such patterns.",
  },
  "schema-required": {
    severity: "hint",
    sentence: "required names members that properties describes.",
  },
  "schema-default": { severity: "hint", sentence: "A default fits its schema." },
  "icon-address": {
    severity: "warning",
    sentence: "An icon has an https: or a data: URL.",
    page: "basic",
  },
  "text-unseen": {
    severity: "hint",
    sentence: "Texts have no characters that cannot be seen.",
    advice: "A model reads such characters, and a person does not.",
  },
  "description-missing": { severity: "hint", sentence: "Tools and prompts have a description." },
  "definitions-large": {
    severity: "hint",
    sentence: "All definitions together take fewer than 20,000 tokens.",
  },
  "argument-repeated": {
    severity: "warning",
    sentence: "Each argument of a prompt has a name of its own.",
    page: "server/prompts",
  },

  // Use
  "structured-text": {
    severity: "warning",
    sentence: "Structured content is also in a text, for clients that do not read it.",
    page: "server/tools",
  },
  "tool-failure": {
    severity: "warning",
    sentence: "A tool that fails returns a result with isError, not an error of the protocol.",
    page: "server/tools",
  },
  "resource-unreadable": {
    severity: "warning",
    sentence: "A resource that is listed can be read.",
    page: "server/resources",
  },
  "resource-contents": {
    severity: "warning",
    sentence: "The contents of a resource have its URI, or one below it.",
    page: "server/resources",
  },
  "prompt-unavailable": {
    severity: "warning",
    sentence: "A prompt that is listed and needs no arguments can be requested.",
    page: "server/prompts",
  },
  "completion-unserved": {
    severity: "error",
    sentence: "A server that declares completions completes the arguments of its prompts.",
    page: "server/utilities/completion",
  },
  "completion-unknown": {
    severity: "warning",
    sentence: "A completion for an unknown prompt is refused with -32602.",
    page: "server/utilities/completion",
  },

  // Errors
  "method-refused": {
    severity: "error",
    sentence: "An unknown method is refused with -32601.",
    page: "basic",
  },
  "tool-invented": {
    severity: "error",
    sentence: "The call of an unknown tool fails.",
    page: "server/tools",
  },
  "tool-unknown": {
    severity: "warning",
    sentence: "The call of an unknown tool is refused with -32602.",
    page: "server/tools",
  },
  "cursor-refused": {
    severity: "warning",
    sentence: "An invalid cursor is refused with -32602.",
    page: "server/utilities/pagination",
  },
  "resource-unknown": {
    severity: "warning",
    sentence: "An unknown resource is refused with the error of the revision.",
    page: "server/resources",
  },
  "resource-invented": {
    severity: "error",
    sentence: "Reading an unknown resource fails.",
    page: "server/resources",
  },
  "prompt-unknown": {
    severity: "warning",
    sentence: "An unknown prompt is refused with -32602.",
    page: "server/prompts",
  },
  "params-refused": {
    severity: "warning",
    sentence: "Invalid parameters are refused with -32602.",
    page: "server/tools",
  },
  "error-leak": { severity: "hint", sentence: "An error shows neither a stack nor a path." },
  "meta-required": {
    severity: "error",
    sentence: "A request without the required members of _meta is refused.",
    page: "basic",
    applies: isStateless,
  },
  "level-unknown": {
    severity: "warning",
    sentence: "An unknown log level is refused with -32602.",
    page: "server/utilities/logging",
  },

  // Life
  "ping-answered": {
    severity: "error",
    sentence: "A server answers ping with an empty result.",
    page: "basic/utilities/ping",
    applies: isSession,
  },
  "notification-tolerated": {
    severity: "error",
    sentence: "A server does not answer notifications.",
    page: "basic",
  },
  "cancel-tolerated": {
    severity: "error",
    sentence: "A server ignores the cancellation of a request that it does not know.",
    page: { session: "basic/utilities/cancellation", stateless: "basic/patterns/cancellation" },
  },
  "request-silent": {
    severity: "error",
    sentence: "A server answers each request, in time.",
    page: "basic",
  },
  "server-ended": {
    severity: "error",
    sentence: "A server stays alive during a conversation.",
    page: STDIO,
  },
  "server-flood": {
    severity: "error",
    sentence: "A server sends no more than a client can read.",
    page: STDIO,
  },
  "exit-on-end": {
    severity: "warning",
    sentence: "A server exits when its standard input ends.",
    page: STDIO,
    advice: "Listen for the end of standard input, and exit.",
  },
  "exit-on-signal": {
    severity: "warning",
    sentence: "A server exits when it receives SIGTERM.",
    page: STDIO,
  },
  "exit-code": {
    severity: "hint",
    sentence: "A server that exits because its input has ended does so with code 0.",
  },
  "start-slow": {
    severity: "hint",
    sentence: "A server answers its first request within five seconds.",
  },
  "revision-differs": { severity: "hint", sentence: "A server offers the same at each revision." },

  // HTTP
  "http-origin": {
    severity: "error",
    sentence: "A request with the Origin of a foreign page is refused with 403.",
    page: HTTP,
    applies: isStreamable,
    advice: "Without this check, any web page can use a server on the same machine.",
  },
  "http-host": {
    severity: "warning",
    sentence: "A server on a loopback address refuses a foreign Host.",
    page: HTTP,
    applies: isStreamable,
    advice: "Without this check, a page whose name leads to 127.0.0.1 can use the server.",
  },
  "http-unusable": {
    severity: "error",
    sentence: "A request receives a response with a JSON-RPC message.",
    page: HTTP,
  },
  "http-get": {
    severity: "error",
    sentence: "GET opens an event stream, or is refused with 405.",
    page: HTTP,
    applies: isStreamable,
  },
  "http-version-refused": {
    severity: "error",
    sentence: "An unknown MCP-Protocol-Version is refused with 400.",
    page: HTTP,
    applies: ({ conventions }) => conventions.versionHeader,
  },
  "http-session-id": {
    severity: "error",
    sentence: "A session id consists of visible ASCII characters.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-session-unknown": {
    severity: "error",
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
    severity: "error",
    sentence: "A session that was deleted is refused with 404.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-delete": {
    severity: "error",
    sentence: "DELETE ends a session, or is refused with 405.",
    page: HTTP,
    applies: hasHttpSessions,
  },
  "http-body-invalid": {
    severity: "warning",
    sentence: "A body that is not JSON is refused with 400.",
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
  "http-mismatch": {
    severity: "error",
    sentence:
      "A header that is missing, or does not repeat the body, is refused with 400 and -32020.",
    page: HTTP,
    applies: ({ conventions }) => conventions.methodHeaders,
  },
  "http-method-unknown": {
    severity: "error",
    sentence: "An unknown method is refused with the HTTP status of its error.",
    page: HTTP,
    applies: isStateless,
  },
  "http-cors": {
    severity: "error",
    sentence: "A foreign origin is not allowed to send credentials.",
    page: HTTP,
    applies: isStreamable,
  },

  // Authorization
  "auth-challenge": {
    severity: "error",
    sentence: "A response 401 has a WWW-Authenticate header with the scheme Bearer.",
    page: AUTHORIZATION,
  },
  "auth-metadata": {
    severity: "error",
    sentence:
      "The metadata of a protected resource can be found: by the challenge, or at its well-known address.",
    page: AUTHORIZATION,
  },
  "auth-resource": {
    severity: "error",
    sentence: "The metadata names this server as its resource.",
    page: AUTHORIZATION,
  },
  "auth-servers": {
    severity: "error",
    sentence: "The metadata names an authorization server.",
    page: AUTHORIZATION,
  },
  "auth-issuer": {
    severity: "error",
    sentence: "An authorization server has metadata, with its own address as issuer.",
    page: AUTHORIZATION,
  },
  "auth-pkce": {
    severity: "error",
    sentence: "An authorization server supports PKCE with S256.",
    page: AUTHORIZATION,
  },
};

/** URL of the page of a revision that states the requirement; undefined for a hint. */
export function pageOf({ page }: Check, revision: Revision): string | undefined {
  if (page === undefined) return undefined;
  const path =
    typeof page === "string" ? page : isSession(revision) ? page.session : page.stateless;
  return path && `https://modelcontextprotocol.io/specification/${revision.id}/${path}`;
}
