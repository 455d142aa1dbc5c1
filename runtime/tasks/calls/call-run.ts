import {
  type AnyCall,
  type CustomMessage,
  type HandlerContext,
  isInputRequired,
  type Next,
  type RequestOptions,
  type SendNotification,
  type SendRequest,
  type Session,
  type TaskView,
} from "../../api/index.js";
import type { Auth, Method } from "../../wire/index.js";
import type { StoredTask } from "../task-store.js";
import { createdTask } from "./task-extension.js";
import type { TaskWork } from "./task-work.js";
import { Once } from "../../engine/index.js";
import { isWithin, quiet } from "../../ground/index.js";
import { assertCanBeAsked } from "../task-context.js";

/** Operations of the tasks of a server that a call needs. */
export interface CallHost {
  /** @throws RpcError if there are too many tasks */
  start(ttl: number | undefined, context: CallContext): Promise<readonly [StoredTask, TaskWork]>;
  finish(work: TaskWork, row: Method, context: HandlerContext, result: unknown): Promise<void>;
  fail(work: TaskWork, context: HandlerContext, thrown: unknown): Promise<void>;
}

/** Call that may become a task, or is one from the beginning. */
export interface TaskCall {
  readonly call: AnyCall;
  readonly next: Next;
  readonly row: Method;
  /** Milliseconds for which a task is kept. */
  readonly ttl: number | undefined;
}

/**
 * Returns the result of the call, or the description of the task that it has become.
 * @param after - milliseconds after which it becomes a task; 0 for at once
 */
export async function runCall(given: TaskCall, tasks: CallHost, after: number): Promise<unknown> {
  const context = new CallContext(given.call.context);
  const handle = (): Promise<unknown> => given.next({ context });
  const become = async (): Promise<readonly [StoredTask, TaskWork]> => {
    const starting = tasks.start(given.ttl, context);
    await context.become(starting.then(([, work]) => work));
    return starting;
  };
  /** Ends the task with the outcome of the handler. Never rejects. */
  const conclude = async (work: TaskWork, handling: Promise<unknown>): Promise<void> => {
    try {
      let result = await handling;
      while (isInputRequired(result) && !work.isOver) {
        await answer(work, result as Asking, context);
        result = await handle();
      }
      await tasks.finish(work, given.row, given.call.context, result);
    } catch (error) {
      await tasks.fail(work, given.call.context, error);
    }
  };

  if (after === 0) {
    const [stored, work] = await become();
    // Messages of the handler may not be sent before the response.
    setTimeout(() => {
      if (!work.isOver) void conclude(work, handle());
    }, 0);
    return createdTask(stored);
  }
  const result = handle();
  if (await isWithin(after, result)) return result;
  while (!context.isQuiet) {
    const first = await Promise.race([result.then(() => "result"), context.quiet()]);
    if (first === "result") return result;
  }
  let started: readonly [StoredTask, TaskWork];
  try {
    started = await become();
  } catch {
    // There is no room for another task, so the client waits.
    return result;
  }
  void conclude(started[1], result);
  return createdTask(started[0]);
}

/** Sends the questions that a handler has returned, and passes it the answers. */
async function answer(
  work: TaskWork,
  { inputRequests = {}, state }: Asking,
  context: CallContext,
): Promise<void> {
  const answers = Object.entries(inputRequests).map(
    async ([key, { method, params }]) => [key, await work.ask(method, params, { key })] as const,
  );
  context.answers = Object.fromEntries(await Promise.all(answers));
  context.state = state;
}

interface Asking {
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params?: object }>
  >;
  readonly state?: unknown;
}

type Send = (name: string | CustomMessage, ...rest: unknown[]) => Promise<unknown>;

/**
 * Context of a call that may become a task: from then on, its notifications and questions belong to
 * the task.
 */
export class CallContext implements HandlerContext {
  readonly method: string;
  readonly id: HandlerContext["id"];
  readonly session: Session;
  readonly auth: Auth | undefined;
  readonly header: HandlerContext["header"];
  readonly meta: HandlerContext["meta"];
  readonly params: unknown;
  readonly requireScopes: HandlerContext["requireScopes"];
  readonly request: SendRequest<object>;
  readonly notify: SendNotification<object>;
  readonly progress: HandlerContext["progress"];
  readonly once: HandlerContext["once"];
  answers: HandlerContext["answers"];
  state: unknown;
  readonly #call: HandlerContext;
  readonly #ending = new AbortController();
  readonly #once = new Once();
  readonly #stopFollowing: () => void;
  /** Number of open questions of the call itself. */
  #asking = 0;
  #settled: (() => void) | undefined;
  /** Task that the call may become, while that is undecided. */
  #becoming: Promise<TaskWork | undefined> | undefined;
  #work: TaskWork | undefined;

  constructor(call: HandlerContext) {
    const { method, id, session, auth, header, meta, params, requireScopes } = call;
    this.#call = call;
    this.method = method;
    this.id = id;
    this.session = session;
    this.auth = auth;
    this.header = header;
    this.meta = meta;
    this.params = params;
    this.requireScopes = requireScopes;
    this.answers = call.answers;
    this.state = call.state;
    const end = (): void => this.#ending.abort(call.signal.reason);
    if (call.signal.aborted) end();
    call.signal.addEventListener("abort", end);
    this.#stopFollowing = () => call.signal.removeEventListener("abort", end);
    this.request = ((...sent: Parameters<Send>) =>
      quiet(this.#ask(...sent))) as SendRequest<object>;
    this.notify = ((...sent: Parameters<Send>) =>
      this.#work ? Promise.resolve() : (call.notify as Send)(...sent)) as SendNotification<object>;
    this.progress = (...progress) => {
      const [, , message] = progress;
      if (!this.#work) call.progress(...progress);
      else if (message !== undefined) this.#work.status(message);
    };
    this.once = (key, work) =>
      this.#once.do(key, () => (this.#work ? work() : call.once(key, work)));
  }

  /** Aborts when the result is no longer needed. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get task(): TaskView | undefined {
    return this.#work?.view;
  }

  readonly releaseStream = (retry?: number): void => {
    if (!this.#work) this.#call.releaseStream(retry);
  };

  /**
   * Resolves when no question of the call is open; never resolves if the client answers with
   * another call.
   */
  async quiet(): Promise<void> {
    while (this.#asking > 0) await new Promise<void>((resolve) => (this.#settled = resolve));
  }

  get isQuiet(): boolean {
    return this.#asking === 0;
  }

  /** Continues the call as a task, once the task has been created. Questions wait until then. */
  async become(making: Promise<TaskWork | undefined>): Promise<TaskWork | undefined> {
    this.#becoming = making;
    try {
      this.#work = await making;
      if (this.#work) this.#stopFollowing();
      return this.#work;
    } finally {
      this.#becoming = undefined;
    }
  }

  /** Aborts the handler, because its result is no longer needed. */
  abort(reason: Error): void {
    this.#ending.abort(reason);
  }

  async #ask(
    name: string | CustomMessage,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    await this.#becoming?.catch(() => undefined);
    if (this.#work) {
      const method = typeof name === "string" ? name : name.row.method;
      assertCanBeAsked(this.session, method, params);
      return this.#work.ask(method, params, options);
    }
    this.#asking += 1;
    try {
      return await (this.#call.request as Send)(name, params, options);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) this.#settled?.();
    }
  }
}
