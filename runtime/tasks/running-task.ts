import type { ChangeTask, TaskChange } from "./task-records.js";
import type {
  CustomMessage,
  HandlerContext,
  InputRequest,
  RequestOptions,
  Session,
} from "../api/index.js";
import { quiet } from "../ground/index.js";
import { LifecycleError, RpcError } from "../wire/index.js";
import {
  inBackground,
  Lease,
  statusWith,
  type StoredTask,
  type TaskOutcome,
  without,
} from "./task-store.js";
import { withRelatedTask } from "../rules/index.js";

/** A context's way to send anything, whatever the revision's types allow. */
type Send = (
  method: string | CustomMessage,
  params: unknown,
  options?: RequestOptions,
) => Promise<unknown>;

export interface RunningTaskOptions {
  /** Stores a change; returns undefined if the task has ended already. Never rejects. */
  readonly change: (change: ChangeTask) => Promise<StoredTask | undefined>;
  /** Milliseconds for which the task counts as worked on; undefined if no other process can look. */
  readonly lease?: number | undefined;
  /** Called once, when the task does not run any longer. */
  readonly ended: () => void;
  /** Called if the task's lifetime is over before it has ended. */
  readonly expired: () => void;
}

/** A task that is worked on in this process: its status, its way to the peer, its end. */
export class RunningTask {
  readonly streams: OpenStreams = new OpenStreams();
  readonly #controller = new AbortController();
  readonly #options: RunningTaskOptions;
  readonly #stopTimer: () => void;
  readonly id: string;
  readonly owner: string;
  /** The last change, which the next one has to wait for. */
  #changing: Promise<unknown> = Promise.resolve();
  /** Questions that are open, by their keys, with what receives an answer from another process. */
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  readonly #lease: Lease | undefined;
  #isOver = false;

  constructor({ task, owner }: StoredTask, options: RunningTaskOptions) {
    this.#options = options;
    this.id = task.taskId;
    this.owner = owner;
    this.#stopTimer = inBackground(task.ttl ?? Infinity, options.expired);
    const renew = async (leasedUntil: string): Promise<void> =>
      this.#take(await this.#change(() => ({ leasedUntil })));
    const pause = (): number => (this.#questions.size > 0 ? (task.pollInterval ?? 1000) : Infinity);
    if (options.lease !== undefined) this.#lease = new Lease(options.lease, renew, pause);
  }

  /** Aborts when nobody wants the result any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Requests input of the peer: on the stream of a request for the result in this process, or in another one, which finds the
   * question in the store.
   */
  async ask(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const ending = new AbortController();
    const signals = [this.signal, ending.signal, ...(options.signal ? [options.signal] : [])];
    const key = `q${(this.#asked += 1)}`;
    const elsewhere = quiet(
      new Promise<unknown>((resolve, reject) => this.#questions.set(key, { resolve, reject })),
    );
    const request: InputRequest = {
      method: typeof method === "string" ? method : method.row.method,
      ...(params !== undefined && { params: params as object }),
    };
    void this.#change(({ questions }) => ({
      questions: { ...questions, [key]: request },
      task: { status: "input_required", statusMessage: undefined },
    }));
    this.#lease?.schedule();
    const sent = { ...options, signal: AbortSignal.any(signals) };
    try {
      return await Promise.race([quiet(this.#askHere(method, params, sent)), elsewhere]);
    } finally {
      this.#questions.delete(key);
      ending.abort(new Error("The question has been answered"));
      void this.#change((now) => withoutQuestion(now, key));
    }
  }

  /** Asks on the stream of a request for the result, and again on the next one if that goes away. */
  async #askHere(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions & { readonly signal: AbortSignal },
  ): Promise<unknown> {
    const { signal } = options;
    for (;;) {
      const stream = await this.streams.next(signal);
      try {
        const marked = withRelatedTask(params, { taskId: this.id });
        return await (stream.request as Send)(method, marked, options);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof LifecycleError) this.streams.retire(stream);
        else if (!stream.signal.aborted) throw error;
      }
    }
  }

