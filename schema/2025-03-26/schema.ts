// MCP revision 2025-03-26: wire types.
// A restatement of the published schema in our own words; same declarations, same API and wire
// digests.

/* JSON-RPC types */

/**
 * Everything that may appear on the wire as one message. Requests have `method` and `id`,
 * notifications only `method`, successes `result`, failures `error`; an array is a batch.
 */
export type JSONRPCMessage =
  | JSONRPCRequest
  | JSONRPCNotification
  | JSONRPCBatchRequest
  | JSONRPCResponse
  | JSONRPCError
  | JSONRPCBatchResponse;

/**
 * Several requests and notifications in one array, in any order. Every peer must be able to receive
 * batches and no peer has to send them; `initialize` is never part of one, and an empty array is
 * invalid.
 *
 * A batch without any request gets no reply.
 */
export type JSONRPCBatchRequest = (JSONRPCRequest | JSONRPCNotification)[];

/**
 * Replies to a batch: one entry per request, matched by id and not by position. They may also
 * arrive one by one instead of in a single array.
 */
export type JSONRPCBatchResponse = (JSONRPCResponse | JSONRPCError)[];

/**
 * The version string of this revision, `YYYY-MM-DD`. The client offers it in `initialize`, the
 * server echoes it or answers with another one. Compare versions for equality with known ones only.
 */
export const LATEST_PROTOCOL_VERSION = "2025-03-26";

/** Value of `jsonrpc` on every message. */
export const JSONRPC_VERSION = "2.0";

/**
 * Ties progress notifications to the request that requested them. A string or an integer, picked by
 * the requestor, never shared by two requests that are in flight together.
 */
export type ProgressToken = string | number;

/**
 * Position in a paginated list. Only the server can read it: clients return it unchanged and do not
 * keep it beyond the session.
 */
export type Cursor = string;

/**
 * What all requests have in common apart from the JSON-RPC envelope. (Shadows the global `Request`
 * of web platforms inside this module.)
 */
export interface Request {
  method: string;

  /** Named parameters, as the method defines them. MCP has no positional parameters. */
  params?: {
    /** Metadata about the request, written by whoever sends it. */
    _meta?: {
      /**
       * Set by the requestor that wants `notifications/progress` for this request; the receiver may
       * send some but need not. When it is absent, no progress must be sent.
       */
      progressToken?: ProgressToken;
    };

    [key: string]: unknown;
  };
}

/**
 * What all notifications have in common apart from the JSON-RPC envelope. The receiver never
 * replies to one.
 */
export interface Notification {
  method: string;

  /** Named parameters, as the method defines them. */
  params?: {
    /** Metadata about the notification, written by whoever sends it. */
    _meta?: {
      [key: string]: unknown;
    };

    [key: string]: unknown;
  };
}

/**
 * Base of every `result`. Open on purpose: members that the method does not define are to be
 * ignored, not rejected.
 */
export interface Result {
  /** Metadata about the result, written by whoever answers. */
  _meta?: {
    [key: string]: unknown;
  };

  [key: string]: unknown;
}

/**
 * Correlates a response with its request. A string or an integer, not `null`, and not reused by the
 * same sender within a session; `1` and `"1"` are different ids.
 */
export type RequestId = string | number;

/** A request as it travels, including the JSON-RPC envelope. It is answered exactly once. */
export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;

  /** Chosen by the sender; the response repeats it. */
  id: RequestId;
}

/** A notification as it travels. It has no id, unlike a request. */
export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

/**
 * A success response. Which shape `result` has follows from the method of the pending request with
 * this id.
 */
export interface JSONRPCResponse {
  jsonrpc: typeof JSONRPC_VERSION;

  /** Copy of the request id, same value and same JSON type. */
  id: RequestId;

  result: Result;
}

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

/** A failure response: `error` takes the place of `result`. */
export interface JSONRPCError {
  jsonrpc: typeof JSONRPC_VERSION;

  /**
   * Copy of the request id. Where the offending message was too broken to reveal its id, generic
   * JSON-RPC peers send `null`, which this type does not foresee.
   */
  id: RequestId;

  error: {
    /**
     * Integer that classifies the failure. -32768 to -32000 is the range reserved by JSON-RPC;
     * codes of one's own belong outside it.
     */
    code: number;

    /** One line for people, e.g. for a log. Programs should look at `code` and `data` only. */
    message: string;

    /** Optional details in any JSON form; their shape depends on `code` and on the sender. */
    data?: unknown;
  };
}

/* Empty result */

