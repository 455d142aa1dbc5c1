// MCP revision 2026-07-28: wire types.
// A restatement of the published schema in our own words; same declarations, same API and wire
// digests.

/* JSON types */

/**
 * Any value that can be written as JSON. Fractional numbers and `null` are included, although the
 * published JSON Schema document is narrower at this point.
 *
 * @category Common Types
 */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;

/**
 * A JSON object whose values are JSON values themselves; neither an array nor `null` qualifies.
 *
 * @category Common Types
 */
export type JSONObject = {
  [key: string]: JSONValue;
};

/**
 * A JSON array with elements of arbitrary, possibly mixed, kind.
 *
 * @category Common Types
 */
export type JSONArray = JSONValue[];

/* JSON-RPC types */

/**
 * Everything that may appear on the wire as one message. Requests have `method` and `id`,
 * notifications only `method`, successes `result`, failures `error`. There are no batches.
 *
 * Clients write requests and notifications, servers write responses and notifications; the other
 * combinations do not occur.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The version string of this revision, `YYYY-MM-DD`. Sent along with every request in `_meta`.
 * Compare versions for equality with known ones only.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2026-07-28";

/**
 * Value of `jsonrpc` on every message.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Shape of every `_meta` member: an open map from metadata keys to arbitrary values. A key is a
 * name with an optional `label.label/` prefix; the protocol reserves every prefix with
 * `modelcontextprotocol` or `mcp` in second position.
 *
 * The bare keys `traceparent`, `tracestate` and `baggage` are allowed without prefix and carry W3C
 * trace context.
 *
 * @see {@link /specification/2026-07-28/basic/index#meta | General fields: `_meta`}
 * @category Common Types
 */
export type MetaObject = Record<string, unknown>;

/**
 * The `_meta` map of client requests. It takes over what the `initialize` exchange did in older
 * revisions: a server must judge each request by these entries alone and keep nothing from earlier
 * ones.
 *
 * @see {@link MetaObject}
 * @see {@link /specification/2026-07-28/basic/index#meta | General fields: `_meta`}
 * @category Common Types
 */
export interface RequestMetaObject extends MetaObject {
  /**
   * When set, the server may emit `notifications/progress` carrying this value while it works on
   * the request. Chosen by the client, unique among its active requests; a retry gets a fresh one.
   */
  progressToken?: ProgressToken;

  /**
   * Revision this request is written against, in the form `YYYY-MM-DD`. On HTTP it has to equal the
   * `MCP-Protocol-Version` header (else `-32020`); a version the server does not implement leads to
   * an {@link UnsupportedProtocolVersionError}.
   */
  "io.modelcontextprotocol/protocolVersion": string;

  /**
   * Name and version of the client software. Clients should send it, servers must work without it;
   * being self-declared, it is good for display and logs but never for decisions about trust or
   * behaviour.
   */
  "io.modelcontextprotocol/clientInfo"?: Implementation;

  /**
   * What the client can do for the duration of this request; `{}` means no optional feature at all.
   * Input requests of the server are limited to what is listed here.
   */
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;

  /**
   * Opts this one request into `notifications/message`: the server may send entries of this
   * severity and above, before the response and on the same stream. If absent, the server must stay
   * silent.
   *
   * @deprecated Protocol-level logging is deprecated since protocol version 2026-07-28 (SEP-2577).
   * Write to stderr on stdio, or export OpenTelemetry data.
   */
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
}

/**
 * The `_meta` map of notifications. Open for further keys.
 *
 * @see {@link MetaObject}
 * @see {@link /specification/2026-07-28/basic/index#meta | General fields: `_meta`}
 * @category Common Types
 */
export interface NotificationMetaObject extends MetaObject {
  /**
   * JSON-RPC id of the `subscriptions/listen` request this message belongs to, with its JSON type
   * kept (`1` differs from `"1"`). The server sets it on the acknowledgement and on every later
   * message of that subscription; on stdio it is the only way to distinguish subscriptions.
   */
  "io.modelcontextprotocol/subscriptionId"?: RequestId;
}

/**
 * The `_meta` map of results. Open for further keys.
 *
 * @see {@link MetaObject}
 * @see {@link /specification/2026-07-28/basic/index#meta | General fields: `_meta`}
 * @category Common Types
 */
export interface ResultMetaObject extends MetaObject {
  /**
   * Name and version of the server software; servers should put it on each result. Self-declared,
   * so use it for display and logging and nothing else.
   */
  "io.modelcontextprotocol/serverInfo"?: Implementation;
}

/**
 * Ties progress notifications to the request that requested them. A string or an integer, picked by
 * the client, never shared by two requests that are in flight together.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * Position in a paginated list. Only the server can read it: clients return it unchanged. The empty
 * string is a cursor like any other; the end of a list is marked by the absence of one.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * Common base of the parameters of every client request. Since there is no handshake, `_meta` is
 * mandatory and identifies protocol version and client capabilities again on each call.
 *
 * @category Common Types
 */
export interface RequestParams {
  /**
   * Per-request envelope, always written by the client. A server answers `-32602` when it, or one
   * of its two required entries, is missing.
   */
  _meta: RequestMetaObject;
}

/**
 * What all requests have in common apart from the JSON-RPC envelope. (Shadows the global `Request`
 * of web platforms inside this module.)
 *
 * @internal
 */
export interface Request {
  method: string;

  /** Named parameters, as the method defines them. MCP has no positional parameters. */
  params?: {
    [key: string]: any;
  };
}

/**
 * Common base of all named notification parameter types. It contributes nothing but the `_meta`
 * slot.
 *
 * @category Common Types
 */
export interface NotificationParams {
  /**
   * Out-of-band metadata about the notification, filled in by its sender. Required in practice on
   * everything that travels on a `subscriptions/listen` stream, because the subscription id is
   * found here.
   */
  _meta?: NotificationMetaObject;
}

/**
 * What all notifications have in common apart from the JSON-RPC envelope. The receiver never
 * replies to one.
 *
 * @internal
 */
export interface Notification {
  method: string;

  /** Named parameters, as the method defines them. */
  params?: {
    [key: string]: any;
  };
}

/**
 * Kind of a result: `"complete"` is the final answer, `"input_required"` an interim one (see
 * {@link InputRequiredResult}). The set is open, because a negotiated extension may add values, for
 * example `"task"`.
 *
 * When reading, treat a missing value as `"complete"` (older server) and a value you do not know as
 * an invalid response.
 *
 * @category Common Types
 */
export type ResultType = "complete" | "input_required" | string;

/**
 * Base of every `result`. Open on purpose: members that the method does not define are to be
 * ignored, not rejected. Look at `resultType` before anything else.
 *
 * @category Common Types
 */
export interface Result {
  /** Metadata about the result, written by whoever answers. */
  _meta?: ResultMetaObject;

  /**
   * Distinguishes a final answer from an interim one. Servers always set it; if an older server
   * left it out, read `"complete"`.
   */
  resultType: ResultType;

  [key: string]: unknown;
}

/**
 * The error object inside a failed JSON-RPC response. Not related to the JavaScript class of this
 * name, which it hides inside the module.
 *
 * @category Errors
 */
export interface Error {
  /**
   * Integer that classifies the failure. Negative numbers between -32768 and -32000 belong to
   * JSON-RPC and MCP; choose application codes outside of that range.
   */
  code: number;

  /** One short sentence for people. Programs should look at `code` and `data` only. */
  message: string;

  /** Optional details in any JSON form; their shape depends on `code` and on the sender. */
  data?: unknown;
}

/**
 * Correlates a response with its request. A string or an integer, not `null`, and different from
 * the id of any other request the sender still waits for; `1` and `"1"` are different ids.
 *
 * @category Common Types
 */
export type RequestId = string | number;

/**
 * A request as it travels, including the JSON-RPC envelope. It is answered exactly once.
 *
 * @category JSON-RPC
 */
export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;

  /** Chosen by the sender; the response repeats it. */
  id: RequestId;
}

/**
 * A notification as it travels. It has no id, unlike a request.
 *
 * @category JSON-RPC
 */
export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

/**
 * A success answer to a request. The concrete shape of `result` follows from the method of the
 * pending request with this id, not from the message itself.
 *
 * @category JSON-RPC
 */
export interface JSONRPCResultResponse {
  jsonrpc: typeof JSONRPC_VERSION;

  /** Copy of the request id, same value and same JSON type. */
  id: RequestId;

  result: Result;
}

/**
 * A failure answer to a request: `error` takes the place of `result`.
 *
 * @category JSON-RPC
 */
export interface JSONRPCErrorResponse {
  jsonrpc: typeof JSONRPC_VERSION;

  /**
   * Copy of the request id. Absent only when the offending message was so broken that its id could
   * not be read; generic JSON-RPC peers may send `null` in that case.
   */
  id?: RequestId;

  error: Error;
}

/**
 * Any response, be it a success or a failure: exactly one of `result` and `error` is there.
 *
 * @category JSON-RPC
 */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/** JSON-RPC code for input that is not well-formed JSON. */
export const PARSE_ERROR = -32700;

/** JSON-RPC code for JSON that is not a proper message of this protocol. */
export const INVALID_REQUEST = -32600;

/** JSON-RPC code for an unknown method, or one whose capability was not declared. */
export const METHOD_NOT_FOUND = -32601;

/**
 * JSON-RPC code for parameters that cannot be used: an unknown tool, prompt or resource, a bad
 * cursor, a missing `_meta` entry, request state that fails verification.
 */
export const INVALID_PARAMS = -32602;

/** JSON-RPC code for an unexpected failure on the side of the receiver. */
export const INTERNAL_ERROR = -32603;

