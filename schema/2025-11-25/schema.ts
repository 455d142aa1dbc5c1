// MCP revision 2025-11-25: wire types.
// A restatement of the published schema in our own words; same declarations, same API and wire
// digests.

/* JSON-RPC types */

/**
 * Everything that may appear on the wire as one message. Requests have `method` and `id`,
 * notifications only `method`, successes `result`, failures `error`. There are no batches.
 *
 * @category JSON-RPC
 */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/**
 * The version string of this revision, `YYYY-MM-DD`. The client offers it in `initialize`, the
 * server echoes it or answers with another one. Compare versions for equality with known ones only.
 *
 * @internal
 */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";

/**
 * Value of `jsonrpc` on every message.
 *
 * @internal
 */
export const JSONRPC_VERSION = "2.0";

/**
 * Ties progress notifications to the request that requested them. A string or an integer, picked by
 * the requestor, never shared by two requests that are in flight together.
 *
 * @category Common Types
 */
export type ProgressToken = string | number;

/**
 * Position in a paginated list. Only the server can read it: clients return it unchanged and do not
 * keep it beyond the session.
 *
 * @category Common Types
 */
export type Cursor = string;

/**
 * Base of the parameters of requests that may be executed as a task: tool calls, sampling and
 * elicitation. The other side has to list the request type under `capabilities.tasks.requests`.
 *
 * @internal
 */
export interface TaskAugmentedRequestParams extends RequestParams {
  /**
   * Set by the requestor to request deferred execution; the answer is then a
   * {@link CreateTaskResult} and the real result is collected later with `tasks/result`. Leave it
   * out for an ordinary call.
   *
   * A receiver that never advertised tasks for this request type ignores the field and replies in
   * the usual way.
   */
  task?: TaskMetadata;
}

/**
 * Common base of all named request parameter types. It contributes nothing but the `_meta` slot.
 *
 * @internal
 */
export interface RequestParams {
  /**
   * Out-of-band metadata about the request, filled in by the sender. Entries with a reserved prefix
   * such as `io.modelcontextprotocol/` have a meaning fixed by the protocol; own entries should use
   * a reverse-DNS prefix.
   */
  _meta?: {
    /**
     * When set, requests from the receiver `notifications/progress` messages tagged with this
     * value. The sender chooses it and must not use one token for two requests that are active
     * together; without a token no progress may be reported.
     */
    progressToken?: ProgressToken;

    [key: string]: unknown;
  };
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
 * @internal
 */
export interface NotificationParams {
  /**
   * Out-of-band metadata about the notification, filled in by its sender. Keys with a reserved
   * prefix belong to the protocol.
   */
  _meta?: {
    [key: string]: unknown;
  };
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
 * Base of every `result`. Open on purpose: members that the method does not define are to be
 * ignored, not rejected.
 *
 * @category Common Types
 */
export interface Result {
  /** Metadata about the result, written by whoever answers. */
  _meta?: {
    [key: string]: unknown;
  };

  [key: string]: unknown;
}

/**
 * The error object inside a failed JSON-RPC response. Not related to the JavaScript class of this
 * name, which it hides inside the module.
 *
 * @category Common Types
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
 * Correlates a response with its request. A string or an integer, not `null`, and not reused by the
 * same sender within a session; `1` and `"1"` are different ids.
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
 * JSON-RPC code for parameters that cannot be used: an unknown tool or prompt, a missing argument,
 * a bad cursor or log level. (A missing resource has the code -32002 of its own.)
 */
export const INVALID_PARAMS = -32602;

/** JSON-RPC code for an unexpected failure on the side of the receiver. */
export const INTERNAL_ERROR = -32603;

/**
 * Code of {@link URLElicitationRequiredError}. Exists in this revision only; later ones reply with
 * an input-required result instead.
 *
 * @internal
 */
export const URL_ELICITATION_REQUIRED = -32042;

/**
 * Sent by a server that cannot process a request until the user has been through one or more web
 * pages. The client runs the listed URL elicitations and then repeats the request.
 *
 * @internal
 */
export interface URLElicitationRequiredError extends Omit<JSONRPCErrorResponse, "error"> {
  error: Error & {
    code: typeof URL_ELICITATION_REQUIRED;
    data: {
      /** The pages to visit. Form elicitations are not allowed here. */
      elicitations: ElicitRequestURLParams[];

      [key: string]: unknown;
    };
  };
}

/* Empty result */

/**
 * Result of requests that are merely acknowledged. Normally `{}`.
 *
 * @category Common Types
 */
export type EmptyResult = Result;

/* Cancellation */

/**
 * Parameters of `notifications/cancelled`. `requestId` is needed for ordinary requests; it is
 * optional in this revision only because tasks are stopped through `tasks/cancel`, not by this
 * notification.
 *
 * @category notifications/cancelled
 */
export interface CancelledNotificationParams extends NotificationParams {
  /**
   * Id of the request to abandon, issued earlier by the sender of this notification. Needed for
   * every request that is not a task; tasks do not use it.
   */
  requestId?: RequestId;

