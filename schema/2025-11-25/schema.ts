// MCP revision 2025-11-25: wire types.
// A restatement of the published schema in our own words; same declarations, same API and wire digests.

/* JSON-RPC types */

/** @category JSON-RPC */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/** @internal */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";

/** @internal */
export const JSONRPC_VERSION = "2.0";

/** @category Common Types */
export type ProgressToken = string | number;

/** @category Common Types */
export type Cursor = string;

/**
 * Base of the parameters of requests that may be executed as a task: tool calls, sampling and
 * elicitation. The other side has to list the request type under `capabilities.tasks.requests`.
 *
 * @internal
 */
export interface TaskAugmentedRequestParams extends RequestParams {
  /**
   * Set by the requestor to ask for deferred execution; the answer is then a
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
     * When set, asks the receiver for `notifications/progress` messages tagged with this value. The
     * sender chooses it and must not use one token for two requests that are active together;
     * without a token no progress may be reported.
     */
    progressToken?: ProgressToken;

    [key: string]: unknown;
  };
}

/** @internal */
export interface Request {
  method: string;
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

/** @internal */
export interface Notification {
  method: string;
  params?: {
    [key: string]: any;
  };
}

/** @category Common Types */
export interface Result {
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

/** @category Common Types */
export type RequestId = string | number;

/** @category JSON-RPC */
export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

/** @category JSON-RPC */
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

/** @category JSON-RPC */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export const PARSE_ERROR = -32700;

export const INVALID_REQUEST = -32600;

export const METHOD_NOT_FOUND = -32601;

export const INVALID_PARAMS = -32602;

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

/** @category Common Types */
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
  requestId?: RequestId;
  reason?: string;
}

/** @category notifications/cancelled */
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
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

/** @category initialize */
export interface InitializeRequest extends JSONRPCRequest {
  method: "initialize";
  params: InitializeRequestParams;
}

/** @category initialize */
export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  instructions?: string;
}

/** @category notifications/initialized */
export interface InitializedNotification extends JSONRPCNotification {
  method: "notifications/initialized";
  params?: NotificationParams;
}

/** @category initialize */
export interface ClientCapabilities {
  experimental?: {
    [key: string]: object;
  };
  roots?: {
    listChanged?: boolean;
  };
  sampling?: {
    context?: object;
    tools?: object;
  };
  elicitation?: {
    form?: object;
    url?: object;
  };
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      sampling?: {
        createMessage?: object;
      };
      elicitation?: {
        create?: object;
      };
    };
  };
}

/** @category initialize */
export interface ServerCapabilities {
  experimental?: {
    [key: string]: object;
  };
  logging?: object;
  completions?: object;
  prompts?: {
    listChanged?: boolean;
  };
  resources?: {
    subscribe?: boolean;
    listChanged?: boolean;
  };
  tools?: {
    listChanged?: boolean;
  };
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      tools?: {
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
   * scalable formats. If absent, assume that it fits everywhere.
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

/** @internal */
export interface BaseMetadata {
  name: string;
  title?: string;
}

/** @category initialize */
export interface Implementation extends BaseMetadata, Icons {
  version: string;
  description?: string;

  /** @format uri */
  websiteUrl?: string;
}

/* Ping */

/** @category ping */
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
  progressToken: ProgressToken;

  /** @TJS-type number */
  progress: number;

  /** @TJS-type number */
  total?: number;

  message?: string;
}

/** @category notifications/progress */
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
  cursor?: Cursor;
}

/** @internal */
export interface PaginatedRequest extends JSONRPCRequest {
  params?: PaginatedRequestParams;
}

/** @internal */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/* Resources */

/** @category resources/list */
export interface ListResourcesRequest extends PaginatedRequest {
  method: "resources/list";
}

/** @category resources/list */
export interface ListResourcesResult extends PaginatedResult {
  resources: Resource[];
}

/** @category resources/templates/list */
export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

/** @category resources/templates/list */
export interface ListResourceTemplatesResult extends PaginatedResult {
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

/** @category resources/read */
export interface ReadResourceRequest extends JSONRPCRequest {
  method: "resources/read";
  params: ReadResourceRequestParams;
}

/** @category resources/read */
export interface ReadResourceResult extends Result {
  contents: (TextResourceContents | BlobResourceContents)[];
}

/** @category notifications/resources/list_changed */
export interface ResourceListChangedNotification extends JSONRPCNotification {
  method: "notifications/resources/list_changed";
  params?: NotificationParams;
}

/**
 * Parameters of `resources/subscribe`: the resource whose changes the client wants to hear about.
 *
 * @category resources/subscribe
 */
export interface SubscribeRequestParams extends ResourceRequestParams {}

/** @category resources/subscribe */
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

/** @category resources/unsubscribe */
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
  /** @format uri */
  uri: string;
}

/** @category notifications/resources/updated */
export interface ResourceUpdatedNotification extends JSONRPCNotification {
  method: "notifications/resources/updated";
  params: ResourceUpdatedNotificationParams;
}

