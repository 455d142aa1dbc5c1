import {
  errorToSend,
  internalError,
  invalidResult,
  isSendable,
  progressSender,
  rowOf,
  undeclared,
} from "../engine/index.js";
import {
  describeThrown,
  HandlerError,
  type Method,
  missingCapability,
  missingForParams,
  RpcError,
} from "../wire/index.js";
import type {
  AnyCall,
  CustomMessage,
  HandlerContext,
  Next,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
} from "../api/index.js";
import type { RunningTask } from "./running-task.js";
import { quiet } from "../ground/index.js";

export interface TaskWork {
  readonly row: Method;
  readonly call: AnyCall;
  readonly next: Next;
  /** True if the formats of results are checked. */
  readonly checksContent: boolean;
  readonly report: (error: Error) => void;
}

/**
 * Calls the handler of a request that became a task, and ends the task with the outcome. Never
 * rejects.
 */
export async function runTask(task: RunningTask, work: TaskWork): Promise<void> {
  if (task.isOver) return;
  const context = taskContext(work.call.context, task);
  try {
    const result = await work.next({ context });
    context.finish();
    if (!task.isOver) await finish(task, work, result);
  } catch (thrown) {
    context.finish();
    if (!task.isOver) await fail(task, work, thrown);
  }
}

/** Ends a task with a result, which is checked and converted to plain JSON as if it were sent now. */
async function finish(
  task: RunningTask,
  { row, call, checksContent, report }: TaskWork,
  result: unknown,
): Promise<void> {
  if (!isSendable(row, undefined, result, checksContent)) {
    const { task: _, ...params } = call.params as { readonly task?: unknown };
    report(invalidResult(row, params, result));
    return failWith(task, internalError());
  }
  const plain = JSON.parse(JSON.stringify(result)) as Record<string, unknown>;
  await (plain["isError"] === true
    ? task.finish("failed", { result: plain }, "The result is an error")
    : task.finish("completed", { result: plain }));
}

function fail(task: RunningTask, { call, report }: TaskWork, thrown: unknown): Promise<void> {
  return failWith(task, errorOfTask(thrown, call.context, report));
}

/** Error of a failed task: the one with which its request would have been answered. */
export function errorOfTask(
  thrown: unknown,
  { method, params, session }: HandlerContext,
  report: (error: Error) => void,
): RpcError {
  if (thrown instanceof RpcError) {
    return errorToSend(thrown, session.revision, { method, params }, report);
  }
  report(new HandlerError(method, `failed: ${describeThrown(thrown)}`, thrown));
  return internalError();
}

function failWith(task: RunningTask, error: RpcError): Promise<void> {
  return task.finish("failed", { error: error.toJSON() }, error.message);
}

/** Context of a handler that continues after its request was answered with a task. */
export interface TaskContext extends HandlerContext {
  /** Ends the context after its handler: held-back progress is sent, and nothing afterwards. */
  finish(): void;
}

function taskContext(of: HandlerContext, task: RunningTask): TaskContext {
  const { method, id, session, auth, header, meta, params, requireScopes } = of;
  const { once, answers, state } = of;
  const row = rowOf(session.revision, "progress");
  const progress = progressSender(meta, session.revision, (report) => {
    if (row) void quiet(task.notify(row.method, report, session));
  });
  const request = async (
    name: string | CustomMessage,
    sent?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> => {
    if (typeof name === "string") assertCanBeAsked(session, name, sent);
    return task.request(name, sent, options);
  };
  const notify = async (name: string | CustomMessage, sent?: unknown): Promise<unknown> => {
    if (name === row?.method) progress.noteOwn(sent);
    return task.notify(name, sent, session);
  };
  return {
    method,
    id,
    session,
    auth,
    header,
    meta,
    params,
    requireScopes,
    once,
    answers,
    state,
    task: task.view,
    signal: task.signal,
    progress: progress.report,
    request: ((...rest: Parameters<typeof request>) =>
      quiet(request(...rest))) as SendRequest<object>,
    notify: ((...rest: Parameters<typeof notify>) =>
      quiet(notify(...rest))) as unknown as SendNotification<object>,
    // The request's own stream has already ended.
    releaseStream: () => {},
    finish: () => progress.finish(),
  };
}

/**
 * Asserts that a request can be sent to the peer; otherwise it would fail only when the result is fetched.
 * @throws CapabilityError if the peer has not declared a capability that a request needs
 */
export function assertCanBeAsked(
  { revision, peer }: Session,
  method: string,
  params: unknown,
): void {
  const row = revision.methods.get(method);
  if (row === undefined || row.from === "both") return;
  const declared = { client: peer.capabilities, server: peer.capabilities };
  const missing =
    missingCapability(row, row.from, declared) ?? missingForParams(row, params, row.from, declared);
  if (missing !== undefined) throw undeclared(method, missing);
}