/**
 * Error object for input that is not well-formed JSON (`-32700`). A response with it usually has no
 * id.
 *
 * @see {@link https://www.jsonrpc.org/specification#error_object | JSON-RPC 2.0, error objects}
 * @example {@includeCode ./examples/ParseError/invalid-json.json}
 * @category Errors
 */
export interface ParseError extends Error {
  code: typeof PARSE_ERROR;
}

/**
 * Error object for JSON that does not form a proper JSON-RPC request (`-32600`), for instance an
 * array or a missing `method`.
 *
 * @see {@link https://www.jsonrpc.org/specification#error_object | JSON-RPC 2.0, error objects}
 * @category Errors
 */
export interface InvalidRequestError extends Error {
  code: typeof INVALID_REQUEST;
}

/**
 * Error object for a method the receiver does not implement or whose capability it did not
 * advertise (`-32601`). On HTTP it comes with status 404.
 *
 * @see {@link https://www.jsonrpc.org/specification#error_object | JSON-RPC 2.0, error objects}
 * @example {@includeCode ./examples/MethodNotFoundError/prompts-not-supported.json}
 * @category Errors
 */
export interface MethodNotFoundError extends Error {
  code: typeof METHOD_NOT_FOUND;
}

/**
 * Error object for unusable parameters (`-32602`): unknown tool or prompt name, unknown resource,
 * bad cursor, missing required `_meta` entry, rejected `requestState`.
 *
 * Arguments that merely fail the input schema of a tool are better reported as a tool result with
 * `isError: true`, so that the model can correct itself.
 *
 * @see {@link https://www.jsonrpc.org/specification#error_object | JSON-RPC 2.0, error objects}
 * @example {@includeCode ./examples/InvalidParamsError/unknown-tool.json}
 * @example {@includeCode ./examples/InvalidParamsError/invalid-tool-arguments.json}
 * @example {@includeCode ./examples/InvalidParamsError/unknown-prompt.json}
 * @example {@includeCode ./examples/InvalidParamsError/invalid-cursor.json}
 * @category Errors
 */
export interface InvalidParamsError extends Error {
  code: typeof INVALID_PARAMS;
}

/**
 * Error object for an unexpected failure inside the receiver (`-32603`). Keep the message generic
 * and leave stack traces out.
 *
 * @see {@link https://www.jsonrpc.org/specification#error_object | JSON-RPC 2.0, error objects}
 * @example {@includeCode ./examples/InternalError/unexpected-error.json}
 * @category Errors
 */
export interface InternalError extends Error {
  code: typeof INTERNAL_ERROR;
}

/**
 * Code of {@link HeaderMismatchError}.
 *
 * @category Errors
 */
export const HEADER_MISMATCH = -32020;

/**
 * Code of {@link MissingRequiredClientCapabilityError}.
 *
 * @category Errors
 */
export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;

/**
 * Code of {@link UnsupportedProtocolVersionError}.
 *
 * @category Errors
 */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/**
 * Sent by an HTTP server, with status 400, if a mandatory MCP header is missing, contains illegal
 * characters, or says something else than the request body. Does not occur on stdio, which has no
 * headers.
 *
 * @example {@includeCode ./examples/HeaderMismatchError/header-mismatch.json}
 * @category Errors
 */
export interface HeaderMismatchError extends Omit<JSONRPCErrorResponse, "error"> {
  error: Error & {
    code: typeof HEADER_MISMATCH;
  };
}

/**
 * Sent by a server that does not implement the protocol version named in the request, be it unknown
 * or switched off. HTTP status 400. The client may pick another version from `data.supported` and
 * try again.
 *
 * @example {@includeCode ./examples/UnsupportedProtocolVersionError/unsupported-version.json}
 * @category Errors
 */
export interface UnsupportedProtocolVersionError extends Omit<JSONRPCErrorResponse, "error"> {
  error: Error & {
    code: typeof UNSUPPORTED_PROTOCOL_VERSION;
    data: {
      /**
       * Versions the server offers, each of them also in `DiscoverResult.supportedVersions`. Retry
       * with one that the client speaks, too. May include handshake-era revisions, which cannot be
       * selected per request.
       */
      supported: string[];

      /** The version found in the rejected request. */
      requested: string;
    };
  };
}

/**
 * Sent by a server that needs a client capability which the `_meta` of this request did not
 * declare. HTTP status 400.
 *
 * @example {@includeCode ./examples/MissingRequiredClientCapabilityError/missing-elicitation-capability.json}
 * @category Errors
 */
export interface MissingRequiredClientCapabilityError extends Omit<JSONRPCErrorResponse, "error"> {
  error: Error & {
    code: typeof MISSING_REQUIRED_CLIENT_CAPABILITY;
    data: {
      /**
       * The capabilities that would have been needed, laid out as in a declaration, e.g.
       * `{"elicitation": {"url": {}}}`.
       */
      requiredCapabilities: ClientCapabilities;
    };
  };
}

/* Empty result */

/**
 * Result without members of its own; `resultType` and `_meta` are all there is to it.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

/**
 * Input that a server needs from the client before it can continue: a completion, the list of
 * roots, or an answer by the user. It is a plain `{method, params}` value inside an
 * {@link InputRequiredResult}, without `jsonrpc` and `id`, because servers can no longer send
 * requests of their own.
 *
 * @internal
 */
export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;

/**
 * The bare result that belongs to an {@link InputRequest}. Nothing in the value says which kind it
 * is; only its key leads back to the question. There is no error form: a client unable to deliver
 * simply abandons the call.
 *
 * @internal
 */
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

/**
 * The questions of one round, by keys the server made up. The keys must be unique within the
 * result, and the client uses the same ones for its answers. Request only what the capabilities in
 * the request allow.
 *
 * @example {@includeCode ./examples/InputRequests/elicitation-and-sampling-input-requests.json}
 * @category Multi Round-Trip
 */
export interface InputRequests {
  [key: string]: InputRequest;
}

/**
 * The answers to one round, by the keys of {@link InputRequests}. Servers ignore keys they do not
 * know and request again those that are missing.
 *
 * @example {@includeCode ./examples/InputResponses/elicitation-and-sampling-input-responses.json}
 * @category Multi Round-Trip
 */
export interface InputResponses {
  [key: string]: InputResponse;
}

/**
 * Interim answer of a server that needs more before it can finish; possible for `tools/call`,
 * `prompts/get` and `resources/read` only, and recognisable by the `resultType` value
 * `"input_required"`. At least one of `inputRequests` and `requestState` has to be present, a rule
 * the type itself does not express.
 *
 * The client gathers the answers and sends the same method and parameters again, with a new id and
 * the fields of {@link InputResponseRequestParams}. Rounds may repeat, a retry is never guaranteed,
 * and caching hints do not occur on this result.
 *
 * @example {@includeCode ./examples/InputRequiredResult/input-required-result-with-elicitation-and-sampling-and-request-state.json}
 * @example {@includeCode ./examples/InputRequiredResult/input-required-result-with-request-state-only.json}
 * @category Multi Round-Trip
 */
export interface InputRequiredResult extends Result {
  /**
   * What the client has to supply. If absent, nothing is requested: the client may retry right away
   * with `requestState`, preferably with a pause and a limit on attempts.
   */
  inputRequests?: InputRequests;

  /**
   * Opaque server state that replaces the one of the previous round. The client returns it
   * unchanged, byte for byte, and does not look inside; if absent, the retry must not carry one
   * either.
   *
   * Whatever comes back may be forged or replayed: sign or encrypt it, bind it to user and request,
   * and let it expire.
   */
  requestState?: string;
}

/**
 * Base of the parameters of the three requests that can be answered with an
 * {@link InputRequiredResult}. Both members stay unset on the first attempt and belong to no other
 * request than the one being retried.
 */
export interface InputResponseRequestParams extends RequestParams {
  /**
   * Answers to the most recent round only; what earlier rounds yielded is the business of
   * `requestState`. Absent on a first attempt and when nothing was requested.
   */
  inputResponses?: InputResponses;

  /**
   * The exact string from the {@link InputRequiredResult} being answered; absent if that result had
   * none. Servers treat it as attacker-controlled and reject it with `-32602` if it fails
   * verification.
   */
  requestState?: string;
}

/* Cancellation */

/**
 * Parameters of `notifications/cancelled`. A stdio client names the request it gave up; a server
 * uses the message solely to end a `subscriptions/listen` subscription.
 *
 * @example {@includeCode ./examples/CancelledNotificationParams/user-requested-cancellation.json}
 * @category notifications/cancelled
 */
export interface CancelledNotificationParams extends NotificationParams {
  /**
   * Id of the request to abandon. When a server sends it, that of the `subscriptions/listen`
   * request being ended.
   */
  requestId: RequestId;

  /** Why, in words, for logs or for display. */
  reason?: string;
}

/**
 * Sent by a stdio client that no longer needs the response to a request; on HTTP the client closes
 * the response stream instead. A server sends it solely to end a `subscriptions/listen`
 * subscription.
 *
 * The server should stop and must not send anything more for that request. Ids that are unknown or
 * already done are ignored.
 *
 * @example {@includeCode ./examples/CancelledNotification/user-requested-cancellation.json}
 * @category notifications/cancelled
 */
export interface CancelledNotification extends JSONRPCNotification {
  method: "notifications/cancelled";
  params: CancelledNotificationParams;
}

/* Discovery */

/**
 * Requests what a server is able to do. Every server implements it, but calling it is optional: a
 * client may start with any other request. On stdio it also serves to find out whether the server
 * speaks this revision at all.
 *
 * @example {@includeCode ./examples/DiscoverRequest/server-discover-request.json}
 * @category server/discover
 */