/** Result of requests that are merely acknowledged. Normally `{}`. */
export type EmptyResult = Result;

/* Cancellation */

/**
 * Sent by the peer that issued a request when it no longer needs the response. Allowed only for
 * requests of its own that it believes to be running, and never for `initialize`.
 *
 * The receiver should stop and stay silent about that request. As the two may cross on the way, it
 * ignores ids that are unknown or already done, and the sender ignores an answer that still
 * arrives.
 */
export interface CancelledNotification extends Notification {
  method: "notifications/cancelled";
  params: {
    /** Id of the request to abandon, issued earlier by the sender of this notification. */
    requestId: RequestId;

    /** Why, in words, for logs or for display. */
    reason?: string;
  };
}

/* Initialization */

/**
 * First message of a session, sent by the client to agree on a protocol version and exchange
 * capabilities. It cannot be cancelled or put into a batch, and until it is answered the client
 * should send nothing but `ping`.
 */
export interface InitializeRequest extends Request {
  method: "initialize";
  params: {
    /** Version that the client requests, normally the newest it knows, as `YYYY-MM-DD`. */
    protocolVersion: string;

    /** What the client offers to the server for the length of the session. */
    capabilities: ClientCapabilities;

    /** Name and version of the client software. */
    clientInfo: Implementation;
  };
}

/** The answer of the server to `initialize`. */
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
 */
export interface InitializedNotification extends Notification {
  method: "notifications/initialized";
}

/**
 * Optional features of a client, declared in `initialize`. A member that is present, even as `{}`,
 * switches the feature on. The set is open: unknown keys are tolerated.
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
  sampling?: object;
}

/**
 * Optional features of a server, declared in its `initialize` answer. A member that is present,
 * even as `{}`, switches the feature on; the methods of an absent one are refused with `-32601`.
 * The set is open: unknown keys are tolerated.
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
}

/**
 * Name and version of a piece of MCP software. Self-declared, so fine for logs and display but no
 * basis for trust.
 */
export interface Implementation {
  /** Name of the software, e.g. of its package. */
  name: string;

  /** Version of the software itself, in whatever scheme it uses. Not the protocol version. */
  version: string;
}

/* Ping */

/**
 * Probe by either side whether the other is alive; to be answered at once with an
 * {@link EmptyResult}, even before initialization is over. If no answer comes in time, the
 * connection may be considered dead.
 */
export interface PingRequest extends Request {
  method: "ping";
}

/* Progress notifications */

/**
 * Report on how far a running request has come, sent by the peer that executes it and only if the
 * request carried a progress token. Ends when the request does; keep the rate moderate.
 */
export interface ProgressNotification extends Notification {
  method: "notifications/progress";
  params: {
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
  };
}

/* Pagination */

/** Base of the list requests, which deliver their items page by page. */
export interface PaginatedRequest extends Request {
  params?: {
    /**
     * Where to go on: `nextCursor` of the previous page. Absent for the first page; one the server
     * does not accept is answered with `-32602`.
     */
    cursor?: Cursor;
  };
}

/** Base of the list results. The server decides on the page size, which may vary. */
export interface PaginatedResult extends Result {
  /** Set when there are more items; send it as `cursor` to get them. Absent on the last page. */
  nextCursor?: Cursor;
}

/* Resources */

/** Requests the resources that the server can enumerate. */
export interface ListResourcesRequest extends PaginatedRequest {
  method: "resources/list";
}

/** One page of resources, in answer to `resources/list`. */
export interface ListResourcesResult extends PaginatedResult {
  /** The resources of this page. An empty array is fine. */
  resources: Resource[];
}

/** Requests the server's parameterised families of resources. */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

/** One page of resource templates, in answer to `resources/templates/list`. */
export interface ListResourceTemplatesResult extends PaginatedResult {
  /** The templates of this page. An empty array is fine. */
  resourceTemplates: ResourceTemplate[];
}

/** Requests the contents of one resource. */
export interface ReadResourceRequest extends Request {
  method: "resources/read";
  params: {
    /**
     * Resource to read: one that was listed, an expanded template, or anything else the server
     * knows how to resolve.
     *
     * @format uri
     */
    uri: string;
  };
}

/**
 * Contents of a resource, in answer to `resources/read`. A resource that does not exist is an error
 * (`-32002`), not an empty result.
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
 */
export interface ResourceListChangedNotification extends Notification {
  method: "notifications/resources/list_changed";
}

/**
 * Requests notifications of changes of one resource. Needs the server capability
 * `resources.subscribe`; acknowledged with an {@link EmptyResult}.
 */
