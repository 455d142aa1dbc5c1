import type { ChangeTask } from "../task-records.js";
import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import type { InputRequest, RequestOptions, TaskView } from "../../api/index.js";
import { RequestTimeoutError } from "../../wire/index.js";
import {
  inBackground,
  Lease,
  statusWith,
  type StoredTask,
  type TaskOutcome,
  without,
} from "../task-store.js";

/** Operations of the tasks of a server that work on one of them needs. */
export interface WorkHost {
  /** Stores a change; returns undefined if the task has ended. Never rejects. */
  change(change: ChangeTask): Promise<StoredTask | undefined>;
  /** Ends the handler, whose result nobody wants any more. */
  abort(reason: Error): void;
  /** The work is over, for whatever reason. */
  ended(): void;
  /** Milliseconds for which the task counts as worked on; undefined where nobody else could find out. */
  readonly lease: number | undefined;
}

interface Question {
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/** Work on a task in this process: its status, its questions, its end. */
export class TaskWork {
  readonly view: TaskView;
  readonly #host: WorkHost;
  readonly #questions = new Map<string, Question>();
  readonly #keys = new Set<string>();
  readonly #stopTimer: () => void;
  readonly #lease: Lease | undefined;
  /** The newest line that has not been stored yet. */
  #news: string | undefined;
  #isTelling = false;
  #isOver = false;

  constructor({ task }: StoredTask, host: WorkHost) {
    this.#host = host;
    this.view = { id: task.taskId, status: (message) => this.status(message) };
    const timeLeft = task.ttl ?? Infinity;
    this.#stopTimer = inBackground(timeLeft, () =>
      this.abandon(new RequestTimeoutError("The task", timeLeft, "the task did not finish")),
    );
    const renew = async (leasedUntil: string): Promise<void> =>
      this.take(await host.change(() => ({ leasedUntil })));
    const pause = (): number => (this.#questions.size > 0 ? (task.pollInterval ?? 1000) : Infinity);
    if (host.lease !== undefined) this.#lease = new Lease(host.lease, renew, pause);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Stores a line for people; of several that come quickly, the last one. */
  status(message: string): void {
    this.#news = message;
    if (!this.#isTelling) void this.#tell();
  }

  /**
   * Asks the client, by a question that the task has until it is answered.
   * @throws RequestTimeoutError when nobody answers in time, and the reason of a signal that aborts
   */
  async ask(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    options.signal?.throwIfAborted();
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
    const forget = this.#limit(key, method, options);
    try {
      const asked = await this.#host.change(({ questions }) => ({
        questions: { ...questions, [key]: request },
        task: { status: "input_required" },
      }));
      if (asked === undefined) throw new Error("The task is over");
      this.#lease?.schedule();
      return await answered;
    } finally {
      forget();
      this.#questions.delete(key);
    }
  }

  /** Takes what clients have answered, and notices when the task has ended elsewhere. */
  async take(stored: StoredTask | undefined): Promise<void> {
    if (stored === undefined) return this.abandon(new Error("The task has ended elsewhere"));
    const { answers = {} } = stored;
    const keys = Object.keys(answers).filter((key) => this.#questions.has(key));
    if (keys.length === 0) return;
    for (const key of keys) this.#questions.get(key)!.resolve(answers[key]);
    await this.#host.change((now) => ({ answers: without(now.answers, keys) }));
  }

  /** Ends the task with the answer that its request would have had. */
  async finish(status: "completed" | "failed", outcome: TaskOutcome, why?: string): Promise<void> {
    if (this.#isOver) return;
    this.#stop(new Error("The task is over"));
    const statusMessage = why ?? this.#news;
    await this.#host.change(() => ({
      task: { status, ...(statusMessage !== undefined && { statusMessage }) },
      outcome,
      questions: {},
      answers: {},
    }));
  }

  /** Ends the work because nobody can want its result any more. */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#stop(reason);
    this.#host.abort(reason);
  }

  #stop(reason: Error): void {
    this.#isOver = true;
    this.#stopTimer();
    this.#lease?.stop();
    for (const { reject } of this.#questions.values()) reject(reason);
    this.#host.ended();
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#news !== undefined && !this.#isOver) {
      const statusMessage = this.#news;
      this.#news = undefined;
      await this.#host.change(() => ({ task: { statusMessage } }));
    }
    this.#isTelling = false;
  }

  /** A key that this task has never used: the handler's own, if that is new. */
  #keyFor(wished: string | undefined): string {
    let key = wished ?? `q${this.#keys.size + 1}`;
    for (let number = 2; this.#keys.has(key); number += 1) key = `${wished ?? "q"}-${number}`;
    this.#keys.add(key);
    return key;
  }

  /** Takes a question back when nobody answers it in time, or its signal aborts. */
  #limit(key: string, method: string, { timeout, signal }: RequestOptions): () => void {
    const drop = (reason: unknown): void => {
      this.#questions.get(key)?.reject(reason);
      void this.#host.change(({ questions = {} }) => {
        if (!Object.hasOwn(questions, key)) return undefined;
        const left = without(questions, [key]);
        return { questions: left, task: { status: statusWith(left) } };
      });
    };
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