/** @category resources/list */
export interface Resource extends BaseMetadata, Icons {
  /** @format uri */
  uri: string;

  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  size?: number;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category resources/templates/list */
export interface ResourceTemplate extends BaseMetadata, Icons {
  /** @format uri-template */
  uriTemplate: string;

  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @internal */
export interface ResourceContents {
  /** @format uri */
  uri: string;

  mimeType?: string;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category Content */
export interface TextResourceContents extends ResourceContents {
  text: string;
}

/** @category Content */
export interface BlobResourceContents extends ResourceContents {
  /** @format byte */
  blob: string;
}

/* Prompts */

/** @category prompts/list */
export interface ListPromptsRequest extends PaginatedRequest {
  method: "prompts/list";
}

/** @category prompts/list */
export interface ListPromptsResult extends PaginatedResult {
  prompts: Prompt[];
}

/**
 * Parameters of `prompts/get`: which prompt to render and with what argument values.
 *
 * @category prompts/get
 */
export interface GetPromptRequestParams extends RequestParams {
  name: string;
  arguments?: {
    [key: string]: string;
  };
}

/** @category prompts/get */
export interface GetPromptRequest extends JSONRPCRequest {
  method: "prompts/get";
  params: GetPromptRequestParams;
}

/** @category prompts/get */
export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

/** @category prompts/list */
export interface Prompt extends BaseMetadata, Icons {
  description?: string;
  arguments?: PromptArgument[];
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category prompts/list */
export interface PromptArgument extends BaseMetadata {
  description?: string;
  required?: boolean;
}

/** @category Common Types */
export type Role = "user" | "assistant";

/** @category prompts/get */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/** @category Content */
export interface ResourceLink extends Resource {
  type: "resource_link";
}

/** @category Content */
export interface EmbeddedResource {
  type: "resource";
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category notifications/prompts/list_changed */
export interface PromptListChangedNotification extends JSONRPCNotification {
  method: "notifications/prompts/list_changed";
  params?: NotificationParams;
}

/* Tools */

/** @category tools/list */
export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

/** @category tools/list */
export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

/** @category tools/call */
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: {
    [key: string]: unknown;
  };
  isError?: boolean;
}

/**
 * Parameters of `tools/call`: which tool to run and with what arguments.
 *
 * @category tools/call
 */
export interface CallToolRequestParams extends TaskAugmentedRequestParams {
  name: string;
  arguments?: {
    [key: string]: unknown;
  };
}

/** @category tools/call */
export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

/** @category notifications/tools/list_changed */
export interface ToolListChangedNotification extends JSONRPCNotification {
  method: "notifications/tools/list_changed";
  params?: NotificationParams;
}

/** @category tools/list */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
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

/** @category tools/list */
export interface Tool extends BaseMetadata, Icons {
  description?: string;
  inputSchema: {
    $schema?: string;
    type: "object";
    properties?: {
      [key: string]: object;
    };
    required?: string[];
  };
  execution?: ToolExecution;
  outputSchema?: {
    $schema?: string;
    type: "object";
    properties?: {
      [key: string]: object;
    };
    required?: string[];
  };
  annotations?: ToolAnnotations;
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

  status: TaskStatus;

  /** Optional explanation of `status` for people, for example why the task failed. */
  statusMessage?: string;

  /** Time of creation, ISO 8601. */
  createdAt: string;

  /** Time of the latest change of the task, ISO 8601. */
  lastUpdatedAt: string;

  /**
   * Milliseconds after `createdAt` for which the receiver keeps the task; afterwards it may drop
   * task and result. `null` stands for no limit. Always present, and not necessarily what was asked
   * for.
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
 * a text to give to the model meanwhile.
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
 * Asks for the current state of a task without waiting. Sent repeatedly by the requestor, at the
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
 * Asks the receiver to stop a task. Replaces `notifications/cancelled`, which does not apply to
 * tasks.
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
 * Asks for the tasks the caller may see, page by page. Available only if the receiver advertised
 * `tasks.list`.
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
 * Tells the requestor that a task has changed. Receivers are free never to send it, so polling
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
  level: LoggingLevel;
}

/** @category logging/setLevel */
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
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/** @category notifications/message */
export interface LoggingMessageNotification extends JSONRPCNotification {
  method: "notifications/message";
  params: LoggingMessageNotificationParams;
}

/** @category Common Types */
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
  messages: SamplingMessage[];
  modelPreferences?: ModelPreferences;
  systemPrompt?: string;
  includeContext?: "none" | "thisServer" | "allServers";

  /** @TJS-type number */
  temperature?: number;

  maxTokens: number;
  stopSequences?: string[];
  metadata?: object;

  /**
   * Tools the model may use during this completion. They live only as long as the request and need
   * not be among those the server lists. Allowed only if the client declared `sampling.tools`.
   */
  tools?: Tool[];