export interface SubscribeRequest extends Request {
  method: "resources/subscribe";
  params: {
    /**
     * Resource to watch, any scheme. How it is resolved is up to the server.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Ends an earlier subscription to a resource. Acknowledged with an {@link EmptyResult}. */
export interface UnsubscribeRequest extends Request {
  method: "resources/unsubscribe";
  params: {
    /**
     * The URI that was subscribed to.
     *
     * @format uri
     */
    uri: string;
  };
}

/**
 * Sent by the server when a resource the client subscribed to has changed. It does not contain the
 * new contents; the client reads them again if it cares.
 */
export interface ResourceUpdatedNotification extends Notification {
  method: "notifications/resources/updated";
  params: {
    /**
     * What has changed. May be a part of the resource that was subscribed to, hence a different
     * URI.
     *
     * @format uri
     */
    uri: string;
  };
}

/** Something the server can be read from, identified by a URI. */
export interface Resource {
  /**
   * Identifier, and the argument for `resources/read`. With an `https:` URI the client can fetch
   * the resource from the web itself; everything else uses another scheme.
   *
   * @format uri
   */
  uri: string;

  /** Name for people, e.g. in a picker. */
  name: string;

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
}

/** A family of resources whose URIs follow a pattern with variables. */
export interface ResourceTemplate {
  /**
   * The pattern, an RFC 6570 URI template. The client fills in the variables, possibly with the
   * help of `completion/complete`, and reads the resulting URI.
   *
   * @format uri-template
   */
  uriTemplate: string;

  /** Name for people of the family as a whole. */
  name: string;

  /** What resources of this family contain, written with the model in mind. */
  description?: string;

  /** MIME type of the contents. Set only if it is the same for the entire family. */
  mimeType?: string;

  /** Hints that apply to the resources of this family. */
  annotations?: Annotations;
}

/** What text and binary contents of a resource have in common. */
export interface ResourceContents {
  /**
   * URI of these contents; in a result with several entries not necessarily the requested one.
   *
   * @format uri
   */
  uri: string;

  /** MIME type of these contents, if known. */
  mimeType?: string;
}

/** Contents that are text. Distinguished from binary ones by the presence of `text`. */
export interface TextResourceContents extends ResourceContents {
  /** The text as such, not encoded in any way. */
  text: string;
}

/** Contents that are not text. Distinguished from text by the presence of `blob`. */
export interface BlobResourceContents extends ResourceContents {
  /**
   * The bytes, in base64.
   *
   * @format byte
   */
  blob: string;
}

/* Prompts */

/** Requests the prompts and prompt templates that the server offers. */
export interface ListPromptsRequest extends PaginatedRequest {
  method: "prompts/list";
}

/** One page of prompts, in answer to `prompts/list`. */
export interface ListPromptsResult extends PaginatedResult {
  /** The prompts of this page. An empty array is fine. */
  prompts: Prompt[];
}

/** Requests the messages of one prompt, rendered by the server. */
export interface GetPromptRequest extends Request {
  method: "prompts/get";
  params: {
    /** Name of the prompt, as listed. An unknown one is answered with `-32602`. */
    name: string;

    /**
     * Values for the arguments of the prompt, by argument name. Strings only; omit what is not
     * required, or everything if the prompt has no arguments.
     */
    arguments?: {
      [key: string]: string;
    };
  };
}

/** A rendered prompt, in answer to `prompts/get`. */
export interface GetPromptResult extends Result {
  /** What the prompt does. */
  description?: string;

  /** The conversation to pass to the model, in order. */
  messages: PromptMessage[];
}

/**
 * Definition of a prompt, typically offered to users as a command. It becomes messages through
 * `prompts/get`.
 */
export interface Prompt {
  /** Identifier of the prompt, and the argument for `prompts/get`. */
  name: string;

  /** What the prompt is good for. */
  description?: string;

  /** The arguments it takes. Absent means none. */
  arguments?: PromptArgument[];
}

/** One argument of a prompt. Its value is always a string. */
export interface PromptArgument {
  /** Key of the argument in `prompts/get`. */
  name: string;

  /** What to fill in. */
  description?: string;

  /** Whether the prompt cannot be rendered without it. Absent means it is optional. */
  required?: boolean;
}

/** Who speaks in a message. There is no system role. */
export type Role = "user" | "assistant";

/** One message of a rendered prompt. */
export interface PromptMessage {
  role: Role;

  /** Exactly one block. In contrast to sampling messages, embedded resources are possible. */
  content: TextContent | ImageContent | AudioContent | EmbeddedResource;
}

/**
 * A resource together with its contents, as part of a prompt or a tool result. How it is shown or
 * passed to the model is for the client to decide.
 */
export interface EmbeddedResource {
  type: "resource";

  /** The contents, text or binary. */
  resource: TextResourceContents | BlobResourceContents;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;
}

/**
 * Sent by a server with `prompts.listChanged` when the set of prompts is no longer the one it
 * listed. No subscription is needed; the client lists again.
 */
export interface PromptListChangedNotification extends Notification {
  method: "notifications/prompts/list_changed";
}

/* Tools */

/** Requests the tools that the server offers. */
export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

/** One page of tools, in answer to `tools/list`. */
export interface ListToolsResult extends PaginatedResult {
  /** The tools of this page. An empty array is fine. */
  tools: Tool[];
}

/**
 * Outcome of a tool, in answer to `tools/call`. A tool that fails says so here, with `isError`, so
 * that the model gets to see it; protocol errors are for calls that never reached a tool, e.g.
 * under an unknown name (`-32602`).
 */
export interface CallToolResult extends Result {
  /** Output for the model, in order. May be empty. */
  content: (TextContent | ImageContent | AudioContent | EmbeddedResource)[];

  /** True if the tool failed; `content` then says why. Absent means false. */
  isError?: boolean;
}

/** Requests a call of a tool. Hosts should let the user see and refuse the call. */
export interface CallToolRequest extends Request {
  method: "tools/call";
  params: {
    /** Name of the tool, as listed. */
    name: string;

    /**
     * Input for the tool, an object that satisfies its `inputSchema`. Absent when there is nothing
     * to pass.
     */
    arguments?: {
      [key: string]: unknown;
    };
  };
}

/**
 * Sent by a server with `tools.listChanged` when the set of tools is no longer the one it listed.
 * No subscription is needed; the client lists again.
 */
export interface ToolListChangedNotification extends Notification {
  method: "notifications/tools/list_changed";
}

/**
 * What a server says about the behaviour of a tool. Nothing enforces it, so unless the server is
 * trusted, do not let it decide what a tool may do.
 */
export interface ToolAnnotations {
  /** Text for user interfaces. Absent: show the name of the tool. */
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

/** Definition of a tool: a function on the server that the model can have called. */
export interface Tool {
  /** Identifier of the tool, unique on the server, and the argument for `tools/call`. */
  name: string;

  /** What the tool does and when to use it, written for the model. */
  description?: string;

  /**
   * JSON Schema for `arguments`. Always describes an object. Keywords beyond those typed here are
   * legal and must be preserved.
   */
  inputSchema: {
    type: "object";

    /** Schemas of the arguments, by argument name. */
    properties?: {
      [key: string]: object;
    };

    /** Names of the required arguments. Absent means none. */
    required?: string[];
  };

  /**
   * Untrusted hints about the behaviour of the tool. What is absent takes the default of the hint.
   */
  annotations?: ToolAnnotations;
}

/* Logging */

/**
 * Sets the threshold for log messages of this session. Needs the server capability `logging`;
 * acknowledged with an {@link EmptyResult}. Until it is sent, the server chooses what to log.
 */
export interface SetLevelRequest extends Request {
  method: "logging/setLevel";
  params: {
    /**
     * Least severe level to send; everything graver comes too. A value that is not a level is
     * answered with `-32602`.
     */
    level: LoggingLevel;
  };
}

/**
 * One log entry of the server, shown or stored by the client. Must not contain credentials or
 * personal data.
 */
export interface LoggingMessageNotification extends Notification {
  method: "notifications/message";
  params: {
    /** How serious the entry is. */
    level: LoggingLevel;

    /** Part of the server the entry comes from. */
    logger?: string;

    /** Body of the entry in any JSON form; a plain string will do. */
    data: unknown;
  };
}

/** Severity of a log entry, from harmless to grave. The names are those of syslog (RFC 5424). */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/* Sampling */

/**
 * Requests that the client's model continue a conversation. The client selects the model, and
 * should have the user approve both request and outcome. Needs the client capability `sampling`.
 */
export interface CreateMessageRequest extends Request {
  method: "sampling/createMessage";
  params: {
    /** The conversation so far, oldest message first. */
    messages: SamplingMessage[];

    /** What sort of model the server would like. Advice only. */
    modelPreferences?: ModelPreferences;

    /** Proposed system prompt. The client may change it or leave it out. */
    systemPrompt?: string;

    /**
     * Whose MCP context the client should add: that of the asking server, that of all connected
     * servers, or none, which is the default. The client may do otherwise.
     */
    includeContext?: "none" | "thisServer" | "allServers";

    /**
     * Sampling temperature, on the scale of the model in use. Absent: the choice of the client.
     *
     * @TJS-type number
     */
    temperature?: number;

    /**
     * Upper bound for the number of generated tokens. The client may stop earlier but not later.
     */
    maxTokens: number;

    /** Strings at which generation should end. */
    stopSequences?: string[];

    /** Settings to pass on to the LLM provider. Their form depends on the provider. */
    metadata?: object;
  };
}

/**
 * The generated message, in answer to `sampling/createMessage`. The user may have edited it before
 * it was sent.
 */
export interface CreateMessageResult extends Result, SamplingMessage {
  /** Name of the model that was used. */
  model: string;

  /** Why generation ended, if known. Open to provider-specific values besides the ones listed. */
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | string;
}

/** One message of a conversation with a model. */
export interface SamplingMessage {
  role: Role;

  /** Exactly one block. Resources are not possible here. */
  content: TextContent | ImageContent | AudioContent;
}

/** Hints for the client on what to do with a resource or a content block. */
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
}

/** A block of text. */
export interface TextContent {
  type: "text";

  /** The text, for people or models. */
  text: string;

  /** Hints about audience and weight of this block. */
  annotations?: Annotations;
}

/** A picture, contained in the message. */
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
}

/** A sound recording, contained in the message. */
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
}

