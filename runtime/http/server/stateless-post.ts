import type { Reply } from "../../engine/index.js";
import {
  type Message,
  type RequestMessage,
  type ResponseMessage,
  frameText,
} from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import { answerText } from "./answer-text.js";
import { type AnswerForm, Post, type PostHost } from "./post.js";
import { SHUTTING_DOWN, refuse } from "./problem.js";

/** Endpoint of stateless posts. */
export interface StatelessPostHost extends PostHost {
  /** HTTP status of an error. */
  statusOf(code: number, request: RequestMessage): number;
  /** Called when a request has been answered, or never will be. */
  settled(post: StatelessPost): void;
}

/** Facts about a stateless POST besides its message. */
export interface StatelessPostFacts {
  readonly form: AnswerForm;
  /** Approximate size of the body, in bytes. */
  readonly size: number;
  /** True for a request that opens a subscription, whose answer comes when that ends. */
  readonly listens: boolean;
}

/** POST with one stateless request, and the way back to its sender. */
export class StatelessPost extends Post implements Reply {
  readonly hasOwnStream = true;
  readonly request: RequestMessage;
  readonly listens: boolean;
  /** True while the request counts among those that wait. */
  isWaiting = false;
  readonly #host: StatelessPostHost;

  constructor(
    host: StatelessPostHost,
    exchange: Exchange,
    request: RequestMessage,
    { form, size, listens }: StatelessPostFacts,
  ) {
    super(host, exchange, [request.id], form, size);
    this.#host = host;
    this.request = request;
    this.listens = listens;
  }

  override get account(): string | undefined {
    return this.exchange.auth?.principal;
  }

  get connection(): object {
    return this.#host;
  }

  respond(answer: ResponseMessage): void {
    if (this.isDone) return;
    const text = answerText(answer, this.#host.streams);
    const isError = "error" in answer;
    this.answer(text, isError ? this.#host.statusOf(answer.error.code, this.request) : 200);
    this.#host.settled(this);
  }

  send(message: Message): Promise<void> | undefined {
    return this.canTell ? this.tell(frameText(message)) : undefined;
  }

  /** Does nothing: only a client that has left cancels a request. */
  cancelled(): void {}

  dropped(): void {
    this.abandon();
    this.#host.settled(this);
  }

  override abandon(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.stream) this.stream.abandon();
    else refuse(this.exchange, SHUTTING_DOWN, this.host.revision, this.request.id);
  }
}