  /** Why, in words, for logs or for display. */
  reason?: string;
}

/**
 * Sent by the peer that issued a request when it no longer needs the response. Allowed only for
 * requests of its own that it believes to be running, and never for `initialize`; a task is stopped
 * with {@link CancelTaskRequest} instead.
 *
 * The receiver should stop and stay silent about that request. As the two may cross on the way, it
 * ignores ids that are unknown or already done, and the sender ignores an answer that still
 * arrives.
 *
 * @category notifications/cancelled
 */
export interface CancelledNotification extends JSONRPCNotification {
  method: "notifications/cancelled";
  params: CancelledNotificationParams;
}

/* Initialization */

/**
 * Parameters of `initialize`, the first request of a session: the version the client would like to
 * speak, what it can do, and who it is.
 *
 * @category initialize
 */
export interface InitializeRequestParams extends RequestParams {
  /** Version that the client requests, normally the newest it knows, as `YYYY-MM-DD`. */
  protocolVersion: string;

  /** What the client offers to the server for the length of the session. */
  capabilities: ClientCapabilities;

  /** Name and version of the client software. */
  clientInfo: Implementation;
}

/**
 * First message of a session, sent by the client to agree on a protocol version and exchange
 * capabilities. It cannot be cancelled, and until it is answered the client should send nothing but
 * `ping`.
 *
 * @category initialize
 */
export interface InitializeRequest extends JSONRPCRequest {
  method: "initialize";
  params: InitializeRequestParams;
}

/**
 * The answer of the server to `initialize`.
 *
 * @category initialize
 */
export interface InitializeResult extends Result {
  /**
   * Version used from here on: the requested one if the server has it, else one the server prefers.
   * A client that does not support it disconnects.
   */
  protocolVersion: string;

  /** What the server offers to the client for the length of the session. */
  capabilities: ServerCapabilities;

  /** Name and version of the server software. */
  serverInfo: Implementation;

  /**
   * Advice on how to use the server as a whole, for instance to be added to the system prompt of
   * the model.
   */
  instructions?: string;
}

/**
 * Sent by the client once it has accepted the `initialize` answer. From now on both sides may send
 * ordinary requests.
 *
 * @category notifications/initialized
 */
export interface InitializedNotification extends JSONRPCNotification {
  method: "notifications/initialized";
  params?: NotificationParams;
}

/**
 * Optional features of a client, declared in `initialize`. A member that is present, even as `{}`,
 * switches the feature on. The set is open: unknown keys are tolerated.
 *
 * @category initialize
 */
export interface ClientCapabilities {
  /** Non-standard features, by a name the peers have agreed on; the value holds their settings. */
  experimental?: {
    [key: string]: object;
  };

  /** The client answers `roots/list`. */
  roots?: {
    /**
     * True obliges the client to send `notifications/roots/list_changed` when its roots change.
     * Absent means it will not.
     */
    listChanged?: boolean;
  };

  /** The client answers `sampling/createMessage`, that is, lends its model to the server. */
  sampling?: {
    /**
     * The client honours `includeContext` values other than `"none"`. Without it, servers should
     * not send those.
     */
    context?: object;

    /**
     * The client accepts `tools` and `toolChoice` in sampling requests. Without it, servers must
     * not send them.
     */
    tools?: object;
  };

  /**
   * The client answers `elicitation/create` in the modes listed. An empty object counts as
   * `{"form": {}}`.
   */
  elicitation?: {
    /** The client can put a form before the user. */
    form?: object;

    /** The client can send the user to a web page. */
    url?: object;
  };

