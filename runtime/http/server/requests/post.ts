import {
  type Auth,
  INTERNAL_ERROR,
  type Origin,
  type RequestId,
  type Revision,
} from "../../../wire/index.js";
import type { EventStream } from "../streams/event-stream.js";
import type { StreamSettings } from "../streams/stream-settings.js";
import { forbidWithoutScopes, type Refusal } from "./authentication.js";
import type { AnswerForm } from "./body.js";
import { EVENT_FIELDS, type Exchange, JSON_FIELDS } from "./exchange.js";
import type { HeaderFields, Problem } from "./problem.js";

export interface PostHost {
  readonly sessionId: string | undefined;
  readonly revision: Revision | undefined;
  /** True if streams begin with an event from which the client can resume. */
  readonly primes: boolean;
  readonly streams: StreamSettings;
  makeStream(post: Post): EventStream;
  /** Abandons the requests in progress when there is no time to wait for them. */
  leave(): void;
}

/** A POST in progress: one message, or an array of them, with one response (MCP: Streamable HTTP, sending messages). */
export class Post implements Origin {
  readonly host: PostHost;
  readonly exchange: Exchange;
  readonly auth: Auth | undefined;
  /** The ids of the requests that have been neither answered nor abandoned. */
  ids: readonly RequestId[];
  isDone = false;
  /** True if the requests came as a batch, which has one answer. */
  isBatch = false;
  stream: EventStream | undefined;
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
    this.auth = exchange.auth;
    this.ids = ids;
    this.#form = form;
  }

  /** The session or sender whose limits on POSTs in progress this POST counts towards; undefined if there is none. */
  get account(): object | string | undefined {
    return this.host;
  }

  get locals(): unknown {
    return this.exchange.head.locals;
  }

  header(name: string): string | undefined {
    return this.exchange.publicHeader(name);
  }

  /** Sets the status and the challenge of the response. Ignored in a batch, because the other answers would be lost. */
  forbid(scopes: readonly string[]): void {
    if (this.ids.length > 1) return;
    const { authenticator, auth } = this.exchange;
    this.#refusal = authenticator?.forbid(scopes, auth) ?? forbidWithoutScopes(scopes, auth);
  }

  /** Sets the status of the response to 503. Ignored in a batch, because the other answers would be lost. */
  defer(retryAfter: number): void {
    if (this.ids.length > 1) return;
    this.#refusal = { status: 503, headers: { "Retry-After": String(Math.ceil(retryAfter)) } };
  }

  /** True if a message can still be sent before the answer and would reach the client. */
  get canSend(): boolean {
    if (this.isDone || this.#form === "json") return false;
    return this.stream ? this.stream.isReachable : !this.exchange.isGone;
  }

  get isAwaited(): boolean {
    return this.stream ? this.stream.hasSink : !this.exchange.isGone;
  }

  open(fields: HeaderFields = EVENT_FIELDS): EventStream {
    if (this.stream) return this.stream;
    this.stream = this.host.makeStream(this);
    this.stream.attach(this.exchange.openStream(fields));
    if (this.host.primes) this.stream.prime();
    return this.stream;
  }

  /** @param more - header fields to send, if the response has not begun */
  answer(text: string, status: number, more?: HeaderFields): void {
    this.isDone = true;
    const { exchange } = this;
    if (this.#refusal && !this.stream) {
      const { status: refused, headers } = this.#refusal;
      return exchange.respond(refused, { ...JSON_FIELDS, ...headers }, text);
    }
    if (this.#form === "events" && status === 200) this.open({ ...EVENT_FIELDS, ...more });
    if (this.stream) {
      void this.stream.send(text);
      this.stream.end();
    } else {
      exchange.respond(status, more ? { ...JSON_FIELDS, ...more } : JSON_FIELDS, text);
      if (exchange.unread) this.host.streams.unread.watch(exchange.unread);
    }
  }

  accept(): void {
    this.isDone = true;
    this.exchange.respond(202);
  }

  /** Called when one of the POST's requests will not be answered; after the last one, the response ends. */
  giveUp(id: RequestId): void {
    this.ids = this.ids.filter((one) => one !== id);
    if (this.ids.length > 0 || this.isDone) return;
    this.isDone = true;
    if (this.stream) this.stream.end();
    else if (this.#form === "json") this.exchange.respond(202);
    else this.exchange.openStream(EVENT_FIELDS).end();
  }

  fail(refused: Problem): void {
    this.isDone = true;
    this.exchange.refuse(refused, this.host.revision, this.ids[0]);
  }

  /**
   * Called when the session or the server has ended. The handlers have started, so each request is answered with an
   * error: clients would repeat requests that are refused with 404 or 503.
   */
  abandon(): void {
    if (this.isDone) return;
    const answers = this.ids.map(abandoned);
    const text = JSON.stringify(this.isBatch ? answers : answers[0]);
    if (answers.length > 0) this.answer(text, 200);
    else this.accept();
  }
}

export function abandoned(id: RequestId): object {
  const message =
    "Internal error: the server ended the session or shut down before the request was answered";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
