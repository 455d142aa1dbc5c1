import type { AuthInfo } from "./oauth.js";
import type { StandardSchemaV1 } from "./schemas.js";
import type { RequestInfo, TransportSendOptions } from "./transport.js";
import type { RequestMeta, RequestMetaEnvelope } from "./constants.js";
import type { ListedItem, ListName, OfferedFamily } from "./families.js";

import type {
  CallToolResult,
  CompleteRequest,
  CompleteRequestParams,
  CreateMessageRequestParams,
  CreateMessageResult,
  InputRequiredResult as CommonInputRequiredResult,
  Notification,
  NotificationsByMethod,
  PromptReference,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestsByMethod,
  ResourceTemplateReference,
  Result,
  ResultsByMethod,
  SamplingMessageContentBlock,
  Tool,
} from "@mcp-codegen/universal/common/types";

export type * from "@mcp-codegen/universal/common/types";

/** The state of a running request. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** A function that is called with each progress notification for a request. */
export type ProgressCallback = (progress: Progress) => void;

/** The task settings of a request that should run as a task. */
export interface TaskCreationParams {
  /** The time for which the task should be kept, in milliseconds. */
  ttl?: number;
  /** The interval for polling the task's state, in milliseconds. */
  pollInterval?: number;
  [name: string]: unknown;
}

/** A type without some of its properties. Unlike `Omit`, it keeps index signatures. */
export type Without<Type, Name extends PropertyKey> = {
  [Member in keyof Type as Member extends Name ? never : Member]: Type[Member];
};

/** The options of a client or server. */
export type ProtocolOptions = {
  /** The revisions that this side supports, most preferred first. */
  supportedProtocolVersions?: string[] | undefined;
  /**
   * True to fail with a local error if the peer lacks a capability. Otherwise, the request fails as if the peer had
   * refused it, or the list is empty. Default: false.
   */
  enforceStrictCapabilities?: boolean | undefined;
  /**
   * Methods whose notifications are sent once for all calls in the same turn, if they have no parameters. Changes to a
   * server's lists are always sent once. Default: none.
   */
  debouncedNotificationMethods?: string[] | undefined;
};

/** The options of one request. */
export type RequestOptions = {
  onprogress?: ProgressCallback | undefined;
  signal?: AbortSignal | undefined;
  /** The timeout in milliseconds. Default: {@link DEFAULT_REQUEST_TIMEOUT_MSEC}. */
  timeout?: number | undefined;
  /** True if progress restarts the timeout. Default: false. */
  resetTimeoutOnProgress?: boolean | undefined;
  /** The maximum total time in milliseconds, which progress does not extend. */
  maxTotalTimeout?: number | undefined;
  /** True if the caller handles an `input_required` result itself. */
  allowInputRequired?: boolean | undefined;
  /** Settings for running the request as a task (version 1). */
  task?: TaskCreationParams | undefined;
  /** The task to which the request belongs (version 1). */
  relatedTask?: RelatedTaskMetadata | undefined;
} & TransportSendOptions;

/** The {@link RequestOptions} for requests sent inside handlers, in version 1. */
export type TaskRequestOptions = Omit<RequestOptions, "relatedTask">;

/** The options of one notification. */
export type NotificationOptions = {
  relatedRequestId?: RequestId | undefined;
  relatedTask?: RelatedTaskMetadata | undefined;
};

/** The schemas of a custom request and its result. */
export interface RequestHandlerSchemas<
  Params extends StandardSchemaV1 = StandardSchemaV1,
  Outcome extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  params: Params;
  result?: Outcome;
}

/** A function that returns the state that a handler stored in an earlier round. */
export type RequestStateAccessor = <State = unknown>() => State | undefined;

/** The kind of conversation: `legacy` begins with a handshake, `modern` is stateless. */
export type ProtocolEra = "legacy" | "modern";

type TaskMethod =
  "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel" | "notifications/tasks/status";