export interface DiscoverRequest extends JSONRPCRequest {
  method: "server/discover";
  params: RequestParams;
}

/**
 * Self-description of a server, in answer to `server/discover`. The identity of the server is not a
 * member here but part of `_meta`, see {@link ResultMetaObject}.
 *
 * @example {@includeCode ./examples/DiscoverResult/server-capabilities-discovery.json}
 * @category server/discover
 */
export interface DiscoverResult extends CacheableResult {
  /**
   * Protocol versions the server implements. Handshake-era entries may occur; they cannot be named
   * in per-request metadata.
   */
  supportedVersions: string[];

  /**
   * The optional features of the server. Methods of anything not listed are refused with `-32601`.
   */
  capabilities: ServerCapabilities;

  /**
   * Advice on how to use the server as a whole, typically added to the system prompt of the model.
   * Do not repeat tool descriptions in it.
   */
  instructions?: string;
}

/**
 * The success response to `server/discover`, envelope included.
 *
 * @example {@includeCode ./examples/DiscoverResultResponse/discover-result-response.json}
 * @category server/discover
 */
export interface DiscoverResultResponse extends JSONRPCResultResponse {
  result: DiscoverResult;
}

/**
 * Optional features of a client, declared again in the `_meta` of every request and valid for that
 * request alone. A member that is present, even as `{}`, switches the feature on. The set is open:
 * unknown keys are tolerated.
 *
 * @category server/discover
 */
export interface ClientCapabilities {
  /** Non-standard features, by a name the peers have agreed on; the value holds their settings. */
  experimental?: {
    [key: string]: JSONObject;
  };

  /**
   * The client answers `roots/list` input requests. There are no settings.
   *
   * @deprecated Roots are deprecated since protocol version 2026-07-28 (SEP-2577). Pass locations
   * as tool arguments, resource URIs or server configuration.
   * @example {@includeCode ./examples/ClientCapabilities/roots-minimum-baseline-support.json}
   */
  roots?: {};

  /**
   * The client answers `sampling/createMessage` input requests, that is, lends its model to the
   * server.
   *
   * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
   * call an LLM provider directly.
   * @example {@includeCode ./examples/ClientCapabilities/sampling-minimum-baseline-support.json}
   * @example {@includeCode ./examples/ClientCapabilities/sampling-tool-use-support.json}
   * @example {@includeCode ./examples/ClientCapabilities/sampling-context-inclusion-support-deprecated.json}
   */
  sampling?: {
    /**
     * The client honours `includeContext` values other than `"none"`. Without it, servers should
     * not send those.
     */
    context?: JSONObject;

    /**
     * The client accepts `tools` and `toolChoice` in sampling requests. Without it, servers must
     * not send them.
     */
    tools?: JSONObject;
  };

  /**
   * The client answers `elicitation/create` input requests in the modes listed. An empty object
   * counts as `{"form": {}}`.
   *
   * @example {@includeCode ./examples/ClientCapabilities/elicitation-form-and-url-mode-support.json}
   * @example {@includeCode ./examples/ClientCapabilities/elicitation-form-only-implicit.json}
   */
  elicitation?: {
    /** The client can put a form before the user. */
    form?: JSONObject;

    /** The client can send the user to a web page. */
    url?: JSONObject;
  };

  /**
   * Extensions the client speaks, by identifier (`vendor-prefix/name`, prefix mandatory), with
   * their settings; `{}` if there are none. An extension is active only if both sides list it.
   *
   * @example {@includeCode ./examples/ClientCapabilities/extensions-ui-mime-types.json}
   */
  extensions?: {
    [key: string]: JSONObject;
  };
}

/**
 * Optional features of a server, as reported by `server/discover`. A member that is present, even
 * as `{}`, switches the feature on; the methods of an absent one are refused with `-32601`. The set
 * is open: unknown keys are tolerated.
 *
 * @category server/discover
 */
export interface ServerCapabilities {
  /** Non-standard features, by a name the peers have agreed on; the value holds their settings. */
  experimental?: {
    [key: string]: JSONObject;
  };

  /**
   * The server emits `notifications/message` for requests that request it.
   *
   * @deprecated Protocol-level logging is deprecated since protocol version 2026-07-28 (SEP-2577).
   * Write to stderr on stdio, or export OpenTelemetry data.
   * @example {@includeCode ./examples/ServerCapabilities/logging-minimum-baseline-support.json}
   */
  logging?: JSONObject;

  /**
   * The server answers `completion/complete`.
   *
   * @example {@includeCode ./examples/ServerCapabilities/completions-minimum-baseline-support.json}
   */
  completions?: JSONObject;

