import type { SendPageRequest, RequestOptions } from "../api/index.js";
import { pages } from "../api/paging/index.js";
import {
  CapabilityError,
  InvalidMessageError,
  isObject,
  METHOD_NOT_FOUND,
  RpcError,
} from "../wire/index.js";
import { cancelledTask, type CreatedTask, hasChanged, isTerminal, type Task } from "./task.js";
import { pause, quiet } from "../ground/index.js";

export interface RequestAsTaskOptions<Result> extends FollowTaskOptions<Result> {
  /** The time for which the peer should keep the task, in milliseconds. Default: the peer decides. */
  readonly ttl?: number | undefined;
  /** Called with progress notifications, which continue while the task runs. */
  readonly onprogress?: RequestOptions["onprogress"];
  /** Any value for the handlers of the peer's requests, which receive it as `call.context`. */
  readonly context?: unknown;
  /** The time to wait until the task is created, in milliseconds. Default: the connection's timeout. */
  readonly timeout?: number | undefined;
}

/**
 * Sends a request as a task and waits for its result. The request is sent as an ordinary one if the peer does not
 * declare tasks for it, or if the tool's `taskSupport` does not permit them (MCP: tasks). A peer may also return the
 * result directly.
 *
 * @param peer - a client or a server of one or all revisions, or a handler's context
 * @throws the errors of sending a request, and of {@link followTask}
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
    // The request is sent without the signal, because a task can only be cancelled by its id, which must arrive first.
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

/**
 * A peer that runs a task, as reached from this side: a connected client or server, a handler's context, or its
 * session.
 */
export interface TaskPeer {
  request(method: never, ...rest: never[]): Promise<unknown>;
}

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
  /**
   * Checks the result, whose type is otherwise unknown. Pass, for example, the validator for the request's result, such
   * as `v.CallToolResult`.
   */
  readonly accepts?: ((value: unknown) => value is Result) | undefined;
  /** A signal that cancels the task. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the initial task and after each change to its status. */
  readonly onstatus?: ((task: Task) => void) | undefined;
  /** The default polling interval, in milliseconds, used when the peer does not suggest one. Default: 1000. */
  readonly pollInterval?: number | undefined;
}

/** The minimum polling interval, in milliseconds, whatever the peer suggests. */
const SHORTEST_INTERVAL = 10;

/** The options for fetching a result, which can take as long as the task itself. */
const NO_TIMEOUT: RequestOptions = { timeout: Infinity, maxTotalTimeout: Infinity };

/**
 * Waits for a task's result. Polls the task at the peer's interval. Fetches the result when it is available, or when
 * the task needs input, because requests for input arrive while the result is being fetched (MCP: tasks).
 *
 * @throws RpcError with which the request has failed
 * @throws RequestCancelledError if either side cancelled the task
 * @throws InvalidMessageError if `accepts` rejects the result
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
    if (latest.status === "cancelled") throw cancelledTask(latest);
    const fetching = requestOf(peer, "tasks/result", { taskId }, { ...NO_TIMEOUT, signal });
    if (!isTerminal(latest) && options.onstatus)
      await watch(peer, latest, fetching, options).catch(() => undefined);
    return accepted(await fetching, accepts, `The result of the task ${taskId}`);
  } catch (error) {
    if (signal?.aborted) void quiet(requestOf(peer, "tasks/cancel", { taskId }));
    throw error;
  }
}

export function accepted<Result>(
  result: unknown,
  accepts: ((value: unknown) => value is Result) | undefined,
  what: string,
): Result {
  if (!accepts || accepts(result)) return result as Result;
  throw new InvalidMessageError(`${what} is not of the requested type`);
}

async function lookAfter<Result>(
  peer: TaskPeer,
  created: Task,
  options: FollowTaskOptions<Result>,
): Promise<Task> {
  let task = created;
  options.onstatus?.(task);
  while (!isTerminal(task) && task.status !== "input_required") {
    await pause(intervalOf(task, options), options.signal);
    task = await look(peer, task, options);
  }
  return task;
}

/**
 * Polls a task while its result is fetched, until the result has arrived. The last poll follows the result, so that the
 * final status is seen.
 */
