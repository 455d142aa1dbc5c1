import type { Auth, Origin, RequestId, Revision } from "../../wire/index.js";
import { forbidWithoutMetadata, headerFor, type Refusal } from "./authentication.js";
import type { EventStream, StreamSettings } from "./event-stream.js";
import type { Exchange, HeaderFields } from "./exchange.js";
import { JSON_FIELDS, NO_SUCH_SESSION, type Problem, refuse, SHUTTING_DOWN } from "./problem.js";

/** `lazy`: JSON, unless something is to be said before the answer. */
export type AnswerForm = "lazy" | "json" | "events";

export const EVENT_FIELDS: HeaderFields = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** Operations of the owner of a POST. */
export interface PostHost {
  readonly sessionId: string | undefined;
  readonly revision: Revision | undefined;
  /** True when a stream starts with an event that tells the client where to resume. */
  readonly primes: boolean;
  readonly streams: StreamSettings;
  makeStream(post: Post): EventStream;
  /** Gives up the requests of this session, as no time is left for them. */
  leave(): void;
}

/** A POST under way: one message, or an array of them, answered at once (MCP: Streamable HTTP, sending messages). */
export class Post implements Origin {
  readonly host: PostHost;
  readonly exchange: Exchange;
  /** Time from which it had to wait, on the clock of `performance.now()`. */
  since = 0;
  /** Ids of its requests that have not been answered or given up. */
  ids: readonly RequestId[];
  isDone = false;
  /** True when its requests came as a batch, which has one answer. */
  isBatch = false;
  stream: EventStream | undefined;
  /** Approximate size of its body, in bytes. */
  readonly size: number;
  readonly #form: AnswerForm;
  #refusal: Refusal | undefined;

  constructor(
    host: PostHost,
    exchange: Exchange,
    ids: readonly RequestId[],
    form: AnswerForm,
    size = 0,
  ) {
    this.size = size;
    this.host = host;
    this.exchange = exchange;
    this.ids = ids;
    this.#form = form;
  }

  /** Rate-limit key. */
  get account(): object | string | undefined {
    return this.host;
  }

  get auth(): Auth | undefined {
    return this.exchange.auth;
  }

  header(name: string): string | undefined {
    return headerFor(this.exchange, name);
  }

  /** Has the answer carry a status and a challenge; the other answers of a batch would be lost by that. */
  forbid(scopes: readonly string[]): void {
    if (this.ids.length > 1) return;
    const { authenticator, auth } = this.exchange;
    this.#refusal = authenticator?.forbid(scopes, auth) ?? forbidWithoutMetadata(scopes, auth);
  }

  /** Has the answer carry status 503; the other answers of a batch would be lost by that. */
  defer(retryAfter: number): void {
    if (this.ids.length > 1) return;
    this.#refusal = { status: 503, headers: { "Retry-After": String(Math.ceil(retryAfter)) } };
  }

  /** True when a message can be sent before the answer, and would reach the client. */
  get canTell(): boolean {
    if (this.isDone || this.#form === "json") return false;
    return this.stream ? this.stream.isReachable : !this.exchange.isGone;
  }

  /** True while its client is connected. */
  get isAwaited(): boolean {
    return this.stream ? this.stream.hasSink : !this.exchange.isGone;
  }

  has(id: unknown): boolean {
    return this.ids.includes(id as RequestId);
  }

  tell(text: string): Promise<void> | undefined {
    return this.open().send(text);
  }

  /** Answers as a stream of events from here on. */
  open(fields: HeaderFields = EVENT_FIELDS): EventStream {
    if (this.stream) return this.stream;
    this.stream = this.host.makeStream(this);
    this.stream.attach(this.exchange.openStream(fields));
    if (this.host.primes) this.stream.prime();
    return this.stream;
  }

  /** @param more - header fields, for when none were sent before */
  answer(text: string, status: number, more?: HeaderFields): void {
    this.isDone = true;
    if (this.#refusal && !this.stream) {
      const { status: refused, headers } = this.#refusal;
      return this.exchange.respond(refused, { ...JSON_FIELDS, ...headers }, text);
    }
    if (this.#form === "events" && status === 200) this.open({ ...EVENT_FIELDS, ...more });
    if (this.stream) {
      void this.stream.send(text);
      this.stream.end();
    } else {
      this.exchange.respond(status, more ? { ...JSON_FIELDS, ...more } : JSON_FIELDS, text);
      if (this.exchange.unread) this.host.streams.unread.watch(this.exchange.unread);
    }
  }

  /** Responds 202: the body held no request. */
  accept(): void {
    this.isDone = true;
    this.exchange.respond(202);
  }

  /** A request in it will not be answered; without any left, nobody needs to wait. */
  giveUp(id: RequestId): void {
    this.ids = this.ids.filter((one) => one !== id);
    if (this.ids.length > 0 || this.isDone) return;
    this.isDone = true;
    if (this.stream) this.stream.end();
    else if (this.#form === "json") this.exchange.respond(202);
    else this.exchange.openStream(EVENT_FIELDS).end();
  }

  /** Refuses what it holds, before anything was said. */
  fail(refused: Problem): void {
    this.isDone = true;
    refuse(this.exchange, refused, this.host.revision, this.ids[0]);
  }

  /** The session is over. */
  abandon(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.stream) this.stream.abandon();
    else refuse(this.exchange, this.#whyAbandoned, this.host.revision);
  }

  get #whyAbandoned(): Problem {
    return this.host.sessionId === undefined ? SHUTTING_DOWN : NO_SUCH_SESSION;
  }
}