  /**
   * The server has prompts.
   *
   * @example {@includeCode ./examples/ServerCapabilities/prompts-minimum-baseline-support.json}
   * @example {@includeCode ./examples/ServerCapabilities/prompts-list-changed-notifications.json}
   */
  prompts?: {
    /**
     * True: the server announces changes of the set with `notifications/prompts/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /**
   * The server has resources. The two settings are independent of each other.
   *
   * @example {@includeCode ./examples/ServerCapabilities/resources-minimum-baseline-support.json}
   * @example {@includeCode ./examples/ServerCapabilities/resources-subscription-to-individual-resource-updates-only.json}
   * @example {@includeCode ./examples/ServerCapabilities/resources-list-changed-notifications-only.json}
   * @example {@includeCode ./examples/ServerCapabilities/resources-all-notifications.json}
   */
  resources?: {
    /**
     * True: single resources can be watched by naming them in {@link SubscriptionFilter}. Absent:
     * they cannot.
     */
    subscribe?: boolean;

    /**
     * True: the server announces changes of the set with `notifications/resources/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /**
   * The server has tools.
   *
   * @example {@includeCode ./examples/ServerCapabilities/tools-minimum-baseline-support.json}
   * @example {@includeCode ./examples/ServerCapabilities/tools-list-changed-notifications.json}
   */
  tools?: {
    /**
     * True: the server announces changes of the set with `notifications/tools/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /**
   * Extensions the server speaks, by identifier (`vendor-prefix/name`, prefix mandatory), with
   * their settings; `{}` if there are none. An extension is active only if both sides list it.
   *
   * @example {@includeCode ./examples/ServerCapabilities/extensions-tasks.json}
   */
  extensions?: {
    [key: string]: JSONObject;
  };
}

/**
 * A picture a client may show next to an entry. Treat it as untrusted: load it without cookies or
 * credentials, limit its size, verify the actual image type, and remember that SVG may contain
 * script.
 *
 * @category Common Types
 */
export interface Icon {
  /**
   * Where the image is: an `https:` URL or an inline `data:` URI. Clients reject every other
   * scheme.
   *
   * @format uri
   */
  src: string;

  /**
   * MIME type that overrides or supplies the one of the source. A client that draws icons handles
   * at least PNG and JPEG, ideally SVG and WebP as well.
   */
  mimeType?: string;

  /**
   * Pixel dimensions the image is suited for, each as `WIDTHxHEIGHT` (`"48x48"`), or `"any"` for
   * vector images. No list means that the image may be shown at whatever size is needed.
   */
  sizes?: string[];

  /** Background the icon was drawn for. If absent, it is usable on both. */
  theme?: "light" | "dark";
}

/**
 * Mixin for everything that can have icons: implementations, tools, prompts, resources and
 * templates.
 *
 * @internal
 */
export interface Icons {
  /** Alternatives of the same icon; the client takes whichever suits its size and theme best. */
  icons?: Icon[];
}

/**
 * The two names most things have: one for programs, one for people.
 *
 * @internal
 */
export interface BaseMetadata {
  /** Identifier for use in messages and code. Shown to people only when there is no better text. */
  name: string;

  /**
   * Text for user interfaces. Absent: fall back to `name`, but of a tool to `annotations.title`
   * before that.
   */
  title?: string;
}

/**
 * Name and version of a piece of MCP software. Self-declared, so fine for logs and display but no
 * basis for trust.
 *
 * @category server/discover
 */
export interface Implementation extends BaseMetadata, Icons {
  /** Version of the software itself, in whatever scheme it uses. Not the protocol version. */
  version: string;

  /** What the software is for, in a sentence or so. */
  description?: string;

  /**
   * Page with more information for people.
   *
   * @format uri
   */
  websiteUrl?: string;
}

/* Progress notifications */

/**
 * Parameters of `notifications/progress`, sent by servers on the response stream of a request that
 * carried a progress token. `progress` has to grow with every message for that token.
 *
 * @example {@includeCode ./examples/ProgressNotificationParams/progress-message.json}
 * @category notifications/progress
 */
export interface ProgressNotificationParams extends NotificationParams {
  /** Token from the `_meta` of the request this is about. */
  progressToken: ProgressToken;

  /**
   * Amount done so far, in units of the sender's choice; fractions allowed. Grows with every
   * notification for the same token, even if the end is not known.
   *
   * @TJS-type number
   */
  progress: number;

  /**
   * Amount that will have been done at the end, in the same units. Absent if unknown.
   *
   * @TJS-type number
   */
  total?: number;

  /** What is going on right now, for people. */
  message?: string;
}

/**
 * Report on how far a running request has come. The server sends it on the response stream of that
 * request, and only if the request carried a progress token. Ends when the request does; keep the
 * rate moderate.
 *
 * @example {@includeCode ./examples/ProgressNotification/progress-message.json}
 * @category notifications/progress
 */
export interface ProgressNotification extends JSONRPCNotification {
  method: "notifications/progress";
  params: ProgressNotificationParams;
}

/* Pagination */

/**
 * Parameters shared by the list requests: an optional position to continue from.
 *
 * @example {@includeCode ./examples/PaginatedRequestParams/list-with-cursor.json}
 * @category Common Types
 */
export interface PaginatedRequestParams extends RequestParams {
  /**
   * Where to go on: `nextCursor` of the previous page. Absent for the first page; one the server
   * does not accept is answered with `-32602`.
   */
  cursor?: Cursor;
}

/**
 * Base of the list requests, which deliver their items page by page.
 *
 * @internal
 */
export interface PaginatedRequest extends JSONRPCRequest {
  params: PaginatedRequestParams;
}

/**
 * Base of the list results. The server decides on the page size, which may vary.
 *
 * @internal
 */
export interface PaginatedResult extends Result {
  /** Set when there are more items; send it as `cursor` to get them. Absent on the last page. */
  nextCursor?: Cursor;
}

/**
 * Base of results the client may keep for a while: discovery, the four list methods and
 * `resources/read`. Both hints are mandatory on complete results. Entries are keyed by method and
 * parameters; a matching change notification invalidates them early.
 *
 * @internal
 */
export interface CacheableResult extends Result {
  /**
   * Milliseconds, counted from receipt, for which the result counts as fresh; 0 or more, where 0
   * means stale at once. Readers take an absent or negative value as 0. Not meant as a polling
   * interval.
   *
   * @minimum 0
   */
  ttlMs: number;

  /**
   * Who may reuse the result: `"private"` keeps it within the authorization context it was fetched
   * for, `"public"` allows shared caches to serve it to any client. The same on all pages of a
   * list; if absent, assume `"private"`. It never stands in for access control.
   */
  cacheScope: "public" | "private";
}

/* Resources */

/**
 * Requests the resources that the server can enumerate.
 *
 * @example {@includeCode ./examples/ListResourcesRequest/list-resources-request.json}
 * @category resources/list
 */
export interface ListResourcesRequest extends PaginatedRequest {
  method: "resources/list";
}

/**
 * One page of resources, in answer to `resources/list`.
 *
 * @example {@includeCode ./examples/ListResourcesResult/resources-list-with-cursor-and-ttl.json}
 * @category resources/list
 */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  /** The resources of this page. An empty array is fine. */
  resources: Resource[];
}

/**
 * The success response to `resources/list`, envelope included.
 *
 * @example {@includeCode ./examples/ListResourcesResultResponse/list-resources-result-response.json}
 * @category resources/list
 */
export interface ListResourcesResultResponse extends JSONRPCResultResponse {
  result: ListResourcesResult;
}

/**
 * Requests the server's parameterised families of resources.
 *
 * @example {@includeCode ./examples/ListResourceTemplatesRequest/list-resource-templates-request.json}
 * @category resources/templates/list
 */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

/**
 * One page of resource templates, in answer to `resources/templates/list`.
 *
 * @example {@includeCode ./examples/ListResourceTemplatesResult/resource-templates-list-with-cursor-and-ttl.json}
 * @category resources/templates/list
 */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  /** The templates of this page. An empty array is fine. */
  resourceTemplates: ResourceTemplate[];
}

/**
 * The success response to `resources/templates/list`, envelope included.
 *
 * @example {@includeCode ./examples/ListResourceTemplatesResultResponse/list-resource-templates-result-response.json}
 * @category resources/templates/list
 */
export interface ListResourceTemplatesResultResponse extends JSONRPCResultResponse {
  result: ListResourceTemplatesResult;
}

/**
 * Base for parameters that address a single resource by URI.
 *
 * @internal
 */
export interface ResourceRequestParams extends RequestParams {
  /**
   * URI of the resource, any scheme. How it is resolved is up to the server.
   *
   * @format uri
   */
  uri: string;
}

/**
 * Parameters of `resources/read`. On a retry after an {@link InputRequiredResult} they also carry
 * the collected answers.
 *
 * @category resources/read
 */
export interface ReadResourceRequestParams
  extends ResourceRequestParams, InputResponseRequestParams {}

/**
 * Requests the contents of one resource.
 *
 * @example {@includeCode ./examples/ReadResourceRequest/read-resource-request.json}
 * @category resources/read
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  method: "resources/read";
  params: ReadResourceRequestParams;
}

/**
 * Contents of a resource, in answer to `resources/read`. A resource that does not exist is an error
 * (`-32602`), never an empty result.
 *
 * @example {@includeCode ./examples/ReadResourceResult/file-resource-contents.json}
 * @category resources/read
 */
export interface ReadResourceResult extends CacheableResult {
  /**
   * The contents. Usually one entry; several where a URI stands for a collection, such as a
   * directory, each entry with its own URI.
   */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * The success response to `resources/read`, envelope included. Look at `resultType` to see whether
 * the contents or a request for input arrived.
 *
 * @example {@includeCode ./examples/ReadResourceResultResponse/read-resource-result-response.json}
 * @example {@includeCode ./examples/ReadResourceResultResponse/read-resource-result-response-with-ttl.json}
 * @category resources/read
 */
export interface ReadResourceResultResponse extends JSONRPCResultResponse {
  result: ReadResourceResult | InputRequiredResult;
}

/**
 * Sent on a `subscriptions/listen` stream that requested it when the set of resources is no longer
 * the one the server listed. The client drops what it cached and lists again.
 *
 * @example {@includeCode ./examples/ResourceListChangedNotification/resources-list-changed.json}
 * @category notifications/resources/list_changed
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  method: "notifications/resources/list_changed";
  params?: NotificationParams;
}

/**
 * Selection of change notifications. The client states what it wants; the acknowledgement uses the
 * same shape for what the server will in fact deliver. Whatever is absent or false is not sent.
 *
 * @category subscriptions/listen
 */
export interface SubscriptionFilter {
  /** Announce changes in the set of tools (`notifications/tools/list_changed`). */
  toolsListChanged?: boolean;

  /** Announce changes in the set of prompts (`notifications/prompts/list_changed`). */
  promptsListChanged?: boolean;

  /**
   * Announce changes in the set of resources (`notifications/resources/list_changed`), not in their
   * contents.
   */
  resourcesListChanged?: boolean;

  /**
   * URIs of resources to watch through `notifications/resources/updated`. Needs the server
   * capability `resources.subscribe`.
   */
  resourceSubscriptions?: string[];
}

/**
 * Parameters of `subscriptions/listen`.
 *
 * @category subscriptions/listen
 */
export interface SubscriptionsListenRequestParams extends RequestParams {
  /**
   * What to subscribe to. A subscription cannot be altered: to change the selection, open another
   * one and end the first.
   */
  notifications: SubscriptionFilter;
}

/**
 * Opens a long-lived stream of change notifications; the request stays pending as long as the
 * subscription lives. A client may hold several. It ends one by closing the HTTP stream or, on
 * stdio, with `notifications/cancelled`.
 *
 * Nothing is replayed after an interruption, so fetch the lists again when reconnecting.
 *
 * @example {@includeCode ./examples/SubscriptionsListenRequest/listen-for-list-changes.json}
 * @category subscriptions/listen
 */
export interface SubscriptionsListenRequest extends JSONRPCRequest {
  method: "subscriptions/listen";
  params: SubscriptionsListenRequestParams;
}

/**
 * The `_meta` map of the final result of a subscription.
 *
 * @see {@link MetaObject}
 * @category subscriptions/listen
 */
export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  /** JSON-RPC id of the listen request that ends here, with its JSON type kept. */
  "io.modelcontextprotocol/subscriptionId": RequestId;
}

/**
 * Sent by a server that closes a subscription in an orderly way, e.g. on shutdown. If the stream
 * breaks off without it, the end was abrupt and the client may reconnect.
 *
 * @example {@includeCode ./examples/SubscriptionsListenResult/listen-closed.json}
 * @category subscriptions/listen
 */
export interface SubscriptionsListenResult extends Result {
  /** Required here, unlike in other results: it names the subscription. */
  _meta: SubscriptionsListenResultMetaObject;
}

/**
 * The response that ends a `subscriptions/listen` request, envelope included.
 *
 * @example {@includeCode ./examples/SubscriptionsListenResultResponse/listen-closed-response.json}
 * @category subscriptions/listen
 */
export interface SubscriptionsListenResultResponse extends JSONRPCResultResponse {
  result: SubscriptionsListenResult;
}

/**
 * Parameters of `notifications/subscriptions/acknowledged`.
 *
 * @category notifications/subscriptions/acknowledged
 */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  /**
   * The part of the requested selection the server honours. Compare it with the request:
   * unsupported kinds are missing without an error.
   */
  notifications: SubscriptionFilter;
}

/**
 * First message of each subscription, sent by the server before any change notification. On stdio,
 * messages of other requests may still come in between.
 *
 * @example {@includeCode ./examples/SubscriptionsAcknowledgedNotification/listen-acknowledged.json}
 * @category notifications/subscriptions/acknowledged
 */
export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  method: "notifications/subscriptions/acknowledged";
  params: SubscriptionsAcknowledgedNotificationParams;
}

/**
 * Parameters of `notifications/resources/updated`. The URI may lie below the one that was
 * subscribed to.
 *
 * @example {@includeCode ./examples/ResourceUpdatedNotificationParams/file-resource-updated.json}
 * @category notifications/resources/updated
 */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /**
   * What has changed. May be a part of the resource that was subscribed to, hence a different URI.
   *
   * @format uri
   */
  uri: string;
}

/**
 * Sent on a `subscriptions/listen` stream when a resource named in its filter has changed. It does
 * not contain the new contents; the client reads them again if it cares.
 *
 * @example {@includeCode ./examples/ResourceUpdatedNotification/file-resource-updated-notification.json}
 * @category notifications/resources/updated
 */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  method: "notifications/resources/updated";
  params: ResourceUpdatedNotificationParams;
}