async function watch<Result>(
  peer: TaskPeer,
  started: Task,
  fetching: Promise<unknown>,
  options: FollowTaskOptions<Result>,
): Promise<void> {
  const fetched = new AbortController();
  const stop = (): void => fetched.abort();
  fetching.then(stop, stop);
  let task = started;
  for (let isLast = false; !isTerminal(task) && !isLast;) {
    await pause(intervalOf(task, options), fetched.signal).catch(() => undefined);
    isLast = fetched.signal.aborted;
    task = await look(peer, task, options);
  }
}

function intervalOf<Result>(
  task: Task,
  { pollInterval = 1000 }: FollowTaskOptions<Result>,
): number {
  return Math.max(task.pollInterval ?? pollInterval, SHORTEST_INTERVAL);
}

async function look<Result>(
  peer: TaskPeer,
  known: Task,
  { signal, onstatus }: FollowTaskOptions<Result>,
): Promise<Task> {
  const { taskId } = known;
  const latest = (await requestOf(peer, "tasks/get", { taskId }, { signal })) as Task;
  if (hasChanged(latest, known)) onstatus?.(latest);
  return latest;
}

/** Controls whether a request can or must run as a task (MCP: `Tool.execution.taskSupport`). */
export type TaskSupport = "forbidden" | "optional" | "required";

/** The method for which each tool states its own task support. */
const CALL = "tools/call";
const LIST = "tools/list";

const known = new WeakMap<TaskPeer, ReadonlyMap<string, TaskSupport>>();

/** True if a request may run as a task, or if that cannot be determined. */
export async function admitsTask(
  peer: TaskPeer,
  method: string,
  params: object,
  options: RequestOptions,
): Promise<boolean> {
  if (declaresTask(peer, method) === false) return false;
  if (method !== CALL) return true;
  const tools = known.get(peer) ?? (await listed(peer, options));
  if (tools === undefined) return true;
  known.set(peer, tools);
  const { name } = params as { readonly name?: unknown };
  return (tools.get(name as string) ?? "forbidden") !== "forbidden";
}

export function forgetSupport(peer: TaskPeer): void {
  known.delete(peer);
}

/** Returns undefined if the peer's capabilities are unknown. */
function declaresTask(peer: TaskPeer, method: string): boolean | undefined {
  const capabilities = capabilitiesOf(peer);
  if (capabilities === undefined) return undefined;
  const path = ["tasks", "requests", ...method.split("/")];
  return path.reduce<unknown>(memberOf, capabilities) !== undefined;
}

/** Returns the capabilities of a peer: a client, a server, a handler's context or a session. */
function capabilitiesOf(peer: TaskPeer): object | undefined {
  const {
    server,
    client,
    session,
    peer: own,
  } = peer as unknown as Readonly<Record<string, unknown>>;
  const described = [own, memberOf(session, "peer"), server, client].find(isObject);
  const capabilities = described?.["capabilities"];
  return isObject(capabilities) ? capabilities : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

async function listed(
  peer: TaskPeer,
  options: RequestOptions,
): Promise<ReadonlyMap<string, TaskSupport> | undefined> {
  const support = new Map<string, TaskSupport>();
  const ask: SendPageRequest = (method, params, given) =>
    requestOf(peer, method, params as object, given);
  try {
    for await (const tool of pages(ask, LIST, "tools", {}, options)) {
      const { name, execution } = tool as ListedTool;
      support.set(name, execution?.taskSupport ?? "forbidden");
    }
    return support;
  } catch (error) {
    if (error instanceof RpcError || error instanceof CapabilityError) return undefined;
    throw error;
  }
}

interface ListedTool {
  readonly name: string;
  readonly execution?: { readonly taskSupport?: TaskSupport };
}
