import { acceptsResult, invalidAnswer, resultIssues } from "../../engine/index.js";
import type { Filter, InputRequest, RelatedCall, Session } from "../../api/index.js";
import { subscribe } from "../../stateless/client/index.js";
import {
  InvalidMessageError,
  LocalError,
  quote,
  receivedError,
  RequestTimeoutError,
} from "../../wire/index.js";
import { InputRefusedError } from "../../wire/client-errors/index.js";
import { quiet } from "../../ground/index.js";
import { type DetailedTask, TASK_IDS, taskOfWire, type WireTask } from "../calls/task-extension.js";
import { cancelledTask, hasChanged, isTerminal, type Task } from "../task.js";

/** The shortest polling interval, in milliseconds, even if the server suggests a shorter one. */
const SHORTEST = 50;
/** The longest polling interval, in milliseconds, even if the server suggests a longer one. */
const LONGEST = 60_000;
/** The default polling interval, in milliseconds, used when neither side suggests one. */
const USUAL = 1000;
/** The number of consecutive polls that may fail because of the connection. */
const MAX_FAILURES = 5;

interface AnsweredQuestion {
  readonly text: string;
  /** The `lastUpdatedAt` of the first task state in which the question was no longer open. */
  goneAt?: string;
}

export interface FollowerOptions {
  readonly call: RelatedCall;
  readonly signal?: AbortSignal | undefined;
  readonly onstatus?: ((task: Task) => void) | undefined;
}

/**
 * Follows one of the extension's tasks until it ends. It polls the task, or listens if the server sends notifications,
 * and answers each of its questions once (extension tasks).
 */
export class TaskFollower {
  readonly #session: Session;
  readonly #options: FollowerOptions;
  readonly #taskId: string;
  readonly #answered = new Map<string, AnsweredQuestion>();
  readonly #ending = new AbortController();
  #task: DetailedTask;
  /** A notification from the server that has not been processed yet. */
  #notification: DetailedTask | undefined;
  #wake: (() => void) | undefined;
  #isListening = false;
  #failure: unknown;

  constructor(session: Session, task: WireTask, options: FollowerOptions) {
    this.#session = session;
    this.#task = task;
    this.#taskId = task.taskId;
    this.#options = options;
  }

