import type { RequestOptions } from "../api/index.js";
import { METHOD_NOT_FOUND, RpcError, isObject } from "../wire/index.js";
import {
  accepted,
  followTask,
  type FollowTaskOptions,
  requestOf,
  type TaskPeer,
} from "./follow-task.js";
import { admitsTask, forgetSupport } from "./task-support.js";
import type { CreatedTask } from "./task.js";

export interface RequestAsTaskOptions<Result> extends FollowTaskOptions<Result> {
  /** Milliseconds for which the peer should keep the task. Default: as it likes. */
  readonly ttl?: number | undefined;
  /** Asks for news, which keep coming while the task is worked on. */
  readonly onprogress?: RequestOptions["onprogress"];
  /** Anything that the handlers of the peer's questions need to know: they get it as `call.context`. */
  readonly context?: unknown;
  /** Milliseconds to wait until the task is made. Default: that of the connection. */
  readonly timeout?: number | undefined;
}

/**
 * Sends a request as a task and waits for what it comes to. A peer that answers at once is as good: no task is asked for
 * where the peer does not declare it, and of a tool only as its `taskSupport` in the list of tools says (MCP: tasks).
 *
 * @param peer - a client or a server of one revision or of all, or the context of a handler
 * @throws what sending a request throws, and what {@link followTask} does
 */
export async function requestAsTask<Result = Record<string, unknown>>(
  peer: TaskPeer,
  method: string,
  params: object,
  options: RequestAsTaskOptions<Result> = {},
): Promise<Result> {
  const { ttl, onprogress, timeout, signal, context } = options;
  signal?.throwIfAborted();
  const sent = { onprogress, timeout, context };
  const isTask = await admitsTask(peer, method, params, { timeout, signal });
  if (!isTask) {
    const answer = await requestOf(peer, method, params, { ...sent, signal });
    return accepted(answer, options.accepts, `The result of ${method}`);
  }
  const task = ttl === undefined ? {} : { ttl };
  try {
    // Not with the signal: what became a task can be cancelled by its id only, which has to arrive first.
    const answer = await requestOf(peer, method, { ...params, task }, sent);
    if (isCreated(answer)) return await followTask(peer, answer, options);
    return accepted(answer, options.accepts, `The result of ${method}`);
  } catch (error) {
    if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) forgetSupport(peer);
    throw error;
  }
}

function isCreated(answer: unknown): answer is CreatedTask {
  return isObject(answer) && isObject(answer["task"]) && "taskId" in answer["task"];
}
