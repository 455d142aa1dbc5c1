import type {
  Error as Failure,
  InputRequests,
  InputResponses,
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  RequestParams,
  Result,
} from "../../../../schema/2026-07-28/schema.js";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** State of work that goes on after its request was answered. */
export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Time for which the task is kept, in milliseconds; `null` for ever. */
  ttlMs: number | null;
  pollIntervalMs?: number;
}

/** Comes in place of the result of a call. */
export type CreateTaskResult = Result & Task & { resultType: "task" };

export interface PlainTask extends Task {
  status: "working" | "cancelled";
}

export interface AskingTask extends Task {
  status: "input_required";
  inputRequests: InputRequests;
}

export interface CompletedTask extends Task {
  status: "completed";
  result: { [key: string]: unknown };
}

export interface FailedTask extends Task {
  status: "failed";
  error: Failure;
}

export type DetailedTask = PlainTask | AskingTask | CompletedTask | FailedTask;

export interface TaskParams extends RequestParams {
  taskId: string;
}

/** Looks how a task is doing. */
export type GetTaskRequest = JSONRPCRequest & { method: "tasks/get"; params: TaskParams };
export type GetTaskResult = Result & DetailedTask & { resultType: "complete" };

/** Gives a task what it asked for. */
export type UpdateTaskRequest = JSONRPCRequest & {
  method: "tasks/update";
  params: TaskParams & { inputResponses: InputResponses };
};
export type UpdateTaskResult = Result & { resultType: "complete" };

/** Asks a task to end. */
export type CancelTaskRequest = JSONRPCRequest & { method: "tasks/cancel"; params: TaskParams };
export type CancelTaskResult = Result & { resultType: "complete" };

/** A task has changed. */
export type TaskNotification = JSONRPCNotification & {
  method: "notifications/tasks";
  params: NotificationParams & DetailedTask;
};

/** Tasks that a subscription is about. */
export interface TaskSubscriptions {
  taskIds?: string[];
}

/** Metadata of results that have to do with tasks. */
export interface RelatedTasksMeta {
  "io.modelcontextprotocol/relatedTaskIds"?: string[];
}