  async result(): Promise<Record<string, unknown>> {
    const { signal } = this.#options;
    const wake = (): void => this.#wake?.();
    signal?.addEventListener("abort", wake);
    const stopFollowing = whenClosed(this.#session, wake);
    try {
      // A task that was stored as JSON contains no result.
      this.#see(isTerminal(this.#task) ? await this.#look() : this.#task);
      await this.#follow();
      return this.#outcome();
    } catch (error) {
      const isGivenUp = error instanceof InputRefusedError || error instanceof InvalidMessageError;
      if (signal?.aborted || isGivenUp) this.cancel();
      throw error;
    } finally {
      signal?.removeEventListener("abort", wake);
      stopFollowing();
      this.#ending.abort(new Error("The task has ended"));
    }
  }

  cancel(): void {
    void quiet(this.#session.request("tasks/cancel", { taskId: this.#taskId }));
  }

  async #follow(): Promise<void> {
    const { signal } = this.#options;
    let looks = 0;
    while (!isTerminal(this.#task)) {
      signal?.throwIfAborted();
      await this.#pause();
      signal?.throwIfAborted();
      if (this.#failure !== undefined) throw this.#failure;
      const notified = this.#notification;
      this.#notification = undefined;
      this.#see(notified ?? (await this.#look()));
      looks += 1;
      if (looks === 1 && !isTerminal(this.#task)) this.#listen();
    }
  }

  async #pause(): Promise<void> {
    if (this.#notification || this.#failure !== undefined) return;
    const interval = this.#isListening ? LONGEST : (this.#task.pollIntervalMs ?? USUAL);
    const milliseconds = Math.min(Math.max(interval, SHORTEST), LONGEST);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  async #look(): Promise<DetailedTask> {
    for (let failures = 1; ; failures += 1) {
      try {
        const options = { signal: this.#options.signal };
        return (await this.#session.request(
          "tasks/get",
          { taskId: this.#taskId },
          options,
        )) as DetailedTask;
      } catch (error) {
        const isLast = failures === MAX_FAILURES || this.#options.signal?.aborted;
        if (isLast || !canPass(error)) throw error;
        await this.#pause();
      }
    }
  }

  /** Subscribes to notifications if the server accepts this; otherwise, polling continues. */
  #listen(): void {
    const on = (_method: string, params: unknown): void => {
      this.#notification = params as DetailedTask;
      this.#wake?.();
    };
    const filter: Filter = { [TASK_IDS]: [this.#taskId] };
    const opening = subscribe(this.#session, filter, {
      on,
      signal: this.#ending.signal,
    });
    void quiet(
      opening.then(async (subscription) => {
        const ids = subscription.filter[TASK_IDS];
        if (!Array.isArray(ids) || !ids.includes(this.#taskId)) return subscription.close();
        this.#isListening = true;
        // The task may have changed before the server accepted the subscription.
        this.#wake?.();
        await subscription.closed;
        this.#isListening = false;
        this.#wake?.();
      }),
    );
  }

  #see(task: DetailedTask): void {
    const isNew = task === this.#task || hasChanged(task, this.#task);
    this.#task = task;
    if (isNew) this.#options.onstatus?.(taskOfWire(task));
    const questions = task.status === "input_required" ? (task.inputRequests ?? {}) : {};
    this.#assertNoReuse(questions);
    const open = Object.entries(questions).filter(([key]) => !this.#answered.has(key));
    if (open.length > 0) void this.#answer(open);
  }

  #assertNoReuse(questions: Readonly<Record<string, InputRequest>>): void {
    const { lastUpdatedAt } = this.#task;
    for (const [key, answered] of this.#answered) {
      const again = Object.hasOwn(questions, key) ? questions[key] : undefined;
      if (again === undefined) {
        answered.goneAt ??= lastUpdatedAt;
        continue;
      }
      // A state that arrives late is older than the one in which the question was gone.
      const isBack = answered.goneAt !== undefined && lastUpdatedAt > answered.goneAt;
      if (!isBack && JSON.stringify(again) === answered.text) continue;
      const text = `The task ${this.#taskId} requests input again under the key ${quote(key)}, which was answered`;
      throw new InvalidMessageError(text);
    }
  }

  async #answer(questions: readonly [string, InputRequest][]): Promise<void> {
    const { call } = this.#options;
    for (const [key, question] of questions)
      this.#answered.set(key, { text: JSON.stringify(question) });
    try {
      const requested = Object.fromEntries(questions);
      const inputResponses = await this.#session.answer!(requested, call, this.#ending.signal);
      await this.#session.request("tasks/update", { taskId: this.#taskId, inputResponses });
    } catch (error) {
      this.#failure ??= error;
    }
    // The answers may have changed the task, so poll it now.
    this.#wake?.();
  }

  #outcome(): Record<string, unknown> {
    const { status, error, result } = this.#task;
    const { method, params } = this.#options.call;
    if (status === "cancelled") throw cancelledTask(this.#task);
    if (error) throw receivedError(error.code, error.message, error.data);
    const { revision } = this.#session;
    const row = revision.methods.get(method)!;
    const whole = { resultType: "complete", ...result };
    if (!acceptsResult(row, params, whole))
      throw invalidAnswer(row, resultIssues(row, params, whole));
    return (revision.projection?.up(row, "result")?.(whole) ?? whole) as Record<string, unknown>;
  }
}

const listeners = /* @__PURE__ */ new WeakMap<Session, Set<() => void>>();

/**
 * Calls a function when a session ends. All functions for one session share a single reaction to its promise, because a
 * reaction remains until the promise settles.
 */
function whenClosed(session: Session, action: () => void): () => void {
  let actions = listeners.get(session);
  if (actions === undefined) {
    const all = new Set<() => void>();
    listeners.set(session, (actions = all));
    void session.closed.then(() => {
      listeners.delete(session);
      for (const one of all) one();
    });
  }
  actions.add(action);
  return () => actions.delete(action);
}

/**
 * Returns true if the same request may succeed after this failure: a timeout, an HTTP request without a response, or a
 * status of 429 or 5xx.
 */
function canPass(error: unknown): boolean {
  if (error instanceof RequestTimeoutError) return true;
  if (!(error instanceof LocalError) || error.code !== "HTTP") return false;
  const { status = 503 } = error as { readonly status?: number };
  return status === 429 || status >= 500;
}
