export {
  type BaseQueuedMessage,
  type CreateTaskOptions,
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
  type QueuedError,
  type QueuedMessage,
  type QueuedNotification,
  type QueuedRequest,
  type QueuedResponse,
  type TaskMessageQueue,
  type TaskStore,
} from "./task-stores.js";
export {
  type CreateTaskRequestHandler,
  type CreateTaskRequestHandlerExtra,
  ExperimentalMcpServerTasks,
  type RequestTaskStore,
  type TaskRequestHandler,
  type TaskRequestHandlerExtra,
  type TaskToolConfig,
  type TaskToolExecution,
  type ToolTaskHandler,
} from "./tool-tasks.js";
export { ExperimentalServerTasks } from "./server-tasks.js";
export {
  type BaseResponseMessage,
  type ErrorMessage,
  isTerminal,
  type ResponseMessage,
  type ResultMessage,
  takeResult,
  type TaskCreatedMessage,
  type TaskStatusMessage,
  toArrayAsync,
} from "../../shared/index.js";
export {
  CancelTaskRequestSchema,
  CancelTaskResultSchema,
  ClientTasksCapabilitySchema,
  CreateTaskResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  GetTaskResultSchema,
  ListTasksRequestSchema,
  ListTasksResultSchema,
  RelatedTaskMetadataSchema,
  ServerTasksCapabilitySchema,
  TaskCreationParamsSchema,
  TaskSchema,
  TaskStatusNotificationParamsSchema,
  TaskStatusNotificationSchema,
} from "../../shared/index.js";
export type { BaseToolCallback } from "../adapted-callbacks.js";