  /**
   * The client can run requests from the server as tasks. Experimental. Absent: no task support,
   * and `params.task` is ignored.
   */
  tasks?: {
    /** The client answers `tasks/list`. */
    list?: object;

    /** The client answers `tasks/cancel`. */
    cancel?: object;

    /** Requests of the server that may carry `params.task`, grouped like their method names. */
    requests?: {
      /** Sampling requests that may become tasks. */
      sampling?: {
        /** `sampling/createMessage` may become a task. */
        createMessage?: object;
      };

      /** Elicitation requests that may become tasks. */
      elicitation?: {
        /** `elicitation/create` may become a task. */
        create?: object;
      };
    };
  };
}

/**
 * Optional features of a server, declared in its `initialize` answer. A member that is present,
 * even as `{}`, switches the feature on; the methods of an absent one are refused with `-32601`.
 * The set is open: unknown keys are tolerated.
 *
 * @category initialize
 */
export interface ServerCapabilities {
  /** Non-standard features, by a name the peers have agreed on; the value holds their settings. */
  experimental?: {
    [key: string]: object;
  };

  /** The server emits `notifications/message` and answers `logging/setLevel`. */
  logging?: object;

  /** The server answers `completion/complete`. */
  completions?: object;

  /** The server has prompts. */
  prompts?: {
    /**
     * True: the server announces changes of the set with `notifications/prompts/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /** The server has resources. The two settings are independent of each other. */
  resources?: {
    /** True: single resources can be watched with `resources/subscribe`. Absent: they cannot. */
    subscribe?: boolean;

    /**
     * True: the server announces changes of the set with `notifications/resources/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /** The server has tools. */
  tools?: {
    /**
     * True: the server announces changes of the set with `notifications/tools/list_changed`.
     * Absent: it does not.
     */
    listChanged?: boolean;
  };

  /**
   * The server can run requests from the client as tasks. Experimental. Absent: no task support,
   * and `params.task` is ignored.
   */
  tasks?: {
    /** The server answers `tasks/list`. */
    list?: object;

    /** The server answers `tasks/cancel`. */
    cancel?: object;

    /** Requests of the client that may carry `params.task`, grouped like their method names. */
    requests?: {
      /** Tool requests that may become tasks. */
      tools?: {
        /**
         * `tools/call` may become a task, within the limits each tool sets in
         * {@link ToolExecution}.
         */
        call?: object;
      };
    };
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
 * @category initialize
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

/* Ping */

/**
 * Probe by either side whether the other is alive; to be answered at once with an
 * {@link EmptyResult}, even before initialization is over. If no answer comes in time, the
 * connection may be considered dead.
 *
 * @category ping
 */
export interface PingRequest extends JSONRPCRequest {
  method: "ping";
  params?: RequestParams;
}

/* Progress notifications */

/**
 * Parameters of `notifications/progress`. Sent by whoever executes a request that carried a
 * progress token; `progress` has to grow with every message for that token.
 *
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
 * Report on how far a running request has come, sent by the peer that executes it and only if the
 * request carried a progress token. Ends when the request does, or, for a task, when the task
 * reaches a final status; keep the rate moderate.
 *
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
 * @internal
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
  params?: PaginatedRequestParams;
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

/* Resources */

/**
 * Requests the resources that the server can enumerate.
 *
 * @category resources/list
 */
export interface ListResourcesRequest extends PaginatedRequest {
  method: "resources/list";
}

/**
 * One page of resources, in answer to `resources/list`.
 *
 * @category resources/list
 */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources of this page. An empty array is fine. */
  resources: Resource[];
}

/**
 * Requests the server's parameterised families of resources.
 *
 * @category resources/templates/list
 */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

/**
 * One page of resource templates, in answer to `resources/templates/list`.
 *
 * @category resources/templates/list
 */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates of this page. An empty array is fine. */
  resourceTemplates: ResourceTemplate[];
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
 * Parameters of `resources/read`.
 *
 * @category resources/read
 */
export interface ReadResourceRequestParams extends ResourceRequestParams {}

/**
 * Requests the contents of one resource.
 *
 * @category resources/read
 */
export interface ReadResourceRequest extends JSONRPCRequest {
  method: "resources/read";
  params: ReadResourceRequestParams;
}

/**
 * Contents of a resource, in answer to `resources/read`. A resource that does not exist is an error
 * (`-32002`), not an empty result.
 *
 * @category resources/read
 */
export interface ReadResourceResult extends Result {
  /**
   * The contents. Usually one entry; several where a URI stands for a collection, such as a
   * directory, each entry with its own URI.
   */
  contents: (TextResourceContents | BlobResourceContents)[];
}

/**
 * Sent by a server with `resources.listChanged` when the set of resources is no longer the one it
 * listed. No subscription is needed; the client lists again.
 *
 * @category notifications/resources/list_changed
 */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  method: "notifications/resources/list_changed";
  params?: NotificationParams;
}

/**
 * Parameters of `resources/subscribe`: the resource whose changes the client follows.
 *
 * @category resources/subscribe
 */
export interface SubscribeRequestParams extends ResourceRequestParams {}

/**
 * Requests notifications of changes of one resource. Needs the server capability
 * `resources.subscribe`; acknowledged with an {@link EmptyResult}.
 *
 * @category resources/subscribe
 */
export interface SubscribeRequest extends JSONRPCRequest {
  method: "resources/subscribe";
  params: SubscribeRequestParams;
}

/**
 * Parameters of `resources/unsubscribe`: the resource the client is no longer interested in.
 *
 * @category resources/unsubscribe
 */
export interface UnsubscribeRequestParams extends ResourceRequestParams {}

/**
 * Ends an earlier subscription to a resource. Acknowledged with an {@link EmptyResult}.
 *
 * @category resources/unsubscribe
 */
export interface UnsubscribeRequest extends JSONRPCRequest {
  method: "resources/unsubscribe";
  params: UnsubscribeRequestParams;
}

/**
 * Parameters of `notifications/resources/updated`. The URI may lie below the one that was
 * subscribed to.
 *
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
 * Sent by the server when a resource the client subscribed to has changed. It does not contain the
 * new contents; the client reads them again if it cares.
 *
 * @category notifications/resources/updated
 */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  method: "notifications/resources/updated";
  params: ResourceUpdatedNotificationParams;
}

/**
 * Something the server can be read from, identified by a URI.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
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
  _meta?: {
    [key: string]: unknown;
  };
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * Contents that are text. Distinguished from binary ones by the presence of `text`.
 *
 * @category Content
 */
export interface TextResourceContents extends ResourceContents {
  /** The text as such, not encoded in any way. */
  text: string;
}

/**
 * Contents that are not text. Distinguished from text by the presence of `blob`.
 *
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
 * @category prompts/list
 */
export interface ListPromptsRequest extends PaginatedRequest {
  method: "prompts/list";
}

/**
 * One page of prompts, in answer to `prompts/list`.
 *
 * @category prompts/list
 */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts of this page. An empty array is fine. */
  prompts: Prompt[];
}

/**
 * Parameters of `prompts/get`: which prompt to render and with what argument values.
 *
 * @category prompts/get
 */
export interface GetPromptRequestParams extends RequestParams {
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
 * @category prompts/get
 */
export interface GetPromptRequest extends JSONRPCRequest {
  method: "prompts/get";
  params: GetPromptRequestParams;
}

/**
 * A rendered prompt, in answer to `prompts/get`.
 *
 * @category prompts/get
 */
export interface GetPromptResult extends Result {
  /** What the prompt does. */
  description?: string;

