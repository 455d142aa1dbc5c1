import { type AnyCall, type Next, isInputRequired } from "../../api/index.js";
import type { Method } from "../../wire/index.js";
import type { StoredTask } from "../task-store.js";
import { CallContext } from "./call-context.js";
import { createdTask } from "./detailed-task.js";
import type { TaskWork } from "./task-work.js";

/** Operations of the tasks of a server that a call needs. */
export interface CallHost {
  /** @throws RpcError when there are too many tasks */
  start(ttl: number | undefined, context: CallContext): Promise<readonly [StoredTask, TaskWork]>;
  finish(work: TaskWork, row: Method, params: unknown, result: unknown): Promise<void>;
  fail(work: TaskWork, row: Method, thrown: unknown): Promise<void>;
}

/** A call that may become a task, or is one from its beginning. */
export class CallRun {
  readonly #call: AnyCall;
  readonly #next: Next;
  readonly #row: Method;
  readonly #ttl: number | undefined;
  readonly #tasks: CallHost;
  readonly #context: CallContext;

  constructor(call: AnyCall, next: Next, row: Method, ttl: number | undefined, tasks: CallHost) {
    this.#call = call;
    this.#next = next;
    this.#row = row;
    this.#ttl = ttl;
    this.#tasks = tasks;
    this.#context = new CallContext(call.context);
  }

  /**
   * The result of the call, or what says that it has become a task.
   * @param after - milliseconds after which it becomes one; 0 for at once
   */
  async run(after: number): Promise<unknown> {
    if (after === 0) {
      const [stored, work] = await this.#become();
      // Nothing that the handler does may come before the answer.
      setTimeout(() => {
        if (!work.isOver) void this.#conclude(work, this.#handle());
      }, 0);
      return createdTask(stored);
    }
    const result = this.#handle();
    if (!(await isLate(result, after))) return result;
    while (!this.#context.isQuiet) {
      const first = await Promise.race([result.then(() => "result"), this.#context.quiet()]);
      if (first === "result") return result;
    }
    let started: readonly [StoredTask, TaskWork];
    try {
      started = await this.#become();
    } catch {
      // There is no room for one more task: the client waits.
      return result;
    }
    void this.#conclude(started[1], result);
    return createdTask(started[0]);
  }

  async #become(): Promise<readonly [StoredTask, TaskWork]> {
    const starting = this.#tasks.start(this.#ttl, this.#context);
    await this.#context.become(starting.then(([, work]) => work));
    return starting;
  }

  /** Never rejects. */
  async #conclude(work: TaskWork, handling: Promise<unknown>): Promise<void> {
    try {
      let result = await handling;
      while (isInputRequired(result) && !work.isOver) {
        await this.#answer(work, result as Asking);
        result = await this.#handle();
      }
      await this.#tasks.finish(work, this.#row, this.#call.params, result);
    } catch (error) {
      await this.#tasks.fail(work, this.#row, error);
    }
  }

  /** Asks what a handler has returned as questions, and gives it the answers. */
  async #answer(work: TaskWork, { inputRequests = {}, state }: Asking): Promise<void> {
    const answers = Object.entries(inputRequests).map(
      async ([key, { method, params }]) => [key, await work.ask(method, params, { key })] as const,
    );
    this.#context.answers = Object.fromEntries(await Promise.all(answers));
    this.#context.state = state;
  }

  #handle(): Promise<unknown> {
    return this.#next({ context: this.#context });
  }
}

interface Asking {
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params?: object }>
  >;
  readonly state?: unknown;
}

async function isLate(result: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), milliseconds);
  });
  try {
    return await Promise.race([result.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
