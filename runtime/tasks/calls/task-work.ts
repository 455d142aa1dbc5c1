import type { ChangeTask, TaskChange } from "../task-records.js";
import { assertProgress } from "../../engine/index.js";
import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import type {
  CustomMessage,
  HandlerContext,
  InputRequest,
  RequestOptions,
  TaskView,
} from "../../api/index.js";
import { RequestTimeoutError, RpcError } from "../../wire/index.js";
import {
  inBackground,
  type Lease,
  statusWith,
  startLease,
  type StoredTask,
  type TaskOutcome,
  without,
} from "../task-store.js";

export interface WorkHost {
  /** Returns undefined if the task has ended. Never rejects. */
  change(change: ChangeTask): Promise<StoredTask | undefined>;
  abort(reason: Error): void;
  ended(): void;
  /** Called when the task's lifetime ends before its handler does. */
  expired(): void;
  /**
   * The time for which the task counts as running, in milliseconds, or undefined if no other process can see the task.
   */
  readonly lease: number | undefined;
}

interface Question {
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/** A task that runs in this process. */
export class TaskWork {
  readonly view: TaskView;
  readonly #host: WorkHost;
  readonly #questions = new Map<string, Question>();
  readonly #keys = new Set<string>();
  readonly #stopTimer: () => void;
  readonly #lease: Lease | undefined;
  /** The newest status message that has not been stored yet. */
  #statusMessage: string | undefined;
  #isStoringStatus = false;
  #isOver = false;
  /** The last change. The next one waits for it. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor({ task }: StoredTask, host: WorkHost) {
    this.#host = host;
    this.view = { id: task.taskId, status: (message) => this.status(message) };
    const timeLeft = task.ttl ?? Infinity;
    this.#stopTimer = inBackground(timeLeft, () => {
      this.abandon(new RequestTimeoutError("The task", timeLeft, "the task did not finish"));
      host.expired();
    });
    const renew = async (leasedUntil: string): Promise<void> =>
      this.take(await this.#change(() => ({ leasedUntil })));
    const pause = (): number => (this.#questions.size > 0 ? (task.pollInterval ?? 1000) : Infinity);
    if (host.lease !== undefined) this.#lease = startLease(host.lease, renew, pause);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Stores a human-readable status message. If several arrive in quick succession, only the last one is stored. */
  status(message: string): void {
    this.#statusMessage = message;
    if (!this.#isStoringStatus) void this.#storeStatus();
  }

  request(
    name: string | CustomMessage,
    params: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.ask(typeof name === "string" ? name : name.row.method, params, options);
  }

  /** Drops a notification, because the extension's tasks have none. A subclass may send it. */
  async notify(_name: string | CustomMessage, _params?: unknown): Promise<void> {}

  /**
   * Stores the progress message as the status message, because the extension's tasks have no progress. A subclass may
   * send the progress.
   */
  progress(...[progress, , message]: Parameters<HandlerContext["progress"]>): void {
    assertProgress(progress);
    if (message !== undefined) this.status(message);
  }

  /**
   * Sends a question to the client and returns the answer. The question belongs to the task until it is answered.
   *
   * @param here - sends the question on one of this process's connections, until its signal aborts. If omitted, the
   *   client finds the question in the task, and {@link take} receives the answer
   * @throws RequestTimeoutError if no answer arrives in time; the signal's reason if it aborts
   */
  async ask(
    method: string,
    params: unknown,
    options: RequestOptions = {},
    here?: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    options.signal?.throwIfAborted();
    if (this.#isOver) throw new Error("The task has ended");
    const key = this.#keyFor(options.key);
    const request: InputRequest = {
      method,
      ...(params !== undefined && { params: params as object }),
    };
    // The task can end while the question is still being stored.
    const answered = quiet(
      new Promise<unknown>((resolve, reject) => {
        this.#questions.set(key, { resolve, reject });
      }),
    );
    const ending = new AbortController();
    const forget = this.#limit(key, method, options);
    try {
      const changed = await this.#change(({ questions }) => ({
        questions: { ...questions, [key]: request },
        task: { status: "input_required" },
      }));
      if (changed === undefined) throw new Error("The task has ended");
      this.#lease?.schedule();
      if (here === undefined) return await answered;
      return await Promise.race([quiet(here(ending.signal)), answered]);
    } finally {
      forget();
      ending.abort(new Error("The request for input has ended"));
      if (this.#questions.delete(key)) void this.#change((now) => withoutQuestion(now, key));
    }
  }

  /** Receives clients' answers and refusals, and detects that the task has ended elsewhere. */
  take(stored: StoredTask | undefined): void {
    if (stored === undefined) return this.abandon(new Error("The task has ended elsewhere"));
    const { answers = {}, refusals = {} } = stored;
    for (const [key, { resolve, reject }] of this.#questions) {
      const refusal = refusals[key];
      if (Object.hasOwn(answers, key)) resolve(answers[key]);
      else if (refusal) reject(new RpcError(refusal.code, refusal.message, refusal.data));
    }
  }

  async finish(status: "completed" | "failed", outcome: TaskOutcome, why?: string): Promise<void> {
    if (this.#isOver) return;
    this.#stop(new Error("The task has ended"));
    const statusMessage = why ?? this.#statusMessage;
    await this.#change(() => ({
      task: { status, ...(statusMessage !== undefined && { statusMessage }) },
      outcome,
      questions: {},
      answers: {},
      refusals: {},
    }));
    this.#host.ended();
  }

  /** Ends the task without a result and aborts its handler. */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#stop(reason);
    this.#host.abort(reason);
    this.#host.ended();
  }

  #change(change: ChangeTask): Promise<StoredTask | undefined> {
    const changing = this.#changing.then(() => this.#host.change(change));
    this.#changing = changing;
    return changing;
  }

  #stop(reason: Error): void {
    this.#isOver = true;
    this.#stopTimer();
    this.#lease?.stop();
    for (const { reject } of this.#questions.values()) reject(reason);
  }

  async #storeStatus(): Promise<void> {
    this.#isStoringStatus = true;
    while (this.#statusMessage !== undefined && !this.#isOver) {
      const statusMessage = this.#statusMessage;
      this.#statusMessage = undefined;
      await this.#change(() => ({ task: { statusMessage } }));
    }
    this.#isStoringStatus = false;
  }

  /** Creates a key that this task has never used. It is the one that the handler chose, if that is unused. */
  #keyFor(wished: string | undefined): string {
    let key = wished ?? `q${this.#keys.size + 1}`;
    for (let number = 2; this.#keys.has(key); number += 1) key = `${wished ?? "q"}-${number}`;
    this.#keys.add(key);
    return key;
  }

  #limit(key: string, method: string, { timeout, signal }: RequestOptions): () => void {
    const drop = (reason: unknown): void => this.#questions.get(key)?.reject(reason);
    const late = (): void => drop(new RequestTimeoutError(method, timeout!, undefined, "timeout"));
    const stop =
      timeout !== undefined && timeout <= LONGEST_DELAY ? inBackground(timeout, late) : undefined;
    const abort = (): void => drop(signal!.reason);
    signal?.addEventListener("abort", abort);
    return () => {
      stop?.();
      signal?.removeEventListener("abort", abort);
    };
  }
}

export function withoutQuestion(
  { questions = {}, answers, refusals }: StoredTask,
  key: string,
): TaskChange {
  const left = without(questions, [key]);
  return {
    answers: without(answers, [key]),
    refusals: without(refusals, [key]),
    ...(Object.hasOwn(questions, key) && {
      questions: left,
      task: { status: statusWith(left) },
    }),
  };
}