  /** The conversation to pass to the model, in order. */
  messages: PromptMessage[];
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
  _meta?: {
    [key: string]: unknown;
  };
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
 * @category Content
 */
export interface ResourceLink extends Resource {
  type: "resource_link";
}

/**
 * A resource together with its contents, as part of a prompt or a tool result. How it is shown or
 * passed to the model is for the client to decide.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * Sent by a server with `prompts.listChanged` when the set of prompts is no longer the one it
 * listed. No subscription is needed; the client lists again.
 *
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
 * @category tools/list
 */
export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

/**
 * One page of tools, in answer to `tools/list`.
 *
 * @category tools/list
 */
export interface ListToolsResult extends PaginatedResult {
  /** The tools of this page. An empty array is fine. */
  tools: Tool[];
}

/**
 * Outcome of a tool, in answer to `tools/call`. A tool that fails, or rejects its arguments, says
 * so here, with `isError`, so that the model gets to see it and can correct itself; protocol errors
 * are for calls that never reached a tool, e.g. under an unknown name (`-32602`).
 *
 * @category tools/call
 */
export interface CallToolResult extends Result {
  /**
   * Output for the model, in order. May be empty. When there is `structuredContent`, a text block
   * with the same JSON should be here too, for clients that only know content blocks.
   */
  content: ContentBlock[];