/**
 * Wishes of a server with regard to the model, since it cannot know which ones the client has.
 * Priorities are relative weights from 0 (irrelevant) to 1 (decisive). The client is free to ignore
 * all of it.
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

/** One model suggestion. Members not defined here are for the client to interpret. */
export interface ModelHint {
  /**
   * Full or partial model name, compared as a substring (`mini` matches every model with these
   * letters in its name). A client without a match may substitute a comparable model.
   */
  name?: string;
}

/* Autocomplete */

/**
 * Requests suggestions while the user types an argument of a prompt or a variable of a
 * resource template. Needs the server capability `completions`.
 */
export interface CompleteRequest extends Request {
  method: "completion/complete";
  params: {
    /** The prompt or template that the argument belongs to. */
    ref: PromptReference | ResourceReference;

    /** The argument being typed. */
    argument: {
      /** Name of the argument, or of the template variable. */
      name: string;

      /** What has been typed so far. May be empty. */
      value: string;
    };
  };
}

/** Suggestions, in answer to `completion/complete`. */
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

/** Names a resource or a resource template as the target of a completion. */
export interface ResourceReference {
  type: "ref/resource";

  /**
   * URI or URI template, as listed by the server.
   *
   * @format uri-template
   */
  uri: string;
}

/** Names a prompt as the target of a completion. */
export interface PromptReference {
  type: "ref/prompt";