/**
 * Something the server can be read from, identified by a URI.
 *
 * @example {@includeCode ./examples/Resource/file-resource-with-annotations.json}
 * @category resources/list
 */
export interface Resource extends BaseMetadata, Icons {
  /**
   * Identifier, and the argument for `resources/read`. With an `https:` URI the client can fetch
   * the resource from the web itself; everything else uses another scheme.
   *
   * @format uri
   */
  uri: string;

  /** What the resource contains, written with the model in mind. */
  description?: string;

  /** MIME type of the contents, if known. */
  mimeType?: string;

  /** Hints about audience and weight of the resource. */
  annotations?: Annotations;

  /**
   * Number of bytes of the decoded contents, helpful for judging what reading them will cost.
   * Absent if unknown.
   */
  size?: number;

  /**
   * Extra metadata about the resource, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * A family of resources whose URIs follow a pattern with variables.
 *
 * @category resources/templates/list
 */
export interface ResourceTemplate extends BaseMetadata, Icons {
  /**
   * The pattern, an RFC 6570 URI template. The client fills in the variables, possibly with the
   * help of `completion/complete`, and reads the resulting URI.
   *
   * @format uri-template
   */
  uriTemplate: string;

  /** What resources of this family contain, written with the model in mind. */
  description?: string;

  /** MIME type of the contents. Set only if it is the same for the entire family. */
  mimeType?: string;

  /** Hints that apply to the resources of this family. */
  annotations?: Annotations;

  /**
   * Extra metadata about the template, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * What text and binary contents of a resource have in common.
 *
 * @internal
 */
export interface ResourceContents {
  /**
   * URI of these contents; in a result with several entries not necessarily the requested one.
   *
   * @format uri
   */
  uri: string;

  /** MIME type of these contents, if known. */
  mimeType?: string;

  /**
   * Extra metadata about these contents, free for both sides to extend. Receivers ignore keys they
   * do not know.
   */
  _meta?: MetaObject;
}

/**
 * Contents that are text. Distinguished from binary ones by the presence of `text`.
 *
 * @example {@includeCode ./examples/TextResourceContents/text-file-contents.json}
 * @category Content
 */
export interface TextResourceContents extends ResourceContents {
  /** The text as such, not encoded in any way. */
  text: string;
}

/**
 * Contents that are not text. Distinguished from text by the presence of `blob`.
 *
 * @example {@includeCode ./examples/BlobResourceContents/image-file-contents.json}
 * @category Content
 */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes, in base64.
   *
   * @format byte
   */
  blob: string;
}

/* Prompts */

/**
 * Requests the prompts and prompt templates that the server offers.
 *
 * @example {@includeCode ./examples/ListPromptsRequest/list-prompts-request.json}
 * @category prompts/list
 */
export interface ListPromptsRequest extends PaginatedRequest {
  method: "prompts/list";
}

/**
 * One page of prompts, in answer to `prompts/list`.
 *
 * @example {@includeCode ./examples/ListPromptsResult/prompts-list-with-cursor-and-ttl.json}
 * @category prompts/list
 */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  /** The prompts of this page. An empty array is fine. */
  prompts: Prompt[];
}

/**
 * The success response to `prompts/list`, envelope included.
 *
 * @example {@includeCode ./examples/ListPromptsResultResponse/list-prompts-result-response.json}
 * @category prompts/list
 */
export interface ListPromptsResultResponse extends JSONRPCResultResponse {
  result: ListPromptsResult;
}

/**
 * Parameters of `prompts/get`: which prompt to render and with what argument values.
 *
 * @example {@includeCode ./examples/GetPromptRequestParams/get-code-review-prompt.json}
 * @category prompts/get
 */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  /** Name of the prompt, as listed. An unknown one is answered with `-32602`. */
  name: string;

  /**
   * Values for the arguments of the prompt, by argument name. Strings only; omit what is not
   * required, or everything if the prompt has no arguments.
   */
  arguments?: {
    [key: string]: string;
  };
}

/**
 * Requests the messages of one prompt, rendered by the server.
 *
 * @example {@includeCode ./examples/GetPromptRequest/get-prompt-request.json}
 * @category prompts/get
 */
export interface GetPromptRequest extends JSONRPCRequest {
  method: "prompts/get";
  params: GetPromptRequestParams;
}

/**
 * A rendered prompt, in answer to `prompts/get`.
 *
 * @example {@includeCode ./examples/GetPromptResult/code-review-prompt.json}
 * @category prompts/get
 */
export interface GetPromptResult extends Result {
  /** What the prompt does. */
  description?: string;

  /** The conversation to pass to the model, in order. */
  messages: PromptMessage[];
}

/**
 * The success response to `prompts/get`, envelope included. Look at `resultType` to see whether the
 * prompt or a request for input arrived.
 *
 * @example {@includeCode ./examples/GetPromptResultResponse/get-prompt-result-response.json}
 * @category prompts/get
 */
export interface GetPromptResultResponse extends JSONRPCResultResponse {
  result: GetPromptResult | InputRequiredResult;
}

/**
 * Definition of a prompt, typically offered to users as a command. It becomes messages through
 * `prompts/get`.
 *
 * @category prompts/list
 */
export interface Prompt extends BaseMetadata, Icons {
  /** What the prompt is good for. */
  description?: string;

  /** The arguments it takes. Absent means none. */
  arguments?: PromptArgument[];

  /**
   * Extra metadata about the prompt, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * One argument of a prompt. Its value is always a string.
 *
 * @category prompts/list
 */
export interface PromptArgument extends BaseMetadata {
  /** What to fill in. */
  description?: string;

  /** Whether the prompt cannot be rendered without it. Absent means it is optional. */
  required?: boolean;
}

/**
 * Who speaks in a message. There is no system role.
 *
 * @category Common Types
 */
export type Role = "user" | "assistant";

/**
 * One message of a rendered prompt.
 *
 * @category prompts/get
 */
export interface PromptMessage {
  role: Role;

  /**
   * Exactly one block, never an array. In contrast to sampling messages, resources can be embedded
   * or linked.
   */
  content: ContentBlock;
}

/**
 * A pointer to a resource, as part of a prompt or a tool result. The client may read it or leave
 * it; it need not be among those in `resources/list`.
 *
 * @example {@includeCode ./examples/ResourceLink/file-resource-link.json}
 * @category Content
 */
export interface ResourceLink extends Resource {
  type: "resource_link";
}

/**
 * A resource together with its contents, as part of a prompt or a tool result. How it is shown or
 * passed to the model is for the client to decide.
 *
 * @example {@includeCode ./examples/EmbeddedResource/embedded-file-resource-with-annotations.json}
 * @category Content
 */
export interface EmbeddedResource {
  type: "resource";

  /** The contents, text or binary. */
  resource: TextResourceContents | BlobResourceContents;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;

  /**
   * Extra metadata about this block, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * Sent on a `subscriptions/listen` stream that requested it when the set of prompts is no longer
 * the one the server listed. The client drops what it cached and lists again.
 *
 * @example {@includeCode ./examples/PromptListChangedNotification/prompts-list-changed.json}
 * @category notifications/prompts/list_changed
 */
export interface PromptListChangedNotification extends JSONRPCNotification {
  method: "notifications/prompts/list_changed";
  params?: NotificationParams;
}

/* Tools */

/**
 * Requests the tools that the server offers.
 *
 * @example {@includeCode ./examples/ListToolsRequest/list-tools-request.json}
 * @category tools/list
 */
export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

/**
 * One page of tools, in answer to `tools/list`. The order should stay the same as long as the set
 * does.
 *
 * @example {@includeCode ./examples/ListToolsResult/tools-list-with-cursor-and-ttl.json}
 * @category tools/list
 */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  /** The tools of this page. An empty array is fine. */
  tools: Tool[];
}

/**
 * The success response to `tools/list`, envelope included.
 *
 * @example {@includeCode ./examples/ListToolsResultResponse/list-tools-result-response.json}
 * @category tools/list
 */
export interface ListToolsResultResponse extends JSONRPCResultResponse {
  result: ListToolsResult;
}

/**
 * Outcome of a tool, in answer to `tools/call`. A tool that fails, or rejects its arguments, says
 * so here, with `isError`, so that the model gets to see it and can correct itself; protocol errors
 * are for calls that never reached a tool, e.g. under an unknown name (`-32602`).
 *
 * @example {@includeCode ./examples/CallToolResult/result-with-unstructured-text.json}
 * @example {@includeCode ./examples/CallToolResult/result-with-structured-content.json}
 * @example {@includeCode ./examples/CallToolResult/invalid-tool-input-error.json}
 * @category tools/call
 */
export interface CallToolResult extends Result {
  /**
   * Output for the model, in order. May be empty. When there is `structuredContent`, a text block
   * with the same JSON should be here too, for clients that only know content blocks.
   */
  content: ContentBlock[];

  /**
   * Output for programs: any JSON value, including arrays, primitives and `null`. Mandatory, and
   * valid against it, if the tool declares an `outputSchema`.
   */
  structuredContent?: unknown;