  /**
   * Output for programs: a JSON object. Mandatory, and valid against it, if the tool declares an
   * `outputSchema`.
   */
  structuredContent?: {
    [key: string]: unknown;
  };

  /** True if the tool failed; `content` then says why. Absent means false. */
  isError?: boolean;
}

/**
 * Parameters of `tools/call`: which tool to run and with what arguments.
 *
 * @category tools/call
 */
export interface CallToolRequestParams extends TaskAugmentedRequestParams {
  /** Name of the tool, as listed. */
  name: string;

  /**
   * Input for the tool, an object that satisfies its `inputSchema`. Absent when there is nothing to
   * pass.
   */
  arguments?: {
    [key: string]: unknown;
  };
}

/**
 * Requests a call of a tool. Hosts should let the user see and refuse the call.
 *
 * @category tools/call
 */
export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

/**
 * Sent by a server with `tools.listChanged` when the set of tools is no longer the one it listed.
 * No subscription is needed; the client lists again.
 *
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
 * How a tool may be executed. Part of a tool definition, published by the server.
 *
 * @category tools/list
 */
export interface ToolExecution {
  /**
   * Whether `tools/call` may or must be sent with `params.task`. `"forbidden"`, the default, rules
   * tasks out; `"optional"` leaves the choice to the client; `"required"` makes a plain call fail
   * with `-32601`. Only relevant if the server advertises `tasks.requests.tools.call`.
   */
  taskSupport?: "forbidden" | "optional" | "required";
}

/**
 * Definition of a tool: a function on the server that the model can have called.
 *
 * @category tools/list
 */
export interface Tool extends BaseMetadata, Icons {
  /** What the tool does and when to use it, written for the model. */
  description?: string;

  /**
   * JSON Schema for `arguments`. Always describes an object; a tool without parameters best adds
   * `"additionalProperties": false`. Keywords beyond those typed here are legal and must be
   * preserved.
   */
  inputSchema: {
    /** JSON Schema dialect. Absent means 2020-12. */
    $schema?: string;

    type: "object";

    /** Schemas of the arguments, by argument name. */
    properties?: {
      [key: string]: object;
    };

    /** Names of the required arguments. Absent means none. */
    required?: string[];
  };

  /** How the tool may be run. Absent: plain calls only, no tasks. */
  execution?: ToolExecution;

  /**
   * JSON Schema for `structuredContent`, always describing an object. If present, the server must
   * conform and the client should check. Absent: structured output, if any, is unspecified.
   */
  outputSchema?: {
    /** JSON Schema dialect. Absent means 2020-12. */
    $schema?: string;

    type: "object";

    /** Schemas of the output members, by member name. */
    properties?: {
      [key: string]: object;
    };

    /** Names of the members that are always there. Absent means none. */
    required?: string[];
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
  _meta?: {
    [key: string]: unknown;
  };
}

/* Tasks */

/**
 * Where a task stands. It begins as `working` and can switch back and forth with `input_required`
 * (the receiver waits for the requestor, who should now call `tasks/result`). `completed`, `failed`
 * and `cancelled` are final.
 *
 * A JSON-RPC error of the underlying request and a tool result with `isError: true` both count as
 * `failed`.
 *
 * @category tasks
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * Value of `params.task`: its presence turns a request into a task.
 *
 * @category tasks
 */
export interface TaskMetadata {
  /**
   * Desired lifetime of the task and its result in milliseconds, counted from creation. The
   * receiver may choose another value; read the effective one from the returned task.
   */
  ttl?: number;
}

/**
 * Value of the `_meta` key `io.modelcontextprotocol/related-task`, which ties a message to a task.
 * Required on everything exchanged on behalf of a task, but left off `tasks/get`, `tasks/list`,
 * `tasks/cancel` and status notifications.
 *
 * @category tasks
 */
export interface RelatedTaskMetadata {
  /**
   * The task in question. In `tasks/get`, `tasks/result` and `tasks/cancel` the `taskId` parameter
   * decides, not this one.
   */
  taskId: string;
}

/**
 * Snapshot of a deferred request as seen by the party that executes it. Either peer can play that
 * role: the server for tool calls, the client for sampling and elicitation.
 *
 * @category tasks
 */
export interface Task {
  /** Identifier made up by the receiver, unique there. It should be hard to guess. */
  taskId: string;

