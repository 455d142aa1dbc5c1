import type { Batch } from "./batch.js";
import type { Binding, Inbound } from "./binding.js";
import { askedInOnce } from "./connection-errors.js";
import type {
  CustomMessage,
  HandlerContext,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
} from "../api/index.js";
import { type Timed, quiet } from "../ground/index.js";
import {
  type Auth,
  type Method,
  type Origin,
  type RequestId,
  type Role,
  isObject,
} from "../wire/index.js";
import { ProgressSender } from "./progress-sender.js";
import { Once } from "./once.js";
import type { Round } from "./round.js";

/** What is answered bit by bit. */
export interface Standing {
  /** Ends it from this side, and gives the answer. */
  end(): unknown;
  /** Nobody waits for anything any more. */
  drop(): void;
}

/** What a message under way needs of its connection. */
export interface Conversation {
  readonly session: Session;
  /** Whether requests are answered on streams of their own. */
  readonly hasStreams: boolean;
  request(
    method: string | CustomMessage,
    params: unknown,
    options?: RequestOptions,
    during?: Handling,
  ): Promise<unknown>;
  notify(method: string | CustomMessage, params: unknown, during?: Handling): Promise<void>;
  /** Lets go of the stream that the message is answered on. */
  releaseStream(during: Handling, retry: number | undefined): void;
  /** A message that is for the engine itself. */
  control(role: Role, params: unknown, during: Handling): unknown;
  /** Answers in place of a handler, which is not waited for any more: its signal aborts afterwards. */
  answer(handling: Handling, outcome: Promise<unknown>, reason: Error): void;
  /** Answers a request that is answered bit by bit. */
  retire(handling: Handling): void;
  /** Gives up the requests that a handler has sent. */
  abandon(during: Handling, reason: Error): void;
  /** The time that the message was given is over. */
  expire(handling: Handling): void;
}

/**
 * A received message under way, and the context of its handler. One is made per message, so all that a
 * handler may never ask for is made when it does.
 */
export class Handling implements HandlerContext, Timed {
  readonly binding: Binding;
  readonly inbound: Inbound;
  /** The id under which the transport has delivered a request. */
  readonly key: RequestId | undefined;
  readonly params: unknown;
  readonly batch: Batch | undefined;
  deadline: number = Infinity;
  /** Whether an answer is still due, or may at least still be given. */
  isOpen = true;
  /** Whether the handler has sent requests of its own. */
  hasAsked = false;
  /** How far the questions to the client are, where a request may take several rounds. */
  round: Round | undefined;
  /** Set while it is answered bit by bit, until one side ends that. */
  standing: Standing | undefined;
  readonly #conversation: Conversation;
  #session: Session | undefined;
  readonly #origin: Origin | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #progress: ProgressSender | undefined;
  #once: Once | undefined;
  #over: Promise<Error | undefined> | undefined;
  #end: ((reason: Error | undefined) => void) | undefined;

  constructor(
    conversation: Conversation,
    binding: Binding,
    inbound: Inbound,
    key: RequestId | undefined,
    params: unknown,
    origin?: Origin,
    batch?: Batch,
  ) {
    this.#conversation = conversation;
    this.binding = binding;
    this.inbound = inbound;
    this.key = key;
    this.params = params;
    this.#origin = origin;
    this.batch = batch;
  }

  get row(): Method {
    return this.inbound.row;
  }

  get method(): string {
    return this.row.method;
  }

  get id(): RequestId | undefined {
    return this.#origin?.id ?? this.key;
  }

  get session(): Session {
    this.#session ??= this.binding.alone?.session(this) ?? this.#conversation.session;
    return this.#session;
  }

  /** What brought the message, whomever it is from. */
  get connection(): Session {
    return this.#conversation.session;
  }

  /** Whether it is answered on a stream of its own. */
  get hasStream(): boolean {
    return this.#conversation.hasStreams;
  }

  get once(): <Value>(key: string, work: () => Value | Promise<Value>) => Promise<Value> {
    return async (key, work) =>
      this.binding.alone?.once(key, work, this) ?? (this.#once ??= new Once()).do(key, work);
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.round?.answers ?? NO_ANSWERS;
  }

  get state(): unknown {
    return this.round?.state;
  }

  get auth(): Auth | undefined {
    return this.#origin?.auth;
  }

  get header(): (name: string) => string | undefined {
    const origin = this.#origin;
    return origin?.header ? (name) => origin.header?.(name.toLowerCase()) : noHeader;
  }

  get releaseStream(): (retry?: number) => void {
    return (retry) => {
      if (this.isOpen) this.#conversation.releaseStream(this, retry);
    };
  }

  get meta(): Readonly<Record<string, unknown>> | undefined {
    const meta = isObject(this.params) ? this.params["_meta"] : undefined;
    return isObject(meta) ? meta : undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get progress(): (progress: number, total?: number, message?: string) => void {
    this.#progress ??= this.#progressSender();
    return this.#progress.report;
  }

  get request(): SendRequest<object> {
    const send = (
      method: string | CustomMessage,
      params?: unknown,
      options?: RequestOptions,
    ): Promise<unknown> => {
      this.hasAsked = true;
      if (this.#once?.isCalling) return quiet(Promise.reject(askedInOnce(method)));
      return this.#reason
        ? quiet(Promise.reject(this.#reason))
        : this.#conversation.request(method, params, options, this);
    };
    return send as SendRequest<object>;
  }

  get notify(): SendNotification<object> {
    const send = (method: string | CustomMessage, params?: unknown): Promise<void> =>
      this.#reason ? Promise.resolve() : this.#conversation.notify(method, params, this);
    return send as SendNotification<object>;
  }

  /** Resolves when no answer is due any more, with what ended it from outside, if anything did. */
  get over(): Promise<Error | undefined> {
    this.#over ??= new Promise((resolve) => {
      if (this.isOpen) this.#end = resolve;
      else resolve(this.#reason);
    });
    return this.#over;
  }

  /** Handles a message that is for the engine itself. */
  control(): unknown {
    return this.row.role && this.#conversation.control(this.row.role, this.params, this);
  }

  /** Is answered with this instead of what its handler gives; the handler's signal aborts afterwards. */
  answer(outcome: Promise<unknown>, reason: Error): void {
    this.#conversation.answer(this, outcome, reason);
  }

  /** Answers what is answered bit by bit: there will be no more of it. */
  retire(): void {
    this.#conversation.retire(this);
  }

  /** Ends it from outside: no answer is due any more. */
  abort(reason: Error): void {
    this.#reason = reason;
    // As long as it is open, so that the peer hears of it where it was asked.
    if (this.hasAsked) this.#conversation.abandon(this, reason);
    this.isOpen = false;
    this.standing?.drop();
    this.#progress?.stop();
    this.#controller?.abort(reason);
    this.#end?.(reason);
  }

  /** Ends it with an answer; news that were held back go out before it. */
  finish(): void {
    this.#progress?.finish();
    this.isOpen = false;
    this.#end?.(undefined);
  }

  expire(): void {
    this.#conversation.expire(this);
  }

  #progressSender(): ProgressSender {
    const { revision, roles } = this.binding;
    const row = roles.get("progress");
    const sender = new ProgressSender(this.meta, revision, (news) => {
      if (row) void this.#conversation.notify(row.method, news, this);
    });
    if (!this.isOpen) sender.stop();
    return sender;
  }
}

const NO_ANSWERS: Readonly<Record<string, unknown>> = Object.freeze({});

function noHeader(): undefined {
  return undefined;
}