  /** True if the tool failed; `content` then says why. Absent means false. */
  isError?: boolean;
}

/**
 * The success response to `tools/call`, envelope included. Look at `resultType` to see whether the
 * outcome of the tool or a request for input arrived.
 *
 * @example {@includeCode ./examples/CallToolResultResponse/call-tool-result-response.json}
 * @category tools/call
 */
export interface CallToolResultResponse extends JSONRPCResultResponse {
  result: CallToolResult | InputRequiredResult;
}

/**
 * Parameters of `tools/call`: which tool to run and with what arguments.
 *
 * @example {@includeCode ./examples/CallToolRequestParams/get-weather-tool-call-params.json}
 * @example {@includeCode ./examples/CallToolRequestParams/tool-call-params-with-progress-token.json}
 * @category tools/call
 */
export interface CallToolRequestParams extends InputResponseRequestParams {
  /** Name of the tool, as listed. */
  name: string;

  /**
   * Input for the tool, an object that satisfies its `inputSchema`. Absent when there is nothing to
   * pass. On HTTP, values of properties marked with `x-mcp-header` are mirrored in `Mcp-Param-*`
   * headers.
   */
  arguments?: {
    [key: string]: unknown;
  };
}

/**
 * Requests a call of a tool. Hosts should let the user see and refuse the call.
 *
 * @example {@includeCode ./examples/CallToolRequest/call-tool-request.json}
 * @category tools/call
 */
export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

/**
 * Sent on a `subscriptions/listen` stream that requested it when the set of tools is no longer the
 * one the server listed. The client drops what it cached and lists again.
 *
 * @example {@includeCode ./examples/ToolListChangedNotification/tools-list-changed.json}
 * @category notifications/tools/list_changed
 */
export interface ToolListChangedNotification extends JSONRPCNotification {
  method: "notifications/tools/list_changed";
  params?: NotificationParams;
}

/**
 * What a server says about the behaviour of a tool. Nothing enforces it, so unless the server is
 * trusted, do not let it decide what a tool may do.
 *
 * @category tools/list
 */
export interface ToolAnnotations {
  /**
   * Text for user interfaces, used only if the tool has no `title` of its own. After both comes
   * `name`.
   */
  title?: string;

  /** True: the tool changes nothing. Default: false. */
  readOnlyHint?: boolean;

  /**
   * True: its changes may delete or overwrite; false: they only add. Default: true. Without meaning
   * for read-only tools.
   */
  destructiveHint?: boolean;

  /**
   * True: after one call, further calls with the same arguments change nothing more. Default:
   * false. Without meaning for read-only tools.
   */
  idempotentHint?: boolean;

  /**
   * True: the tool deals with things outside the control of the server, e.g. the public internet;
   * false: with a fixed, known set only. Default: true.
   */
  openWorldHint?: boolean;
}

/**
 * Definition of a tool: a function on the server that the model can have called.
 *
 * @example {@includeCode ./examples/Tool/with-default-2020-12-input-schema.json}
 * @example {@includeCode ./examples/Tool/with-explicit-draft-07-input-schema.json}
 * @example {@includeCode ./examples/Tool/with-no-parameters.json}
 * @example {@includeCode ./examples/Tool/with-output-schema-for-structured-content.json}
 * @category tools/list
 */
export interface Tool extends BaseMetadata, Icons {
  /** What the tool does and when to use it, written for the model. */
  description?: string;

  /**
   * JSON Schema for `arguments`. Always describes an object, otherwise all of 2020-12 may be used;
   * pass every keyword on unchanged. References to other hosts are not to be fetched by default.
   *
   * A property schema may carry `x-mcp-header` with a header name: HTTP clients then repeat the
   * value in `Mcp-Param-<name>`.
   */
  inputSchema: {
    /** JSON Schema dialect. Absent means 2020-12. */
    $schema?: string;

    type: "object";
    [key: string]: unknown;
  };

  /**
   * JSON Schema for `structuredContent`, which need not be an object. If present, the server must
   * conform and the client should check. Absent: structured output, if any, is unspecified.
   */
  outputSchema?: {
    /** JSON Schema dialect. Absent means 2020-12. */
    $schema?: string;

    [key: string]: unknown;
  };

  /**
   * Untrusted hints about the behaviour of the tool. What is absent takes the default of the hint.
   *
   * The display name is `title`, else `annotations.title`, else `name`.
   */
  annotations?: ToolAnnotations;

  /**
   * Extra metadata about the tool, free for both sides to extend. Receivers ignore keys they do not
   * know.
   */
  _meta?: MetaObject;
}

/* Logging */

/**
 * Parameters of `notifications/message`: one log entry of the server.
 *
 * @deprecated Protocol-level logging is deprecated since protocol version 2026-07-28 (SEP-2577).
 * Write to stderr on stdio, or export OpenTelemetry data.
 * @example {@includeCode ./examples/LoggingMessageNotificationParams/log-database-connection-failed.json}
 * @category notifications/message
 */
export interface LoggingMessageNotificationParams extends NotificationParams {
  /** How serious the entry is. */
  level: LoggingLevel;

  /** Part of the server the entry comes from. */
  logger?: string;

  /** Body of the entry in any JSON form; a plain string will do. */
  data: unknown;
}

/**
 * A log entry of the server about a request; it travels on the response stream of that request.
 * Sent only if that request set a log level in its `_meta`. Must not contain credentials or
 * personal data.
 *
 * @deprecated Protocol-level logging is deprecated since protocol version 2026-07-28 (SEP-2577).
 * Write to stderr on stdio, or export OpenTelemetry data.
 * @example {@includeCode ./examples/LoggingMessageNotification/log-database-connection-failed.json}
 * @category notifications/message
 */
export interface LoggingMessageNotification extends JSONRPCNotification {
  method: "notifications/message";
  params: LoggingMessageNotificationParams;
}

/**
 * Severity of a log entry, from harmless to grave. The names are those of syslog (RFC 5424).
 *
 * @deprecated Protocol-level logging is deprecated since protocol version 2026-07-28 (SEP-2577).
 * Write to stderr on stdio, or export OpenTelemetry data.
 * @category Common Types
 */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/* Sampling */

/**
 * Parameters of `sampling/createMessage`: the conversation the client should have its model
 * continue, plus generation settings. Apart from `maxTokens`, an upper bound, the settings are
 * wishes the client may override.
 *
 * Used inside an {@link InputRequest} only, hence without `_meta`.
 *
 * @example {@includeCode ./examples/CreateMessageRequestParams/basic-request.json}
 * @example {@includeCode ./examples/CreateMessageRequestParams/request-with-tools.json}
 * @example {@includeCode ./examples/CreateMessageRequestParams/follow-up-with-tool-results.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface CreateMessageRequestParams {
  /**
   * The conversation so far, oldest message first. Always complete: clients should not remember
   * messages from one request to the next.
   */
  messages: SamplingMessage[];

  /** What sort of model the server would like. Advice only. */
  modelPreferences?: ModelPreferences;

  /** Proposed system prompt. The client may change it or leave it out. */
  systemPrompt?: string;

  /**
   * Whose MCP context the client should add: that of the asking server, that of all connected
   * servers, or none, which is the default. The client may do otherwise. All but `"none"`
   * presuppose the client capability `sampling.context`.
   *
   * @deprecated The values `"thisServer"` and `"allServers"` are deprecated since
   * protocol version 2025-11-25 (SEP-2596), and sampling as a whole followed (SEP-2577). Leave the
   * field out or send `"none"`.
   */
  includeContext?: "none" | "thisServer" | "allServers";

  /**
   * Sampling temperature, on the scale of the model in use. Absent: the choice of the client.
   *
   * @TJS-type number
   */
  temperature?: number;

  /** Upper bound for the number of generated tokens. The client may stop earlier but not later. */
  maxTokens: number;

  /** Strings at which generation should end. */
  stopSequences?: string[];

  /** Settings to pass on to the LLM provider. Their form depends on the provider. */
  metadata?: JSONObject;

  /**
   * Tool definitions to offer to the model for this one completion. They live only as long as the
   * request and need not be among those the server lists. Allowed only if the client declared
   * `sampling.tools`.
   */
  tools?: Tool[];

  /**
   * How far the model is free to use the `tools`; absent means `{"mode": "auto"}`. Same
   * precondition as for `tools`.
   */
  toolChoice?: ToolChoice;
}

/**
 * Steers the use of tools in a sampling request. Set by the server.
 *
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface ToolChoice {
  /**
   * `"auto"` (default): the model decides. `"required"`: at least one tool has to be used.
   * `"none"`: no tool may be used.
   */
  mode?: "auto" | "required" | "none";
}

/**
 * Requests that the client's model continue a conversation. The client selects the model, and
 * should have the user approve both request and outcome. Needs the client capability `sampling`.
 *
 * Exists as a value within {@link InputRequests} only.
 *
 * @example {@includeCode ./examples/CreateMessageRequest/sampling-request.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface CreateMessageRequest {
  method: "sampling/createMessage";
  params: CreateMessageRequestParams;
}

/**
 * The generated message, passed as a value in {@link InputResponses}; hence there is no
 * `resultType`. The user may have edited it before it was sent.
 *
 * @example {@includeCode ./examples/CreateMessageResult/text-response.json}
 * @example {@includeCode ./examples/CreateMessageResult/tool-use-response.json}
 * @example {@includeCode ./examples/CreateMessageResult/final-response.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface CreateMessageResult extends SamplingMessage {
  /** Name of the model that was used. */
  model: string;

  /**
   * Why generation ended, if known. `"toolUse"` means that the model waits for tool results. Open
   * to provider-specific values besides the ones listed.
   */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | string;
}

/**
 * One message of a conversation with a model.
 *
 * @example {@includeCode ./examples/SamplingMessage/single-content-block.json}
 * @example {@includeCode ./examples/SamplingMessage/multiple-content-blocks.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface SamplingMessage {
  role: Role;

  /** One block or several; a lone block needs no array. Resources are not possible here. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];

  /**
   * Extra metadata about the message, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * What one block of a sampling message can be. The two tool variants need the client capability
 * `sampling.tools`. A user message with tool results consists of nothing else.
 *
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export type SamplingMessageContentBlock =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/**
 * Hints for the client on what to do with a resource or a content block.
 *
 * @category Common Types
 */