  /** State at the time of this snapshot. */
  status: TaskStatus;

  /** Optional explanation of `status` for people, for example why the task failed. */
  statusMessage?: string;

  /** Time of creation, ISO 8601. */
  createdAt: string;

  /** Time of the latest change of the task, ISO 8601. */
  lastUpdatedAt: string;

  /**
   * Milliseconds after `createdAt` for which the receiver keeps the task; afterwards it may drop
   * task and result. `null` stands for no limit. Always present, and not necessarily what was
   * requested for.
   *
   * @nullable
   */
  ttl: number | null;

  /**
   * Suggested pause in milliseconds between two `tasks/get` calls. If absent, the requestor
   * decides.
   */
  pollInterval?: number;
}

/**
 * Immediate answer to a request that carried `params.task` and was accepted as a task; it replaces
 * the normal result. The `_meta` entry `io.modelcontextprotocol/model-immediate-response` may hold
 * a text to pass to the model meanwhile.
 *
 * The protocol's own result unions do not list this type, so check for it by method.
 *
 * @category tasks
 */
export interface CreateTaskResult extends Result {
  /** The new task, in its initial state. Keep the `taskId` for polling. */
  task: Task;
}

/**
 * Requests the current state of a task without waiting. Sent repeatedly by the requestor, at the
 * pace of `pollInterval`, until the status is final or `input_required`.
 *
 * @category tasks/get
 */
export interface GetTaskRequest extends JSONRPCRequest {
  method: "tasks/get";
  params: {
    /** The task to look up. Unknown or expired ids are answered with `-32602`. */
    taskId: string;
  };
}

/**
 * Answer to `tasks/get`. The task fields sit directly in the result, not below a `task` member.
 *
 * @category tasks/get
 */
export type GetTaskResult = Result & Task;

/**
 * Collects the outcome of a task with the method `tasks/result`. The receiver holds the reply back
 * until the status is final, so allow for a long wait; questions it has in the meantime arrive
 * while this request is open.
 *
 * @category tasks/result
 */
export interface GetTaskPayloadRequest extends JSONRPCRequest {
  method: "tasks/result";
  params: {
    /** The task to collect. Unknown or expired ids are answered with `-32602`. */
    taskId: string;
  };
}

/**
 * Answer to `tasks/result`: exactly what the original request would have returned, hence an open
 * object here. Check it against the result type of that request, e.g. {@link CallToolResult}. A
 * failed request comes back as JSON-RPC error instead.
 *
 * `_meta` contains the `io.modelcontextprotocol/related-task` entry.
 *
 * @category tasks/result
 */
export interface GetTaskPayloadResult extends Result {
  [key: string]: unknown;
}

/**
 * Requests that the receiver stop a task. Replaces `notifications/cancelled`, which does not apply
 * to tasks.
 *
 * @category tasks/cancel
 */
export interface CancelTaskRequest extends JSONRPCRequest {
  method: "tasks/cancel";
  params: {
    /**
     * The task to stop. One that has already reached a final status is refused with `-32602`, as is
     * an unknown id.
     */
    taskId: string;
  };
}

/**
 * Answer to `tasks/cancel`: the task fields, flat, with status `cancelled`. The status stays that
 * way even if the work itself runs on for a while.
 *
 * @category tasks/cancel
 */
export type CancelTaskResult = Result & Task;

/**
 * Requests the tasks that the caller may see, page by page. Available only if the receiver
 * advertised `tasks.list`.
 *
 * @category tasks/list
 */
export interface ListTasksRequest extends PaginatedRequest {
  method: "tasks/list";
}

/**
 * One page of tasks, in answer to `tasks/list`.
 *
 * @category tasks/list
 */
export interface ListTasksResult extends PaginatedResult {
  /** The tasks of this page. With authorization in place, only those of the calling principal. */
  tasks: Task[];
}

/**
 * Parameters of `notifications/tasks/status`: the complete task after the change.
 *
 * @category notifications/tasks/status
 */
export type TaskStatusNotificationParams = NotificationParams & Task;

/**
 * Notifies the requestor that a task has changed. Receivers are free never to send it, so polling
 * remains necessary.
 *
 * @category notifications/tasks/status
 */
export interface TaskStatusNotification extends JSONRPCNotification {
  method: "notifications/tasks/status";
  params: TaskStatusNotificationParams;
}

/* Logging */

/**
 * Parameters of `logging/setLevel`: the lowest severity the client wants to receive.
 *
 * @category logging/setLevel
 */
export interface SetLevelRequestParams extends RequestParams {
  /**
   * Least severe level to send; everything graver comes too. A value that is not a level is
   * answered with `-32602`.
   */
  level: LoggingLevel;
}

/**
 * Sets the threshold for log messages of this session. Needs the server capability `logging`;
 * acknowledged with an {@link EmptyResult}. Until it is sent, the server chooses what to log.
 *
 * @category logging/setLevel
 */
export interface SetLevelRequest extends JSONRPCRequest {
  method: "logging/setLevel";
  params: SetLevelRequestParams;
}

/**
 * Parameters of `notifications/message`: one log entry of the server.
 *
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
 * One log entry of the server, shown or stored by the client. Must not contain credentials or
 * personal data.
 *
 * @category notifications/message
 */
export interface LoggingMessageNotification extends JSONRPCNotification {
  method: "notifications/message";
  params: LoggingMessageNotificationParams;
}

/**
 * Severity of a log entry, from harmless to grave. The names are those of syslog (RFC 5424).
 *
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
 * @category sampling/createMessage
 */
export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
  /** The conversation so far, oldest message first. */
  messages: SamplingMessage[];