/** Requests by method, except for task requests. */
export type RequestTypeMap = Omit<RequestsByMethod, TaskMethod>;
/** Notifications by method, except for task notifications. */
export type NotificationTypeMap = Omit<NotificationsByMethod, TaskMethod>;
/** Results by request method, except for the results of task requests. */
export type ResultTypeMap = Omit<ResultsByMethod, TaskMethod>;
/** The methods of requests, except for task requests. */
export type RequestMethod = keyof RequestTypeMap;
/** The methods of notifications, except for task notifications. */
export type NotificationMethod = keyof NotificationTypeMap;
/** The results that handlers may return, by method. */
export type HandlerResultTypeMap = {
  [Method in keyof ResultTypeMap]: Method extends OfferedFamily["use"]
    ? ResultTypeMap[Method] | InputRequiredResult
    : ResultTypeMap[Method];
};

/** A result that contains requests for the client instead of the final result. */
export interface InputRequiredResult extends CommonInputRequiredResult {
  resultType: "input_required";
}

/** A sampling result whose content may contain tool use. */
export type CreateMessageResultWithTools = Without<CreateMessageResult, "content"> & {
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
};
/** The parameters of sampling without tools. */
export type CreateMessageRequestParamsBase = Without<
  CreateMessageRequestParams,
  "tools" | "toolChoice"
>;
/** The parameters of sampling with tools. */
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[];
}
/** The content of one sampling message without tools. */
export type SamplingContent = Extract<
  SamplingMessageContentBlock,
  { type: "text" | "image" | "audio" }
>;
/** A tool's result, in the current form or in the older one with `toolResult`. */
export type CompatibilityCallToolResult = CallToolResult | (Result & { toolResult: unknown });

/** A completion request for a prompt argument. */
export type CompleteRequestPrompt = CompleteRequest & {
  params: CompleteRequestParams & { ref: PromptReference };
};
/** A completion request for a resource template variable. */
export type CompleteRequestResourceTemplate = CompleteRequest & {
  params: CompleteRequestParams & { ref: ResourceTemplateReference };
};

/** A function that is called when a list has changed. It receives the items if they were fetched. */
export type ListChangedCallback<Item> = (error: Error | null, items: Item[] | null) => void;
/** The options for handling one list's change notifications. */
export type ListChangedOptions<Item> = {
  /** False if the list should not be fetched after a change. Default: true. */
  autoRefresh?: boolean;
  /** The time to wait for further notifications before calling the callback, in milliseconds. Default: 300. */
  debounceMs?: number;
  onChanged: ListChangedCallback<Item>;
};
/** The options for handling list-change notifications. */
export type ListChangedHandlers = {
  [List in ListName]?: ListChangedOptions<ListedItem<List>>;
};

/** The context passed to handlers in version 1. */
export type RequestHandlerExtra<
  SentRequest extends Request = Request,
  SentNotification extends Notification = Notification,
> = {
  signal: AbortSignal;
  authInfo?: AuthInfo | undefined;
  sessionId?: string | undefined;
  _meta?: RequestMeta | undefined;
  requestId: RequestId;
  requestInfo?: RequestInfo | undefined;
  sendNotification: (notification: SentNotification) => Promise<void>;
  sendRequest: <Schema extends StandardSchemaV1>(
    request: SentRequest,
    resultSchema: Schema,
    options?: TaskRequestOptions,
  ) => Promise<StandardSchemaV1.InferOutput<Schema>>;
  closeSSEStream?: (() => void) | undefined;
  closeStandaloneSSEStream?: (() => void) | undefined;
};

/** The context passed to handlers on either side, in version 2. */
export type BaseContext = {
  sessionId?: string | undefined;
  mcpReq: {
    id: RequestId;
    method: string;
    _meta?: RequestMeta | undefined;
    /** The `_meta` members that the protocol defines. */
    envelope?: Partial<RequestMetaEnvelope> | undefined;
    /** The client's responses to an earlier `input_required` result. */
    inputResponses?: Record<string, unknown> | undefined;
    droppedInputResponseKeys?: string[] | undefined;
    requestState: RequestStateAccessor;
    signal: AbortSignal;
    send: {
      <Method extends RequestMethod>(
        request: { method: Method; params?: object | undefined },
        options?: RequestOptions,
      ): Promise<ResultTypeMap[Method]>;
      <Schema extends StandardSchemaV1>(
        request: Request,
        resultSchema: Schema,
        options?: RequestOptions,
      ): Promise<StandardSchemaV1.InferOutput<Schema>>;
    };
    notify: (notification: Notification) => Promise<void>;
  };
  http?: { authInfo?: AuthInfo | undefined } | undefined;
};
/** The context passed to a client's handlers, in version 2. */
export type ClientContext = BaseContext;