export interface Annotations {
  /** Who this is meant for. Both roles can be named; absent leaves it open. */
  audience?: Role[];

  /**
   * Weight from 0 (can be dropped) to 1 (practically indispensable). Absent: no statement.
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;

  /**
   * When the underlying data last changed, an ISO 8601 timestamp such as `2025-06-18T09:30:00Z`.
   */
  lastModified?: string;
}

/**
 * What one block of a prompt message or a tool result can be. Distinguish by `type`.
 *
 * @category Content
 */
export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/**
 * A block of text.
 *
 * @example {@includeCode ./examples/TextContent/text-content.json}
 * @category Content
 */
export interface TextContent {
  type: "text";

  /** The text, for people or models. */
  text: string;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;

  /**
   * Extra metadata about this block, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * A picture, contained in the message.
 *
 * @example {@includeCode ./examples/ImageContent/image-png-content-with-annotations.json}
 * @category Content
 */
export interface ImageContent {
  type: "image";

  /**
   * The image file, in base64.
   *
   * @format byte
   */
  data: string;

  /** Format of the image, e.g. `image/png`. */
  mimeType: string;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;

  /**
   * Extra metadata about this block, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * A sound recording, contained in the message.
 *
 * @example {@includeCode ./examples/AudioContent/audio-wav-content.json}
 * @category Content
 */
export interface AudioContent {
  type: "audio";

  /**
   * The audio file, in base64.
   *
   * @format byte
   */
  data: string;

  /** Format of the audio, e.g. `audio/wav`. */
  mimeType: string;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;

  /**
   * Extra metadata about this block, free for both sides to extend. Receivers ignore keys they do
   * not know.
   */
  _meta?: MetaObject;
}

/**
 * A tool invocation requested by the model, as part of an assistant message. In the conversation it
 * is followed at once by a user message with one {@link ToolResultContent} per invocation.
 *
 * @example {@includeCode ./examples/ToolUseContent/get-weather-tool-use.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface ToolUseContent {
  type: "tool_use";

  /** Identifies the invocation; the matching tool result refers to it. */
  id: string;

  /** The tool, of those offered in the request, that the model uses. */
  name: string;

  /**
   * Arguments for the tool, meant to satisfy its input schema. Model output: validate before use.
   */
  input: {
    [key: string]: unknown;
  };

  /**
   * Optional metadata. Keep it when the message is sent back in a later request; clients may rely
   * on it, e.g. for caching.
   */
  _meta?: MetaObject;
}

/**
 * Outcome of a tool invocation, passed to the model as part of a user message. Such a message holds
 * only blocks of this kind and covers every {@link ToolUseContent} of the assistant message before
 * it.
 *
 * @example {@includeCode ./examples/ToolResultContent/get-weather-tool-result.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface ToolResultContent {
  type: "tool_result";

  /** `id` of the invocation that is answered here. */
  toolUseId: string;

  /** Unstructured output, in the same form as the content of a tool call result. */
  content: ContentBlock[];

  /**
   * Machine-readable output; any JSON value, `null` and arrays included. Should satisfy the output
   * schema of the tool if it has one.
   */
  structuredContent?: unknown;

  /** True if the tool failed and `content` describes the failure. Absent means success. */
  isError?: boolean;

  /**
   * Optional metadata. Keep it when the message is sent back in a later request; clients may rely
   * on it, e.g. for caching.
   */
  _meta?: MetaObject;
}

/**
 * Wishes of a server with regard to the model, since it cannot know which ones the client has.
 * Priorities are relative weights from 0 (irrelevant) to 1 (decisive). The client is free to ignore
 * all of it.
 *
 * @example {@includeCode ./examples/ModelPreferences/with-hints-and-priorities.json}
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface ModelPreferences {
  /**
   * Models to consider, best first; the first one that matches wins. They go before the priorities.
   */
  hints?: ModelHint[];

  /**
   * Weight of low cost, 0 to 1.
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;

  /**
   * Weight of short response times, 0 to 1.
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;

  /**
   * Weight of high ability, 0 to 1.
   *
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/**
 * One model suggestion. Members not defined here are for the client to interpret.
 *
 * @deprecated Sampling is deprecated since protocol version 2026-07-28 (SEP-2577). Servers should
 * call an LLM provider directly.
 * @category sampling/createMessage
 */
export interface ModelHint {
  /**
   * Full or partial model name, compared as a substring (`mini` matches every model with these
   * letters in its name). A client without a match may substitute a comparable model.
   */
  name?: string;
}

/* Autocomplete */

/**
 * Parameters of `completion/complete`: the prompt or resource template in question and the argument
 * being typed.
 *
 * @category completion/complete
 * @example {@includeCode ./examples/CompleteRequestParams/prompt-argument-completion.json}
 * @example {@includeCode ./examples/CompleteRequestParams/prompt-argument-completion-with-context.json}
 */
export interface CompleteRequestParams extends RequestParams {
  /** The prompt or template that the argument belongs to. */
  ref: PromptReference | ResourceTemplateReference;

  /** The argument being typed. */
  argument: {
    /** Name of the argument, or of the template variable. */
    name: string;

    /** What has been typed so far. May be empty. */
    value: string;
  };

  /** Circumstances the suggestions may depend on. */
  context?: {
    /** Values already settled for the other arguments, by name. */
    arguments?: {
      [key: string]: string;
    };
  };
}

/**
 * Requests suggestions while the user types an argument of a prompt or a variable of a
 * resource template. Needs the server capability `completions`.
 *
 * @example {@includeCode ./examples/CompleteRequest/completion-request.json}
 * @category completion/complete
 */
export interface CompleteRequest extends JSONRPCRequest {
  method: "completion/complete";
  params: CompleteRequestParams;
}

/**
 * Suggestions, in answer to `completion/complete`.
 *
 * @category completion/complete
 * @example {@includeCode ./examples/CompleteResult/single-completion-value.json}
 * @example {@includeCode ./examples/CompleteResult/multiple-completion-values-with-more-available.json}
 */
export interface CompleteResult extends Result {
  completion: {
    /**
     * The suggestions, most relevant first. No more than 100; cut the list and set `hasMore` if
     * there are more.
     *
     * @maxItems 100
     */
    values: string[];

    /** Size of the complete list before it was cut, if the server counted. */
    total?: number;

    /** True if the list was cut off. Does not need `total`. Absent means false. */
    hasMore?: boolean;
  };
}

/**
 * The success response to `completion/complete`, envelope included.
 *
 * @example {@includeCode ./examples/CompleteResultResponse/completion-result-response.json}
 * @category completion/complete
 */
export interface CompleteResultResponse extends JSONRPCResultResponse {
  result: CompleteResult;
}

/**
 * Names a resource or a resource template as the target of a completion.
 *
 * @category completion/complete
 */
export interface ResourceTemplateReference {
  type: "ref/resource";

  /**
   * URI or URI template, as listed by the server.
   *
   * @format uri-template
   */
  uri: string;
}

/**
 * Names a prompt as the target of a completion.
 *
 * @category completion/complete
 */
export interface PromptReference extends BaseMetadata {
  type: "ref/prompt";
}

/* Roots */

/**
 * Requests the directories or files in which the server is expected to work. Needs the client
 * capability `roots`.
 *
 * Exists as a value within {@link InputRequests} only.
 *
 * @example {@includeCode ./examples/ListRootsRequest/list-roots-request.json}
 * @deprecated Roots are deprecated since protocol version 2026-07-28 (SEP-2577). Pass locations as
 * tool arguments, resource URIs or server configuration.
 * @category roots/list
 */
export interface ListRootsRequest {
  method: "roots/list";
  params?: {
    /** Extra metadata about the question. */
    _meta?: MetaObject;
  };
}

/**
 * The roots, passed as a value in {@link InputResponses}; hence there is no `resultType`. They are
 * guidance for the server, not a security boundary.
 *
 * @example {@includeCode ./examples/ListRootsResult/single-root-directory.json}
 * @example {@includeCode ./examples/ListRootsResult/multiple-root-directories.json}
 * @deprecated Roots are deprecated since protocol version 2026-07-28 (SEP-2577). Pass locations as
 * tool arguments, resource URIs or server configuration.
 * @category roots/list
 */
export interface ListRootsResult {
  /** All roots; the list has no pages. May be empty. */
  roots: Root[];
}

/**
 * A directory or file the client opens up to the server.
 *
 * @example {@includeCode ./examples/Root/project-directory.json}
 * @deprecated Roots are deprecated since protocol version 2026-07-28 (SEP-2577). Pass locations as
 * tool arguments, resource URIs or server configuration.
 * @category roots/list
 */
export interface Root {
  /**
   * Location of the root. Has to begin with `file://`.
   *
   * @format uri
   */
  uri: string;

  /** Name for people. Absent: show the URI. */
  name?: string;

  /**
   * Extra metadata about the root, free for both sides to extend. Receivers ignore keys they do not
   * know.
   */
  _meta?: MetaObject;
}

/**
 * Requests that the client collect a few simple values from the user with a form. Never request
 * passwords, keys, tokens or payment data this way; URL mode exists for those.
 *
 * @example {@includeCode ./examples/ElicitRequestFormParams/elicit-single-field.json}
 * @example {@includeCode ./examples/ElicitRequestFormParams/elicit-multiple-fields.json}
 * @category elicitation/create
 */