  /** What sort of model the server would like. Advice only. */
  modelPreferences?: ModelPreferences;

  /** Proposed system prompt. The client may change it or leave it out. */
  systemPrompt?: string;

  /**
   * Whose MCP context the client should add: that of the asking server, that of all connected
   * servers, or none, which is the default. The client may do otherwise.
   *
   * All but `"none"` should be used only if the client declared `sampling.context`, and are
   * deprecated from this revision on.
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
  metadata?: object;

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
 * @category sampling/createMessage
 */
export interface CreateMessageRequest extends JSONRPCRequest {
  method: "sampling/createMessage";
  params: CreateMessageRequestParams;
}

/**
 * The generated message, in answer to `sampling/createMessage`. The user may have edited it before
 * it was sent.
 *
 * @category sampling/createMessage
 */
export interface CreateMessageResult extends Result, SamplingMessage {
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * What one block of a sampling message can be. The two tool variants need the client capability
 * `sampling.tools`. A user message with tool results consists of nothing else.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * A picture, contained in the message.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * A sound recording, contained in the message.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * A tool invocation requested by the model, as part of an assistant message. In the conversation it
 * is followed at once by a user message with one {@link ToolResultContent} per invocation.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * Outcome of a tool invocation, passed to the model as part of a user message. Such a message holds
 * only blocks of this kind and covers every {@link ToolUseContent} of the assistant message before
 * it.
 *
 * @category sampling/createMessage
 */
export interface ToolResultContent {
  type: "tool_result";

  /** `id` of the invocation that is answered here. */
  toolUseId: string;

  /** Unstructured output, in the same form as the content of a tool call result. */
  content: ContentBlock[];

  /**
   * Machine-readable output, a JSON object. Should satisfy the output schema of the tool if it has
   * one.
   */
  structuredContent?: {
    [key: string]: unknown;
  };

  /** True if the tool failed and `content` describes the failure. Absent means success. */
  isError?: boolean;

