import {
  errorToSend,
  internalError,
  invalidResult,
  isSendable,
  type ProgressSender,
  progressSender,
  rowOf,
  undeclared,
} from "../engine/index.js";
import {
  type Auth,
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
  TaskView,
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
  const context = new TaskContext(work.call.context, task);
  try {
    const result = await work.next({ context });
    context.finish();
    if (!task.isOver) await finish(task, work, result);
  } catch (thrown) {
    context.finish();
    if (!task.isOver) await fail(task, work, thrown);
  }
}

/** A result is checked and converted to plain JSON, as if it were sent now. */
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

/** The context of a handler that continues after its request was answered with a task. */
export class TaskContext implements HandlerContext {
  readonly method: string;
  readonly id: HandlerContext["id"];
  readonly session: Session;
  readonly auth: Auth | undefined;
  readonly header: (name: string) => string | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  readonly params: unknown;
  readonly progress: HandlerContext["progress"];
  readonly request: SendRequest<object>;
  readonly notify: SendNotification<object>;
  readonly requireScopes: HandlerContext["requireScopes"];
  readonly once: HandlerContext["once"];
  readonly answers: HandlerContext["answers"];
  readonly state: unknown;
  readonly task: TaskView;
  readonly #progress: ProgressSender;

  constructor(request: HandlerContext, task: RunningTask) {
    const { method, id, session, auth, header, meta, once, answers, state } = request;
    this.method = method;
    this.id = id;
    this.session = session;
    this.auth = auth;
    this.params = request.params;
    this.header = header;
    this.meta = meta;
    this.requireScopes = request.requireScopes;
    this.once = once;
    this.answers = answers;
    this.state = state;
    this.task = task.view;
    this.signal = task.signal;
    const row = rowOf(session.revision, "progress");
    this.#progress = progressSender(meta, session.revision, (news) => {
      if (row) void quiet(task.notify(row.method, news, session));
    });
    this.progress = this.#progress.report;
    const ask = async (
      name: string | CustomMessage,
      params?: unknown,
      options?: RequestOptions,
    ): Promise<unknown> => {
      if (typeof name === "string") assertCanBeAsked(session, name, params);
      return task.request(name, params, options);
    };
    this.request = ((...rest: Parameters<typeof ask>) =>
      quiet(ask(...rest))) as SendRequest<object>;
    const tell = async (name: string | CustomMessage, params?: unknown): Promise<unknown> => {
      if (name === row?.method) this.#progress.noteOwn(params);
      return task.notify(name, params, session);
    };
    this.notify = ((name: string | CustomMessage, params?: unknown) =>
      quiet(tell(name, params))) as unknown as SendNotification<object>;
  }

  /** Does nothing: the request's own stream has already ended. */
  readonly releaseStream = (): void => {};

  /** Ends the context after its handler: held-back progress is sent, and nothing afterwards. */
  finish(): void {
    this.#progress.finish();
  }
}

/**
 * Detects early what would otherwise fail only when the result is fetched.
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