  /** Takes answers and refusals that other processes have received, and notices when the task has ended there. */
  #take(stored: StoredTask | undefined): void {
    if (stored === undefined) return this.abandon(new Error("The task has ended elsewhere"));
    const { answers = {}, refusals = {} } = stored;
    for (const [key, { resolve, reject }] of this.#questions) {
      const refusal = refusals[key];
      if (Object.hasOwn(answers, key)) resolve(answers[key]);
      else if (refusal) reject(new RpcError(refusal.code, refusal.message, refusal.data));
    }
  }

  /** Tells the peer, on the stream of a request for the result if there is one. */
  tell(method: string | CustomMessage, params: unknown, session: Session): Promise<unknown> {
    if (this.#isOver) return Promise.resolve();
    const marked = withRelatedTask(params, { taskId: this.id });
    const stream = this.streams.current;
    return stream
      ? (stream.notify as Send)(method, marked)
      : session.notify(method as string, marked);
  }

  /** Tells a line for people about the state of the work. */
  describe(message: string): void {
    if (!this.#isOver) void this.#change(() => ({ task: { statusMessage: message } }));
  }

  /** Ends it with what its request came to. */
  async finish(status: "completed" | "failed", outcome: TaskOutcome, why?: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#change(() => ({
      task: { status, statusMessage: why },
      outcome,
      questions: {},
      answers: {},
      refusals: {},
    }));
    this.#end(new Error("The task is over"));
  }

  /** Ends it on behalf of the peer. Returns what is stored then, unless it had ended already. */
  async cancel(reason: Error): Promise<StoredTask | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const statusMessage = reason.message;
    const stored = await this.#change(() => ({ task: { status: "cancelled", statusMessage } }));
    this.#end(reason);
    this.#controller.abort(reason);
    return stored;
  }

  /** Ends it without telling anybody, because nobody can ask after it any more. */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end(reason);
    this.#controller.abort(reason);
  }

  #change(change: ChangeTask): Promise<StoredTask | undefined> {
    const changing = this.#changing.then(() => this.#options.change(change));
    this.#changing = changing;
    return changing;
  }

  #end(reason: Error): void {
    this.#stopTimer();
    this.#lease?.stop();
    this.streams.close(reason);
    this.#options.ended();
  }
}

/** The change that takes a question out of a task, with its answer. */
export function withoutQuestion(
  { questions = {}, answers, refusals }: StoredTask,
  key: string,
): TaskChange {
  const left = without(questions, [key]);
  const isOpen = Object.hasOwn(questions, key);
  return {
    answers: without(answers, [key]),
    refusals: without(refusals, [key]),
    ...(isOpen && {
      questions: left,
      task: { status: statusWith(left), statusMessage: undefined },
    }),
  };
}

interface Question {
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/**
 * The requests for a task's result that wait for it. What the task asks and tells meanwhile travels with them, because
 * its own request was answered long ago (MCP: tasks, input required).
 */
export class OpenStreams {
  /** Each with what lets go of it. */
  readonly #open = new Map<HandlerContext, () => void>();
  /** Contexts whose stream reaches the peer. */
  readonly #usable = new Set<HandlerContext>();
  readonly #wanted = new Set<WantedContext>();
  #end: Error | undefined;

  /** The newest, if there is one. */
  get current(): HandlerContext | undefined {
    return [...this.#usable].at(-1);
  }

  /** Waits until the task is over, or nobody waits for its result on this stream any more. */
  serve(context: HandlerContext): Promise<void> {
    if (this.#end || context.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#open.delete(context);
        this.#usable.delete(context);
        context.signal.removeEventListener("abort", done);
        resolve();
      };
      this.#open.set(context, done);
      this.#usable.add(context);
      context.signal.addEventListener("abort", done);
      for (const wanted of this.#wanted) wanted.resolve(context);
      this.#wanted.clear();
    });
  }

  /**
   * The newest stream, or the next one.
   * @throws why the task is over; the reason of a signal that aborts
   */
  async next(signal: AbortSignal | undefined): Promise<HandlerContext> {
    signal?.throwIfAborted();
    if (this.#end) throw this.#end;
    return this.current ?? this.#wait(signal);
  }

  /** A stream turned out not to reach the peer any more. */
  retire(context: HandlerContext): void {
    this.#usable.delete(context);
  }

  /** The task is over: lets go of all streams. */
  close(reason: Error): void {
    this.#end = reason;
    for (const done of this.#open.values()) done();
    for (const wanted of this.#wanted) wanted.reject(reason);
    this.#wanted.clear();
  }

  async #wait(signal: AbortSignal | undefined): Promise<HandlerContext> {
    let abort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const wanted = { resolve, reject };
        this.#wanted.add(wanted);
        abort = () => {
          this.#wanted.delete(wanted);
          reject(signal!.reason as Error);
        };
        signal?.addEventListener("abort", abort);
      });
    } finally {
      if (abort) signal?.removeEventListener("abort", abort);
    }
  }
}

interface WantedContext {
  resolve(context: HandlerContext): void;
  reject(reason: Error): void;
}
