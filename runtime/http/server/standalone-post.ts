import type { Auth, Origin, RequestId } from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import { type AnswerForm, Post, type PostHost } from "./post.js";
import { refuse, SHUTTING_DOWN } from "./problem.js";

/** What there is to know of a request that stands alone, beside itself. */
export interface StandaloneFacts {
  readonly form: AnswerForm;
  /** Of the body, in bytes, more or less. */
  readonly size: number;
  /** HTTP statuses by the code of the error; 200 for all others. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Whether it opens a subscription, whose answer comes when that ends. */
  readonly listens: boolean;
}

/** A POST with one request, which says all about itself. */
export class StandalonePost extends Post implements Origin {
  /** Under which it is delivered: no two clients use the same. */
  readonly key: number;
  /** That the client gave it. */
  readonly id: RequestId;
  readonly listens: boolean;
  readonly #statuses: ReadonlyMap<number, number>;

  constructor(
    host: PostHost,
    exchange: Exchange,
    key: number,
    id: RequestId,
    { form, size, statuses, listens }: StandaloneFacts,
  ) {
    super(host, exchange, [key], form, size);
    this.key = key;
    this.id = id;
    this.listens = listens;
    this.#statuses = statuses;
  }

  override get account(): string | undefined {
    return this.exchange.auth?.principal;
  }

  get auth(): Auth | undefined {
    return this.exchange.auth;
  }

  header(name: string): string | undefined {
    return this.exchange.header(name);
  }

  statusOf(code: number): number {
    return this.#statuses.get(code) ?? 200;
  }

  override abandon(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.stream) this.stream.abandon();
    else refuse(this.exchange, SHUTTING_DOWN, this.host.revision, this.id);
  }
}