  /**
   * How far the model is free to use the given `tools`; absent means `{"mode": "auto"}`. Same
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

/** @category sampling/createMessage */
export interface CreateMessageRequest extends JSONRPCRequest {
  method: "sampling/createMessage";
  params: CreateMessageRequestParams;
}

/** @category sampling/createMessage */
export interface CreateMessageResult extends Result, SamplingMessage {
  model: string;
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | string;
}

/** @category sampling/createMessage */
export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
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

/** @category Common Types */
export interface Annotations {
  audience?: Role[];

  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;

  lastModified?: string;
}

/** @category Content */
export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** @category Content */
export interface TextContent {
  type: "text";
  text: string;
  annotations?: Annotations;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category Content */
export interface ImageContent {
  type: "image";

  /** @format byte */
  data: string;

  mimeType: string;
  annotations?: Annotations;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category Content */
export interface AudioContent {
  type: "audio";

  /** @format byte */
  data: string;

  mimeType: string;
  annotations?: Annotations;
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

  /** Which of the tools offered in the request the model wants. */
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
 * Outcome of a tool invocation, given to the model as part of a user message. Such a message holds
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

/** @category sampling/createMessage */
export interface ModelPreferences {
  hints?: ModelHint[];

  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;

  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;

  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/** @category sampling/createMessage */
export interface ModelHint {
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
  ref: PromptReference | ResourceTemplateReference;
  argument: {
    name: string;
    value: string;
  };
  context?: {
    arguments?: {
      [key: string]: string;
    };
  };
}

/** @category completion/complete */
export interface CompleteRequest extends JSONRPCRequest {
  method: "completion/complete";
  params: CompleteRequestParams;
}

/** @category completion/complete */
export interface CompleteResult extends Result {
  completion: {
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}

/** @category completion/complete */
export interface ResourceTemplateReference {
  type: "ref/resource";

  /** @format uri-template */
  uri: string;
}

/** @category completion/complete */
export interface PromptReference extends BaseMetadata {
  type: "ref/prompt";
}

/* Roots */

/** @category roots/list */
export interface ListRootsRequest extends JSONRPCRequest {
  method: "roots/list";
  params?: RequestParams;
}

/** @category roots/list */
export interface ListRootsResult extends Result {
  roots: Root[];
}

/** @category roots/list */
export interface Root {
  /** @format uri */
  uri: string;

  name?: string;
  _meta?: {
    [key: string]: unknown;
  };
}

/** @category notifications/roots/list_changed */
export interface RootsListChangedNotification extends JSONRPCNotification {
  method: "notifications/roots/list_changed";
  params?: NotificationParams;
}

/**
 * Asks the client to collect a few simple values from the user by means of a form. Never request
 * passwords, keys, tokens or payment data this way; URL mode exists for those.
 *
 * @category elicitation/create
 */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
  /** Marks the form variant. May be left out, since forms are the default. */
  mode?: "form";

  /** Text that tells the user what is wanted and why. */
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
 * Asks the client to send the user to a web page, for sign-ins, payments and other things that must
 * not pass through the client. An `accept` means that the user agreed to open the page, not that
 * anything there is finished.
 *
 * The client shows the full address, gets consent, and opens it in a browser it cannot look into,
 * without fetching it first. The server must make sure that the visitor is the user who was asked.
 *
 * @category elicitation/create
 */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  /** Marks the URL variant. Mandatory, because an absent mode means a form. */
  mode: "url";

  /** Text that tells the user why the visit is needed. */
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
 * Parameters of `elicitation/create`, told apart by `mode`: without it, or with `"form"`, the
 * client shows a form; with `"url"` it sends the user to a web page. A server may use only modes
 * the client declared; `elicitation: {}` declares forms only.
 *
 * @category elicitation/create
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/** @category elicitation/create */
export interface ElicitRequest extends JSONRPCRequest {
  method: "elicitation/create";
  params: ElicitRequestParams;
}

/** @category elicitation/create */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/** @category elicitation/create */
export interface StringSchema {
  type: "string";
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: "email" | "uri" | "date" | "date-time";
  default?: string;
}

/** @category elicitation/create */
export interface NumberSchema {
  type: "number" | "integer";
  title?: string;
  description?: string;

  /** @TJS-type number */
  minimum?: number;

  /** @TJS-type number */
  maximum?: number;

  /** @TJS-type number */
  default?: number;
}

/** @category elicitation/create */
export interface BooleanSchema {
  type: "boolean";
  title?: string;
  description?: string;
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

  /** Option to preselect, given by its `const` value. Absent: nothing is preselected. */
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

  /** Options to preselect, given by their `const` values. Absent: nothing is preselected. */
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

/** @category elicitation/create */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/** @category elicitation/create */
export interface ElicitResult extends Result {
  action: "accept" | "decline" | "cancel";
  content?: {
    [key: string]: string | number | boolean | string[];
  };
}

/**
 * Tells the client that started a URL elicitation that the procedure behind the URL has ended.
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

/** @internal */
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

/** @internal */
export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

/** @internal */
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

/** @internal */
export type ServerRequest =
  | PingRequest
  | CreateMessageRequest
  | ListRootsRequest
  | ElicitRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/** @internal */
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

/** @internal */
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