  /** Name of the prompt, as listed. */
  name: string;
}

/* Roots */

/**
 * Requests the directories or files in which the server is expected to work. Needs the client
 * capability `roots`.
 */
export interface ListRootsRequest extends Request {
  method: "roots/list";
}

/**
 * The roots, in answer to `roots/list`. They are guidance for the server, not a security boundary.
 */
export interface ListRootsResult extends Result {
  /** All roots; the list has no pages. May be empty. */
  roots: Root[];
}

/** A directory or file the client opens up to the server. */
export interface Root {
  /**
   * Location of the root. Has to begin with `file://`.
   *
   * @format uri
   */
  uri: string;

  /** Name for people. Absent: show the URI. */
  name?: string;
}

/**
 * Sent by a client with `roots.listChanged` when its roots are no longer the ones it listed. The
 * server should request them again.
 */
export interface RootsListChangedNotification extends Notification {
  method: "notifications/roots/list_changed";
}

/* Client messages */

/** All requests a client can send. */
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
  | ListToolsRequest;

/** All notifications a client can send. */
export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification;

/**
 * All results a client can send, in answer to {@link ServerRequest}. As one arm is the open
 * {@link Result}, pick the result type by the method of the pending request rather than by this
 * union.
 */
export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult;

/* Server messages */

/** All requests a server can send. */
export type ServerRequest = PingRequest | CreateMessageRequest | ListRootsRequest;

/** All notifications a server can send. */
export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification;

/**
 * All results a server can send, in answer to {@link ClientRequest}. As one arm is the open
 * {@link Result}, pick the result type by the method of the pending request rather than by this
 * union.
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
  | ListToolsResult;
