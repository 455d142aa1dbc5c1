import type { RequestOptions } from "../api/index.js";
import {
  CapabilityError,
  InvalidMessageError,
  isObject,
  METHOD_NOT_FOUND,
  RequestCancelledError,
  RpcError,
} from "../wire/index.js";
import { type CreatedTask, hasChanged, isTerminal, type Task } from "./task.js";
import { LONGEST_DELAY, quiet } from "../ground/index.js";

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
    if (hasChanged(latest, task)) onstatus?.(latest);
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

/** Support of a request for being worked on as a task (MCP: `Tool.execution.taskSupport`). */
export type TaskSupport = "forbidden" | "optional" | "required";

/** Request whose support each tool states in the list. */
const CALL = "tools/call";
const LIST = "tools/list";
/** Pages of a list that are looked through. */
const MAX_PAGES = 1000;

/** Support of tools by name, as a peer has listed them. */
const known = new WeakMap<TaskPeer, ReadonlyMap<string, TaskSupport>>();

/**
 * True when a request may ask for a task: the peer has declared it, and a tool allows it.
 * @throws what asking for the list of tools throws
 */
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

/** Forgets the tools of a peer, which have changed. */
export function forgetSupport(peer: TaskPeer): void {
  known.delete(peer);
}

/** True when the peer has declared tasks for a request; undefined when its capabilities are not known. */
function declaresTask(peer: TaskPeer, method: string): boolean | undefined {
  const capabilities = capabilitiesOf(peer);
  if (capabilities === undefined) return undefined;
  const path = ["tasks", "requests", ...method.split("/")];
  return path.reduce<unknown>(memberOf, capabilities) !== undefined;
}

/** Capabilities as a client, a server, a handler's context or a session knows them. */
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

/** Support of all tools of a peer; undefined where the peer has no list. */
async function listed(
  peer: TaskPeer,
  options: RequestOptions,
): Promise<ReadonlyMap<string, TaskSupport> | undefined> {
  const support = new Map<string, TaskSupport>();
  try {
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = (await requestOf(peer, LIST, params, options)) as ToolPage;
      for (const { name, execution } of result.tools)
        support.set(name, execution?.taskSupport ?? "forbidden");
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    return support;
  } catch (error) {
    if (error instanceof RpcError || error instanceof CapabilityError) return undefined;
    throw error;
  }
}

interface ToolPage {
  readonly tools: readonly {
    readonly name: string;
    readonly execution?: { readonly taskSupport?: TaskSupport };
  }[];
  readonly nextCursor?: string;
}