  /**
   * Optional metadata. Keep it when the message is sent back in a later request; clients may rely
   * on it, e.g. for caching.
   */
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * Wishes of a server with regard to the model, since it cannot know which ones the client has.
 * Priorities are relative weights from 0 (irrelevant) to 1 (decisive). The client is free to ignore
 * all of it.
 *
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
 */
export interface CompleteResult extends Result {
  completion: {
    /**
     * The suggestions, most relevant first. No more than 100; cut the list and set `hasMore` if
     * there are more.
     */
    values: string[];

    /** Size of the complete list before it was cut, if the server counted. */
    total?: number;

    /** True if the list was cut off. Does not need `total`. Absent means false. */
    hasMore?: boolean;
  };
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
 * @category roots/list
 */
export interface ListRootsRequest extends JSONRPCRequest {
  method: "roots/list";
  params?: RequestParams;
}

/**
 * The roots, in answer to `roots/list`. They are guidance for the server, not a security boundary.
 *
 * @category roots/list
 */
export interface ListRootsResult extends Result {
  /** All roots; the list has no pages. May be empty. */
  roots: Root[];
}

/**
 * A directory or file the client opens up to the server.
 *
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
  _meta?: {
    [key: string]: unknown;
  };
}

/**
 * Sent by a client with `roots.listChanged` when its roots are no longer the ones it listed. The
 * server should request them again.
 *
 * @category notifications/roots/list_changed
 */
export interface RootsListChangedNotification extends JSONRPCNotification {
  method: "notifications/roots/list_changed";
  params?: NotificationParams;
}

/**
 * Requests that the client collect a few simple values from the user with a form. Never request
 * passwords, keys, tokens or payment data this way; URL mode exists for those.
 *
 * @category elicitation/create
 */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
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
 * @category elicitation/create
 */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  /** Marks the URL variant. Mandatory, because an absent mode means a form. */
  mode: "url";

  /** Text that explains to the user why the visit is needed. */
  message: string;

  /**
   * Identifier chosen by the server, unique among its elicitations and opaque to the client. The
   * completion notification refers to it.
   */
  elicitationId: string;

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
 * @category elicitation/create
 */
export interface ElicitRequest extends JSONRPCRequest {
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
 * What the user did, in answer to `elicitation/create`.
 *
 * @category elicitation/create
 */
export interface ElicitResult extends Result {
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

/**
 * Notifies the client that started a URL elicitation that the procedure behind the URL has ended.
 * Sending it is optional, so a client should also let the user continue by hand. Ids that are
 * unknown or already finished are ignored.
 *
 * @category notifications/elicitation/complete
 */
export interface ElicitationCompleteNotification extends JSONRPCNotification {
  method: "notifications/elicitation/complete";
  params: {
    /** Id from the elicitation this refers to. */
    elicitationId: string;
  };
}

/* Client messages */

/**
 * All requests a client can send.
 *
 * @internal
 */
export type ClientRequest =
  | PingRequest
  | InitializeRequest
  | CompleteRequest
  | SetLevelRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | CallToolRequest
  | ListToolsRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/**
 * All notifications a client can send.
 *
 * @internal
 */
export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

/**
 * All results a client can send, in answer to {@link ServerRequest}. As one arm is the open
 * {@link Result}, pick the result type by the method of the pending request rather than by this
 * union. {@link CreateTaskResult} is missing although clients send it.
 *
 * @internal
 */
export type ClientResult =
  | EmptyResult
  | CreateMessageResult
  | ListRootsResult
  | ElicitResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;

/* Server messages */

/**
 * All requests a server can send.
 *
 * @internal
 */
export type ServerRequest =
  | PingRequest
  | CreateMessageRequest
  | ListRootsRequest
  | ElicitRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/**
 * All notifications a server can send.
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
  | ElicitationCompleteNotification
  | TaskStatusNotification;

/**
 * All results a server can send, in answer to {@link ClientRequest}. As one arm is the open
 * {@link Result}, pick the result type by the method of the pending request rather than by this
 * union. {@link CreateTaskResult} is missing although servers send it.
 *
 * @internal
 */
export type ServerResult =
  | EmptyResult
  | InitializeResult
  | CompleteResult
  | GetPromptResult
  | ListPromptsResult
  | ListResourceTemplatesResult
  | ListResourcesResult
  | ReadResourceResult
  | CallToolResult
  | ListToolsResult
  | GetTaskResult
  | GetTaskPayloadResult
  | ListTasksResult
  | CancelTaskResult;
