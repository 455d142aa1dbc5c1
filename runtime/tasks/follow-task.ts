import { InvalidMessageError, RequestCancelledError } from "../wire/index.js";
import type { RequestOptions } from "../api/index.js";
import { LONGEST_DELAY, quiet } from "../ground/index.js";
import { type CreatedTask, isTerminal, type Task } from "./task.js";

/** The way to who works on a task: a connected client or server, a handler's context, or its session. */
export interface TaskPeer {
  request(method: never, ...rest: never): Promise<unknown>;
}

/** Sends a request whose types the caller knows better than the compiler. */
export function requestOf(
  peer: TaskPeer,
  method: string,
  params: object,
  options?: RequestOptions,
): Promise<unknown> {
  const { request } = peer as { request(...rest: unknown[]): Promise<unknown> };
  return request.call(peer, method, params, options);
}

export interface FollowTaskOptions<Result> {
  /** Checks the result, which can be of any type before: the validator of the request's result, `v.CallToolResult`. */
  readonly accepts?: ((value: unknown) => value is Result) | undefined;
  /** Aborting it cancels the task; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the task as it is first, and whenever its status has changed. */
  readonly onstatus?: ((task: Task) => void) | undefined;
  /** Milliseconds to wait between two looks where the peer does not say. Default: 1000. */
  readonly pollInterval?: number | undefined;
}

/** Milliseconds between two looks, whatever the peer says. */
const SHORTEST_INTERVAL = 10;

/** Fetching a result takes as long as the task. */
const NO_TIMEOUT: RequestOptions = { timeout: Infinity, maxTotalTimeout: Infinity };

/**
 * Waits for what a task comes to: looks after it at the pace that the peer wants, and fetches the result when it is
 * there or the peer has questions, which arrive meanwhile (MCP: tasks).
 *
 * @throws RpcError with which the request has failed
 * @throws RequestCancelledError when the task was cancelled, by whomever
 * @throws InvalidMessageError for a result that `accepts` refuses
 */
export async function followTask<Result = Record<string, unknown>>(
  peer: TaskPeer,
  { task }: CreatedTask,
  options: FollowTaskOptions<Result> = {},
): Promise<Result> {
  const { signal, accepts } = options;
  const { taskId } = task;
  try {
    const latest = await lookAfter(peer, task, options);
    if (latest.status === "cancelled")
      throw new RequestCancelledError(taskId, latest.statusMessage);
    const result = await requestOf(peer, "tasks/result", { taskId }, { ...NO_TIMEOUT, signal });
    return accepted(result, accepts, `The result of the task ${taskId}`);
  } catch (error) {
    if (signal?.aborted) void quiet(requestOf(peer, "tasks/cancel", { taskId }));
    throw error;
  }
}

/** @throws InvalidMessageError for a result that is refused */
export function accepted<Result>(
  result: unknown,
  accepts: ((value: unknown) => value is Result) | undefined,
  what: string,
): Result {
  if (!accepts || accepts(result)) return result as Result;
  throw new InvalidMessageError(`${what} is not of the type that was asked for`);
}

/** Gives the task as soon as it is over, or needs something. */
async function lookAfter<Result>(
  peer: TaskPeer,
  created: Task,
  { signal, onstatus, pollInterval = 1000 }: FollowTaskOptions<Result>,
): Promise<Task> {
  let task = created;
  onstatus?.(task);
  while (!isTerminal(task) && task.status !== "input_required") {
    const interval = task.pollInterval ?? pollInterval;
    await pause(Math.min(Math.max(interval, SHORTEST_INTERVAL), LONGEST_DELAY), signal);
    const latest = (await requestOf(
      peer,
      "tasks/get",
      { taskId: task.taskId },
      { signal },
    )) as Task;
    if (latest.status !== task.status) onstatus?.(latest);
    task = latest;
  }
  return task;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}
