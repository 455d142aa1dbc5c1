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

/** State of a running request. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Function that is called with each progress notification for a request. */
export type ProgressCallback = (progress: Progress) => void;

/** Task settings of a request that should run as a task. */
export interface TaskCreationParams {
  /** Milliseconds for which the task should be kept. */
  ttl?: number;
  /** Polling interval for the state of the task, in milliseconds. */
  pollInterval?: number;
  [name: string]: unknown;
}

/** Type without some of its members. Unlike with `Omit`, index signatures are kept. */
export type Without<Type, Name extends PropertyKey> = {
  [Member in keyof Type as Member extends Name ? never : Member]: Type[Member];
};

/** Options of a client or server. */
export type ProtocolOptions = {
  /** Revisions that this side supports, the most preferred first. */
  supportedProtocolVersions?: string[] | undefined;
  /**
   * True to report a capability that the peer lacks as an error of this side. Otherwise the request
   * fails as if the peer had refused it, or the list is empty. Default: false.
   */
  enforceStrictCapabilities?: boolean | undefined;
  /**
   * Methods of notifications that are sent once for all calls in the same turn, if they have no parameters. Changes of
   * a server's lists are always sent once. Default: none.
   */
  debouncedNotificationMethods?: string[] | undefined;
};

/** Options of one request. */
export type RequestOptions = {
  onprogress?: ProgressCallback | undefined;
  signal?: AbortSignal | undefined;
  /** Timeout in milliseconds. Default: {@link DEFAULT_REQUEST_TIMEOUT_MSEC}. */
  timeout?: number | undefined;
  /** True if progress restarts the timeout. Default: false. */
  resetTimeoutOnProgress?: boolean | undefined;
  /** Maximum time in milliseconds, which progress does not extend. */
  maxTotalTimeout?: number | undefined;
  /** True if the caller handles an `input_required` result itself. */
  allowInputRequired?: boolean | undefined;
  /** Settings of the task as which the request runs (version 1). */
  task?: TaskCreationParams | undefined;
  /** Task to which the request belongs (version 1). */
  relatedTask?: RelatedTaskMetadata | undefined;
} & TransportSendOptions;

/** {@link RequestOptions} of requests inside handlers, in version 1. */
export type TaskRequestOptions = Omit<RequestOptions, "relatedTask">;

/** Options of one notification. */
export type NotificationOptions = {
  relatedRequestId?: RequestId | undefined;
  relatedTask?: RelatedTaskMetadata | undefined;
};

/** Schemas of a custom request, and of its result. */
export interface RequestHandlerSchemas<
  Params extends StandardSchemaV1 = StandardSchemaV1,
  Outcome extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  params: Params;
  result?: Outcome;
}

/** Function that returns the state that a handler stored in an earlier round. */
export type RequestStateAccessor = <State = unknown>() => State | undefined;

/** Kinds of conversation: `legacy` begins with a handshake, `modern` is stateless. */
export type ProtocolEra = "legacy" | "modern";

type TaskMethod =
  "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel" | "notifications/tasks/status";

/** Requests by method, except those of tasks. */
export type RequestTypeMap = Omit<RequestsByMethod, TaskMethod>;
/** Notifications by method, except those of tasks. */
export type NotificationTypeMap = Omit<NotificationsByMethod, TaskMethod>;
/** Results by method of the request, except those of tasks. */
export type ResultTypeMap = Omit<ResultsByMethod, TaskMethod>;
/** Methods of requests, except those of tasks. */
export type RequestMethod = keyof RequestTypeMap;
/** Methods of notifications, except those of tasks. */
export type NotificationMethod = keyof NotificationTypeMap;
/** Results that handlers may return, by method. */
export type HandlerResultTypeMap = {
  [Method in keyof ResultTypeMap]: Method extends OfferedFamily["use"]
    ? ResultTypeMap[Method] | InputRequiredResult
    : ResultTypeMap[Method];
};

/** Result that contains requests for the client, instead of the final result. */
export interface InputRequiredResult extends CommonInputRequiredResult {
  resultType: "input_required";
}

/** Result of sampling whose content may contain tool use. */
export type CreateMessageResultWithTools = Without<CreateMessageResult, "content"> & {
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
};
/** Parameters of sampling without tools. */
export type CreateMessageRequestParamsBase = Without<
  CreateMessageRequestParams,
  "tools" | "toolChoice"
>;
/** Parameters of sampling with tools. */
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[];
}
/** Content of one sampling message without tools. */
export type SamplingContent = Extract<
  SamplingMessageContentBlock,
  { type: "text" | "image" | "audio" }
>;
/** Result of a tool, in the current form or in the older one with `toolResult`. */
export type CompatibilityCallToolResult = CallToolResult | (Result & { toolResult: unknown });

/** Request for completions of an argument of a prompt. */
export type CompleteRequestPrompt = CompleteRequest & {
  params: CompleteRequestParams & { ref: PromptReference };
};
/** Request for completions of a variable of a resource template. */
export type CompleteRequestResourceTemplate = CompleteRequest & {
  params: CompleteRequestParams & { ref: ResourceTemplateReference };
};

/** Function that is called when a list has changed, with the items if they were fetched. */
export type ListChangedCallback<Item> = (error: Error | null, items: Item[] | null) => void;
/** Options for handling change notifications of one list. */
export type ListChangedOptions<Item> = {
  /** False if the list is not fetched after a change. Default: true. */
  autoRefresh?: boolean;
  /** Milliseconds to wait for further notifications before the callback is called. Default: 300. */
  debounceMs?: number;
  onChanged: ListChangedCallback<Item>;
};
/** Options for handling list change notifications. */
export type ListChangedHandlers = {
  [List in ListName]?: ListChangedOptions<ListedItem<List>>;
};

/** Context of handlers in version 1. */
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

/** Context of handlers on either side, in version 2. */
export type BaseContext = {
  sessionId?: string | undefined;
  mcpReq: {
    id: RequestId;
    method: string;
    _meta?: RequestMeta | undefined;
    /** Entries of `_meta` that the protocol defines. */
    envelope?: Partial<RequestMetaEnvelope> | undefined;
    /** Responses from the client to an earlier `input_required` result. */
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
/** Context of a client's handlers, in version 2. */
export type ClientContext = BaseContext;
