import {
  type Frame,
  type Receiver,
  type RequestId,
  type ResponseMessage,
  type Revision,
  type Transport,
  UsedTransportError,
  frameText,
} from "../../wire/index.js";
import { EventStream, type StreamSettings } from "./event-stream.js";
import type { Exchange } from "./exchange.js";
import type { Fork } from "./forkable.js";
import type { Post, PostHost } from "./post.js";
import { type StandaloneFacts, StandalonePost } from "./standalone-post.js";

/** What the transport needs of the handler that it belongs to. */
export interface StandaloneHost {
  readonly streams: StreamSettings;
  /** A request was not answered at once. */
  waits(post: StandalonePost): void;
  /** A request that waited does so no more. */
  settled(post: StandalonePost): void;
}

/** A request as it was received. */
export interface StandaloneRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/**
 * The one connection on which a server answers all requests that stand alone, whoever sends them. Ids are only unique
 * for each client, so each request is delivered under a key instead.
 */
export class StandaloneTransport implements Transport, PostHost {
  readonly hasStreams = true;
  readonly sessionId = undefined;
  readonly primes = false;
  readonly revision: Revision;
  isClosed = false;
  readonly #host: StandaloneHost;
  readonly #server: Fork;
  #receiver: Receiver | undefined;
  #lastKey = 0;
  /** The request that is being handed over. */
  #current: StandalonePost | undefined;
  /** Those that were not answered at once. */
  readonly #posts = new Map<RequestId, StandalonePost>();

  constructor(host: StandaloneHost, server: Fork, revision: Revision) {
    this.#host = host;
    this.#server = server;
    this.revision = revision;
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
  }

  /** Hands over a request, and answers it sooner or later. */
  request(
    exchange: Exchange,
    { id, method, params }: StandaloneRequest,
    facts: StandaloneFacts,
  ): void {
    const key = ++this.#lastKey;
    const post = new StandalonePost(this, exchange, key, id, facts);
    this.#current = post;
    this.#receiver?.message({ jsonrpc: "2.0", id: key, method, params }, post);
    this.#current = undefined;
    if (this.isClosed) post.abandon();
    if (post.isDone) {
      if (post.stream && exchange.isGone) this.#receiver?.abandoned(key);
      return;
    }
    this.#posts.set(key, post);
    this.#host.waits(post);
    if (exchange.isGone) this.#left(post);
    else exchange.whenGone(() => this.#left(post));
  }

  /** Hands over a notification, which belongs to nothing. */
  notification(exchange: Exchange, value: unknown): void {
    const { auth } = exchange;
    this.#receiver?.message(value, { auth, header: (name) => exchange.header(name) });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    if (Array.isArray(frame)) return undefined;
    if (!("method" in frame)) {
      this.#answer(frame as ResponseMessage);
      return undefined;
    }
    const post = this.#find(relatedTo);
    return post?.canTell ? post.tell(frameText(frame)) : undefined;
  }

  canAsk(): boolean {
    return false;
  }

  makeStream(post: Post): EventStream {
    return new EventStream(this.#host.streams, undefined, "", () =>
      this.#left(post as StandalonePost),
    );
  }

  /** Ends the connection from this side. */
  end(): void {
    void this.#server.close();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const post of this.#posts.values()) {
      post.abandon();
      this.#host.settled(post);
    }
    this.#posts.clear();
  }

  #find(key: RequestId | null | undefined): StandalonePost | undefined {
    if (key === undefined || key === null) return undefined;
    return this.#current?.key === key ? this.#current : this.#posts.get(key);
  }

  #answer(answer: ResponseMessage): void {
    const post = this.#find(answer.id);
    if (post === undefined || post.isDone) return;
    const { id } = post;
    if ("error" in answer) {
      const { error } = answer;
      post.answer(frameText({ jsonrpc: "2.0", id, error }), post.statusOf(error.code));
    } else {
      post.answer(frameText({ jsonrpc: "2.0", id, result: answer.result }), 200);
    }
    this.#settled(post);
  }

  /** The client has gone away from a request, which cancels it (MCP: Streamable HTTP, cancellation). */
  #left(post: StandalonePost): void {
    if (post.isDone) return;
    post.isDone = true;
    post.stream?.abandon();
    this.#settled(post);
    this.#receiver?.abandoned(post.key);
  }

  #settled(post: StandalonePost): void {
    if (this.#posts.delete(post.key)) this.#host.settled(post);
  }
}
