import { toBase64Url } from "../ground/index.js";
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "../wire/index.js";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** State of a request that runs as a task, as both sides describe it (MCP: tasks). */
export interface Task {
  /** Id created by the side that runs the task; hard to guess. */
  readonly taskId: string;
  readonly status: TaskStatus;
  /** Human-readable text, such as the reason for a failure. */
  readonly statusMessage?: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Time for which the task is kept after its creation, in milliseconds; null if it is kept forever. */
  readonly ttl: number | null;
  /** Time to wait between polls, in milliseconds. */
  readonly pollInterval?: number;
}

/** Response to a request that became a task. */
export interface CreatedTask {
  readonly task: Task;
}

/** True if a task has ended. Its status then never changes again. */
export function isTerminal({ status }: Pick<Task, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

const HOUR = 3_600_000;
/** Minimum lifetime in milliseconds, so that the result of any task can be fetched. */
const SHORTEST_TTL = 1000;

/** Times of tasks, in milliseconds. */
export interface TaskTimes {
  /** Lifetime of a task whose request or tool states none. Default: an hour. */
  readonly defaultTtl?: number | undefined;
  /** Maximum lifetime of a task, after which it is stopped. Default: a day. */
  readonly maxTtl?: number | undefined;
  /** Interval at which the peer should poll a task. Default: 1000. */
  readonly pollInterval?: number | undefined;
}

/**
 * Creates a task that begins to work now.
 * @param wished - lifetime in milliseconds that the peer or the tool requests
 */
export function newTask(wished: number | undefined, times: TaskTimes): Task {
  const { defaultTtl = HOUR, maxTtl = 24 * HOUR, pollInterval = 1000 } = times;
  const now = new Date().toISOString();
  const ttl = Math.min(Math.max(wished ?? defaultTtl, SHORTEST_TTL), maxTtl);
  return {
    // 192 random bits: without authorization, any caller that knows the id can access the task.
    taskId: toBase64Url(crypto.getRandomValues(new Uint8Array(24))),
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttl: ttl === Infinity ? null : Math.round(ttl),
    pollInterval,
  };
}

export function invalidTask(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: /taskId: the task ${problem}`);
}

export function busy(problem: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${problem}, try again later`);
}

/**
 * True if a task differs from an earlier state of it. The time alone does not show that, because two changes can
 * happen in one millisecond.
 */
export function hasChanged(task: TaskState, earlier: TaskState): boolean {
  return (
    task.status !== earlier.status ||
    task.statusMessage !== earlier.statusMessage ||
    task.lastUpdatedAt !== earlier.lastUpdatedAt
  );
}

type TaskState = Pick<Task, "status" | "statusMessage" | "lastUpdatedAt">;
