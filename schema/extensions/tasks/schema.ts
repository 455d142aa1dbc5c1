/* Types of the tasks extension, restated: same types on the wire, with comments of its own. */

import type {
  Error as JSONRPCErrorObject,
  InputRequests,
  InputResponses,
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  Result,
} from "../../2026-07-28/schema.js";

/* Tasks */

/**
 * State of a task. A working task can request input and continue; the last three states are final.
 *
 * - `working`: nothing is needed from the client.
 * - `input_required`: the task waits for answers to its questions.
 * - `completed`: the result is there, also one that reports a failure of a tool.
 * - `failed`: the request ended with a JSON-RPC error.
 * - `cancelled`: the task ended because the client cancelled it.
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A request that goes on after it was answered. */
export interface Task {
  /** Id that names the task in requests. */
  taskId: string;

  /** Present state. */
  status: TaskStatus;

  /** Line for people about the present state. */
  statusMessage?: string;

  /** Start of the task, ISO 8601. */
  createdAt: string;

  /** Last change of the task, ISO 8601. */
  lastUpdatedAt: string;

  /**
   * Milliseconds from the start during which the task can be requested; `null`: for ever. The server can change the value
   * while the task goes on.
   *
   * @format int
   * @nullable
   */
  ttlMs: number | null;

  /**
   * Milliseconds to wait between two looks at the task. The server can change the value while the task goes on.
   *
   * @format int
   */
  pollIntervalMs?: number;
}

/* Tasks with their details */

/** A task at work. */
export interface WorkingTask extends Task {
  status: "working";
}

/** A task that waits for answers of the client. */
export interface InputRequiredTask extends Task {
  status: "input_required";

  /** Questions without an answer, each under a key that the task never uses again. */
  inputRequests: InputRequests;
}

/** A task with a result. */
export interface CompletedTask extends Task {
  status: "completed";

  /** Result of the request that became the task, in the form that the request's method has. */
  result: { [key: string]: unknown };
}

/** A task whose request ended with an error. */
export interface FailedTask extends Task {
  status: "failed";

  /** Error that ended the request. */
  error: JSONRPCErrorObject;
}

/** A task that was cancelled. */
export interface CancelledTask extends Task {
  status: "cancelled";
}

/** A task with what its state adds: questions, a result or an error. */
export type DetailedTask =
  WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/* Start */

/** Stands in the place of a result: the request goes on as a task. */
export type CreateTaskResult = Result &
  Task & {
    /** Mark of a task, so that no client takes it for the result. */
    resultType: "task";
  };

/* Requests */

/** Requests the state of a task. */
export type GetTaskRequest = JSONRPCRequest & {
  method: "tasks/get";
  params: {
    /** Id of the task. */
    taskId: string;
  };
};

/** Answer to `tasks/get`: the task with what its state adds. */
export type GetTaskResult = Result &
  DetailedTask & {
    /** Mark of an ordinary result. */
    resultType: "complete";
  };

/** Answers questions of a task. */
export type UpdateTaskRequest = JSONRPCRequest & {
  method: "tasks/update";
  params: {
    /** Id of the task. */
    taskId: string;

    /** Answers, each under the key of its question. */
    inputResponses: InputResponses;
  };
};

/** Answer to `tasks/update`: the server has the answers, which may take effect later. */
export type UpdateTaskResult = Result & {
  /** Mark of an ordinary result. */
  resultType: "complete";
};

/** Requests that a task end. */
export type CancelTaskRequest = JSONRPCRequest & {
  method: "tasks/cancel";
  params: {
    /** Id of the task. */
    taskId: string;
  };
};

/** Answer to `tasks/cancel`: the server knows the wish; the task can still end otherwise. */
export type CancelTaskResult = Result & {
  /** Mark of an ordinary result. */
  resultType: "complete";
};

/* Notifications */

/** Parameters of `notifications/tasks`: the task with what its state adds. */
export type TaskStatusNotificationParams = NotificationParams &
  DetailedTask & { [key: string]: unknown };

/** Notifies a client that listens for the task that it has changed. */
export type TaskStatusNotification = JSONRPCNotification & {
  method: "notifications/tasks";
  params: TaskStatusNotificationParams;
};

/* Subscriptions */

/** Members that join the filter of `subscriptions/listen`. */
export interface TaskSubscriptionNotifications {
  /** Tasks whose changes the client follows. */
  taskIds?: string[];
}

/** Members that join the acknowledgement of a subscription. */
export interface TaskSubscriptionAcknowledgedNotifications {
  /** Tasks whose changes the server will report. */
  taskIds?: string[];
}

/* Settings */

/** Settings that both sides declare: none. */
export type TasksExtensionCapability = Record<string, never>;