export interface ElicitRequestFormParams {
  /** Marks the form variant. May be left out, since forms are the default. */
  mode?: "form";

  /** Text that explains to the user what is requested and why. */
  message: string;

  /**
   * Description of the form: a flat object schema in which each property is one field. Nested
   * objects, arrays of objects and `$ref` are not possible. Both sides should check the answer
   * against it.
   */
  requestedSchema: {
    /** JSON Schema dialect. Absent means 2020-12. */
    $schema?: string;

    type: "object";

    /** The fields, by the name under which their values are returned. */
    properties: {
      [key: string]: PrimitiveSchemaDefinition;
    };

    /** Names of the fields the user has to fill in. Absent means none. */
    required?: string[];
  };
}

/**
 * Requests that the client send the user to a web page, for sign-ins, payments and other things
 * that must not pass through the client. An `accept` means that the user agreed to open the page,
 * not that anything there is finished.
 *
 * The client shows the full address, gets consent, and opens it in a browser it cannot look into,
 * without fetching it first. The server must make sure that the visitor is the user to whom the
 * request was addressed.
 *
 * @example {@includeCode ./examples/ElicitRequestURLParams/elicit-sensitive-data.json}
 * @category elicitation/create
 */
export interface ElicitRequestURLParams {
  /** Marks the URL variant. Mandatory, because an absent mode means a form. */
  mode: "url";

  /** Text that explains to the user why the visit is needed. */
  message: string;

  /**
   * Page to open, HTTPS except during development. It must not contain secrets or personal data and
   * must not log the visitor in by itself.
   *
   * @format uri
   */
  url: string;
}

/**
 * Parameters of `elicitation/create`, distinguished by `mode`: without it, or with `"form"`, the
 * client shows a form; with `"url"` it sends the user to a web page. A server may use only modes
 * the client declared; `elicitation: {}` declares forms only.
 *
 * @category elicitation/create
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * Requests input from the user through the client: a form to fill in, or a web page to visit. Needs
 * the client capability `elicitation`, in the mode concerned.
 *
 * Exists as a value within {@link InputRequests} only.
 *
 * @example {@includeCode ./examples/ElicitRequest/elicitation-request.json}
 * @category elicitation/create
 */
export interface ElicitRequest {
  method: "elicitation/create";
  params: ElicitRequestParams;
}

/**
 * Schema of a single form field. Not general JSON Schema: only what the member types list can be
 * relied on.
 *
 * @category elicitation/create
 */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/**
 * Form field for text.
 *
 * @example {@includeCode ./examples/StringSchema/email-input-schema.json}
 * @category elicitation/create
 */
export interface StringSchema {
  type: "string";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** Least number of characters. Absent: no lower limit. */
  minLength?: number;

  /** Greatest number of characters. Absent: no upper limit. */
  maxLength?: number;

  /** What kind of text is expected. Absent: any. */
  format?: "email" | "uri" | "date" | "date-time";

  /** Text to fill in beforehand. Absent: the field starts empty. */
  default?: string;
}

/**
 * Form field for a number. `"integer"` rules out fractions.
 *
 * @example {@includeCode ./examples/NumberSchema/number-input-schema.json}
 * @category elicitation/create
 */
export interface NumberSchema {
  type: "number" | "integer";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /**
   * Least value allowed, itself included. Absent: no lower limit.
   *
   * @TJS-type number
   */
  minimum?: number;

  /**
   * Greatest value allowed, itself included. Absent: no upper limit.
   *
   * @TJS-type number
   */
  maximum?: number;

  /**
   * Number to fill in beforehand. Absent: the field starts empty.
   *
   * @TJS-type number
   */
  default?: number;
}

/**
 * Form field for yes or no.
 *
 * @example {@includeCode ./examples/BooleanSchema/boolean-input-schema.json}
 * @category elicitation/create
 */
export interface BooleanSchema {
  type: "boolean";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** Choice to start with. Absent: up to the client. */
  default?: boolean;
}

/**
 * Pick-one form field whose option values double as labels.
 *
 * @example {@includeCode ./examples/UntitledSingleSelectEnumSchema/color-select-schema.json}
 * @category elicitation/create
 */
export interface UntitledSingleSelectEnumSchema {
  type: "string";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** The options, as shown and as returned. */
  enum: string[];

  /** Option to preselect; one of `enum`. Absent: nothing is preselected. */
  default?: string;
}

/**
 * Pick-one form field with a label for each option value.
 *
 * @example {@includeCode ./examples/TitledSingleSelectEnumSchema/titled-color-select-schema.json}
 * @category elicitation/create
 */
export interface TitledSingleSelectEnumSchema {
  type: "string";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** The options. */
  oneOf: Array<{
    /** Value that is returned when the option is picked. */
    const: string;

    /** Text the user sees for the option. */
    title: string;
  }>;

  /** Option to preselect, named by its `const` value. Absent: nothing is preselected. */
  default?: string;
}

/**
 * Form field where the user picks one of several fixed options, with or without separate labels.
 *
 * @category elicitation/create
 */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

/**
 * Pick-many form field whose option values double as labels.
 *
 * @example {@includeCode ./examples/UntitledMultiSelectEnumSchema/color-multi-select-schema.json}
 * @category elicitation/create
 */
export interface UntitledMultiSelectEnumSchema {
  type: "array";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** Fewest options the user has to pick. Absent: no lower limit. */
  minItems?: number;

  /** Most options the user may pick. Absent: no upper limit. */
  maxItems?: number;

  /** Schema of a single picked value; it holds the list of options. */
  items: {
    type: "string";

    /** The options, as shown and as returned. */
    enum: string[];
  };

  /** Options to preselect, all from `items.enum`. Absent: nothing is preselected. */
  default?: string[];
}

/**
 * Pick-many form field with a label for each option value.
 *
 * @example {@includeCode ./examples/TitledMultiSelectEnumSchema/titled-color-multi-select-schema.json}
 * @category elicitation/create
 */
export interface TitledMultiSelectEnumSchema {
  type: "array";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** Fewest options the user has to pick. Absent: no lower limit. */
  minItems?: number;

  /** Most options the user may pick. Absent: no upper limit. */
  maxItems?: number;

  /** Schema of a single picked value; it holds the labelled options. */
  items: {
    /** The options. */
    anyOf: Array<{
      /** Value that is returned when the option is picked. */
      const: string;

      /** Text the user sees for the option. */
      title: string;
    }>;
  };

  /** Options to preselect, named by their `const` values. Absent: nothing is preselected. */
  default?: string[];
}

/**
 * Form field where the user picks any number of fixed options, with or without separate labels. The
 * answer is an array of strings.
 *
 * @category elicitation/create
 */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/**
 * Pick-one form field in the style of 2025-06-18, with labels in a parallel array. That array is
 * not standard JSON Schema; prefer {@link TitledSingleSelectEnumSchema} in new code.
 *
 * @category elicitation/create
 */
export interface LegacyTitledEnumSchema {
  type: "string";

  /** Label of the field. */
  title?: string;

  /** Help text for the field. */
  description?: string;

  /** The option values, as returned. */
  enum: string[];

  /** Labels of the options, position by position as in `enum`. Absent: show the values. */
  enumNames?: string[];

  /** Option to preselect; one of `enum`. Absent: nothing is preselected. */
  default?: string;
}

/**
 * Form field where the user picks from fixed options: one or many, with or without labels, plus the
 * old labelled form.
 *
 * @category elicitation/create
 */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/**
 * What the user did, passed as a value in {@link InputResponses}; hence there is no `resultType`.
 *
 * @example {@includeCode ./examples/ElicitResult/input-single-field.json}
 * @example {@includeCode ./examples/ElicitResult/input-multiple-fields.json}
 * @example {@includeCode ./examples/ElicitResult/accept-url-mode-no-content.json}
 * @category elicitation/create
 */
export interface ElicitResult {
  /**
   * `"accept"`: the user filled in the form and sent it or, in URL mode, agreed to open the page.
   * `"decline"`: the user refused. `"cancel"`: the question was dismissed unanswered. Servers must
   * be able to deal with all three.
   */
  action: "accept" | "decline" | "cancel";

  /**
   * The field values, by field name; arrays come from pick-many fields. Present with `"accept"` in
   * form mode only.
   */
  content?: {
    [key: string]: string | number | boolean | string[];
  };
}

/* Client messages */

/**
 * All requests a client can send.
 *
 * @internal
 */
export type ClientRequest =
  | DiscoverRequest
  | CompleteRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscriptionsListenRequest
  | CallToolRequest
  | ListToolsRequest;

/**
 * The only notification a client can send, and only on stdio.
 *
 * @internal
 */
export type ClientNotification = CancelledNotification;

/**
 * Of no practical use any more: clients get no requests and therefore send no results. Answers to
 * input requests travel in {@link InputResponses}.
 *
 * @internal
 */
export type ClientResult = EmptyResult;

/* Server messages */

/**
 * All notifications a server can send. Progress and log messages belong to a request and precede
 * its response; all others belong to a `subscriptions/listen` subscription.
 *
 * @internal
 */
export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification
  | SubscriptionsAcknowledgedNotification;

/**
 * All results a server can send, in answer to {@link ClientRequest}. As one arm is the open
 * {@link Result}, pick the result type by the method of the pending request rather than by this
 * union.
 *
 * @internal
 */
export type ServerResult =
  | EmptyResult
  | DiscoverResult
  | CompleteResult
  | GetPromptResult
  | ListPromptsResult
  | ListResourceTemplatesResult
  | ListResourcesResult
  | ReadResourceResult
  | SubscriptionsListenResult
  | CallToolResult
  | ListToolsResult
  | InputRequiredResult;
