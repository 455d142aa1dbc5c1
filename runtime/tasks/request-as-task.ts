import type { RequestOptions } from "../api/index.js";
import { isObject } from "../wire/index.js";
import { followTask, type FollowTaskOptions, requestOf, type TaskPeer } from "./follow-task.js";
import type { CreatedTask } from "./task.js";

export interface RequestAsTaskOptions<Result> extends FollowTaskOptions<Result> {
  /** Milliseconds for which the peer should keep the task. Default: as it likes. */
  readonly ttl?: number | undefined;
  /** Asks for news, which keep coming while the task is worked on. */
  readonly onprogress?: RequestOptions["onprogress"];
  /** Milliseconds to wait until the task is made. Default: that of the connection. */
  readonly timeout?: number | undefined;
}

/**
 * Sends a request as a task and waits for what it comes to. A peer that answers at once, because it has no tasks, is as
 * good.
 *
 * @throws what sending a request throws, and what {@link followTask} does
 */
export async function requestAsTask<Result = Record<string, unknown>>(
  peer: TaskPeer,
  method: string,
  params: object,
  options: RequestAsTaskOptions<Result> = {},
): Promise<Result> {
  const { ttl, onprogress, timeout, signal } = options;
  signal?.throwIfAborted();
  const task = ttl === undefined ? {} : { ttl };
  // Not with the signal: what became a task can be cancelled by its id only, which has to arrive first.
  const answer = await requestOf(peer, method, { ...params, task }, { onprogress, timeout });
  return isCreated(answer) ? followTask(peer, answer, options) : (answer as Result);
}

function isCreated(answer: unknown): answer is CreatedTask {
  return isObject(answer) && isObject(answer["task"]) && "taskId" in answer["task"];
}
