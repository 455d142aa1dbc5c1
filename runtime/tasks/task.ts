import { toBase64Url } from "../ground/index.js";
import { INTERNAL_ERROR, INVALID_PARAMS, RequestCancelledError, RpcError } from "../wire/index.js";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The state of a request that runs as a task, as both sides describe it (MCP: tasks). */
export interface Task {
  /** The id created by the side that runs the task; hard to guess. */
  readonly taskId: string;
  readonly status: TaskStatus;
  /** A human-readable text, such as the reason for a failure. */
  readonly statusMessage?: string;
  /** The time of creation, in ISO 8601 format. */
  readonly createdAt: string;
  /** The time of the last change, in ISO 8601 format. */
  readonly lastUpdatedAt: string;
  /** The time for which the task is kept after its creation, in milliseconds, or null if it is kept forever. */
  readonly ttl: number | null;
  /** The time to wait between polls, in milliseconds. */
  readonly pollInterval?: number;
}

/** The response to a request that became a task. */
export interface CreatedTask {
  readonly task: Task;
}

/** True if a task has ended. Its status then never changes again. */
export function isTerminal({ status }: Pick<Task, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

const HOUR = 3_600_000;
/** The minimum lifetime in milliseconds. It ensures that any task's result can be fetched. */
const SHORTEST_TTL = 1000;

/** Times that apply to tasks, in milliseconds. */
export interface TaskTimes {
  /** The lifetime of a task whose request or tool does not state one. Default: one hour. */
  readonly defaultTtl?: number | undefined;
  /** The maximum lifetime of a task, after which it is stopped. Default: one day. */
  readonly maxTtl?: number | undefined;
  /** The interval at which the peer should poll a task. Default: 1000. */
  readonly pollInterval?: number | undefined;
}

/**
 * Creates a task that starts working now.
 *
 * @param wished - the lifetime that the peer or the tool requests, in milliseconds
 */
export function newTask(wished: number | undefined, times: TaskTimes): Task {
  const { defaultTtl = HOUR, maxTtl = 24 * HOUR, pollInterval = 1000 } = times;
  const now = new Date().toISOString();
  const ttl = Math.min(Math.max(wished ?? defaultTtl, SHORTEST_TTL), maxTtl);
  return {
    // 192 random bits, because without authorization any caller that knows the id can access the task.
    taskId: toBase64Url(crypto.getRandomValues(new Uint8Array(24))),
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttl: ttl === Infinity ? null : Math.round(ttl),
    pollInterval,
  };
}

/** Returns the error with which a cancelled task rejects, whichever side cancelled it. */
export function cancelledTask({
  taskId,
  statusMessage,
}: Pick<Task, "taskId" | "statusMessage">): RequestCancelledError {
  return new RequestCancelledError(taskId, statusMessage, "The task was cancelled");
}

export function invalidTask(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: /taskId: the task ${problem}`);
}

export function busy(problem: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${problem}, try again later`);
}

/**
 * True if a task differs from an earlier state of it. The time alone does not show this, because two changes can occur
 * within one millisecond.
 */
export function hasChanged(task: TaskState, earlier: TaskState): boolean {
  return (
    task.status !== earlier.status ||
    task.statusMessage !== earlier.statusMessage ||
    task.lastUpdatedAt !== earlier.lastUpdatedAt
  );
}

type TaskState = Pick<Task, "status" | "statusMessage" | "lastUpdatedAt">;
