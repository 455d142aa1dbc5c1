import type { LastingMethods } from "../../../api/index.js";
import { TransientMap } from "../../../ground/index.js";
import {
  type Frame,
  type Malformed,
  type Receiver,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type Revision,
  SessionMovedError,
  type Transport,
  type TransportHooks,
  UsedTransportError,
} from "../../../wire/index.js";
import { type AnswerForm, type BodyReading, requestIds } from "../requests/body.js";
import { EVENT_FIELDS, type Exchange } from "../requests/exchange.js";
import { Post, type PostHost } from "../requests/post.js";
import type { PostsInFlight } from "../requests/posts-in-flight.js";
import { failureOf, type HeaderFields, PROBLEMS } from "../requests/problem.js";
import type { Fork } from "../requests/server-instance.js";
import { EventStream } from "../streams/event-stream.js";
import { answerText } from "../streams/server-sent-events.js";
import type { StreamSettings } from "../streams/stream-settings.js";
import type { LocalSession, SessionSharing } from "./session-sharing.js";

export interface SessionHost {
  readonly streams: StreamSettings;
  readonly maxQueued: number;
  readonly sharing: SessionSharing | undefined;
  readonly posts: Pick<PostsInFlight, "add" | "delete">;
  used(session: HttpSession): void;
  /** Called when the client has initialized; returns header fields for the answer. */
  opened(session: HttpSession): HeaderFields | Promise<HeaderFields>;
  closed(session: HttpSession): void;
}

/**
 * A connection to one client over any number of HTTP requests. Without an id, it ends with the first request. It uses
 * little memory while no request is in progress.
 */
export class HttpSession implements Transport, TransportHooks, PostHost, LocalSession {
  readonly sessionId: string | undefined;
  readonly principal: string | undefined;
  /**
   * The prefix for the ids of requests to the client, used if other instances also send requests in the same session.
   */
  readonly requestIds: string | undefined;
  /** The parameters of the `initialize` request that opened the session, if other instances need them. */
  opening: unknown;
  readonly #server: Fork;
  /** The time of the last use, on the `performance.now()` clock. */
  lastUsed: number = performance.now();
  /** The time of the last use that moved the session to the end of the session list. */
  placed: number = this.lastUsed;
  revision: Revision | undefined;
  address: string | undefined;
  size = 0;
  isClosed = false;
  #isReleased = false;
  readonly #host: SessionHost;
  /** True once the client has initialized, so further requests can follow. */
  #isOpen = false;
  #receiver: Receiver | undefined;
  /** The POST whose messages are being delivered. Synchronous answers belong to it. */
  #current: Post | undefined;
  #posts: TransientMap<RequestId, Post> | undefined;
  #repeats: Map<RequestId, () => void> | undefined;
  /** The streams by key. A finished stream is removed, although the store may still have its events. */
  #streams: TransientMap<string, EventStream> | undefined;
  /** The stream that GET opens, for messages that belong to no request. */
  #listenStream: EventStream | undefined;
  #queued: QueuedMessage[] | undefined;
  /** The random prefix of the stream keys, which no other session uses. */
  #streamPrefix: string | undefined;
  #streamCount = 0;

  constructor(host: SessionHost, server: Fork, sessionId?: string, principal?: string) {
    this.#host = host;
    this.#server = server;
    this.sessionId = sessionId;
    this.principal = principal;
    this.requestIds = sessionId && host.sharing?.newRequestIds();
  }

  get lasting(): LastingMethods | undefined {
    return this.#server.lasting;
  }

  get isBusy(): boolean {
    for (const post of this.#posts?.values() ?? []) if (post.isAwaited) return true;
    for (const stream of this.#streams?.values() ?? []) if (stream.hasSink) return true;
    return this.#host.sharing?.isReading(this) ?? false;
  }

  get queued(): number {
    return this.#queued?.length ?? 0;
  }

  get streams(): StreamSettings {
    return this.#host.streams;
  }

  get hooks(): this {
    return this;
  }

  get primes(): boolean {
    return this.revision?.conventions.polling === true;
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
  }

  agreed(revision: Revision): void {
    this.revision = revision;
  }

  isWaiting(id: unknown): boolean {
    return this.#posts?.has(id as RequestId) ?? false;
  }

  restored(): void {
    this.#isOpen = true;
  }

  take(value: unknown): void {
    this.#receiver?.message(value);
  }

  repeat(request: RequestMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#repeats ??= new Map();
      this.#repeats.set(request.id, resolve);
      this.take(request);
    });
  }

  async catchUp(age: number): Promise<void> {
    await this.#server.catchUp?.(age);
  }

  receive(
    exchange: Exchange,
    { value, size }: Pick<BodyReading, "value" | "size">,
    form: AnswerForm,
  ): void {
    const ids = requestIds(value);
    if (this.#posts && ids.some((id) => this.#posts!.has(id))) {
      const id = Array.isArray(value) ? null : ids[0]!;
      return exchange.refuse(PROBLEMS.idInFlight, this.revision, id);
    }
    const post = new Post(this, exchange, ids, form, size);
    post.isBatch = Array.isArray(value);
    this.#current = post;
    this.#receiver?.message(value, post);
    this.#current = undefined;
    if (post.isDone) return;
    if (this.isClosed) return post.abandon();
    if (post.ids.length === 0) {
      post.accept();
      this.#finished(post);
      return;
    }
    this.#posts ??= new TransientMap();
    for (const id of post.ids) this.#posts.set(id, post);
    if (this.#isOpen || this.sessionId === undefined) this.#host.posts.add(post);
  }

  refuse(exchange: Exchange, malformed: Malformed): void {
    const post = new Post(this, exchange, [], "json");
    this.#current = post;
    this.#receiver?.malformed(malformed);
    this.#current = undefined;
    if (!post.isDone) exchange.respond(400);
  }

  send(frame: Frame, relatedTo?: RequestId, once?: string): Promise<void> | undefined {
    const text = answerText(frame, this.streams);
    if ("method" in frame) return this.#send(text, "id" in frame, relatedTo, once);
    if (Array.isArray(frame)) {
      const post = this.#postOfBatch(frame);
      if (post) this.#answer(post, text, post.ids.length > 0 ? 200 : 400);
    } else {
      this.#answerOne(frame as ResponseMessage, text);
    }
    return undefined;
  }

  canAsk(relatedTo?: RequestId): boolean {
    if (this.sessionId === undefined || this.isClosed) return false;
    if (this.#find(relatedTo)?.canSend || this.#host.sharing) return true;
    return this.#listenStream?.hasSink ?? false;
  }

  releaseStream(relatedTo: RequestId, retry?: number): void {
    const post = this.#find(relatedTo);
    const isKept = this.sessionId !== undefined && this.#host.streams.store !== undefined;
    if (isKept && post?.canSend) post.open().release(retry);
  }

  unanswered(id: RequestId): void {
    const post = this.#find(id);
    if (post === undefined) return;
    this.#posts?.delete(id);
    post.giveUp(id);
    if (post.isDone) this.#finished(post);
  }

  listen(exchange: Exchange): void {
    const before = this.#listenStream;
    const stream = this.makeStream();
    this.#listenStream = stream;
    if (before) {
      before.abandon();
      this.#streams?.delete(before.key);
    }
    stream.attach(exchange.openStream(EVENT_FIELDS));
    if (this.primes) stream.prime();
    this.deliverWaiting(stream);
  }

  stream(key: string): EventStream | undefined {
    return this.#streams?.get(key);
  }

  deliverWaiting(stream: EventStream): void {
    if (stream !== this.#listenStream || !stream.hasSink) return;
    const queued = this.#queued ?? [];
    this.#queued = undefined;
    for (const { text } of queued) void stream.send(text);
  }

  makeStream(post?: Post): EventStream {
    this.#streamPrefix ??= crypto
      .getRandomValues(new Uint32Array(1))[0]!
      .toString(36)
      .padStart(7, "0");
    const key = this.#streamPrefix + (this.#streamCount++).toString(36);
    if (post && this.sessionId) this.#host.sharing?.events.open(this.sessionId, key, post);
    const stream = new EventStream(this.#host.streams, this.sessionId, key, this.#left);
    this.#streams ??= new TransientMap();
    this.#streams.set(key, stream);
    return stream;
  }

  end(): void {
    void this.#server.close();
  }

  /** Ends the session. If several instances share it, it ends only at this one. */
  leave(): void {
    if (this.#isOpen && this.#host.sharing) this.#receiver?.closed(new SessionMovedError());
    else this.end();
  }

  /**
   * Ends a session that the store has lost. Requests in progress are answered first, because their handlers have
   * started, and clients would repeat the requests in a new session.
   */
  retire(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#host.closed(this);
    if (!this.#posts?.size) this.end();
  }

  close(): void {
    if (this.#isReleased) return;
    this.isClosed = this.#isReleased = true;
    for (const post of new Set(this.#posts?.values())) {
      post.abandon();
      this.#host.posts.delete(post);
    }
    for (const stream of this.#streams?.values() ?? []) stream.abandon();
    this.#posts = undefined;
    this.#streams = undefined;
    this.#listenStream = undefined;
    this.#queued = undefined;
    this.#host.closed(this);
  }

  /** Called when a connection ends. That cancels no request (MCP: Streamable HTTP, sending messages). */
  readonly #left = (): void => this.#host.used(this);

  #find(id: RequestId | undefined): Post | undefined {
    if (id === undefined) return undefined;
    return this.#current?.ids.includes(id) ? this.#current : this.#posts?.get(id);
  }

  /** Returns the batch's POST. The last answer may be caused by another POST, which cancels the last request. */
  #postOfBatch(answers: readonly ResponseMessage[]): Post | undefined {
    for (const { id } of answers) {
      const post = this.#find(id ?? undefined);
      if (post) return post;
    }
    return this.#current;
  }

  #send(
    text: string,
    isRequest: boolean,
    relatedTo: RequestId | undefined,
    once: string | undefined,
  ): Promise<void> | undefined {
    const post = this.#find(relatedTo);
    if (post?.canSend) return post.open().send(text);
    const { sharing } = this.#host;
    if (sharing && this.sessionId !== undefined) return sharing.send(this, text, once);
    if (this.#listenStream?.hasSink) return this.#listenStream.send(text);
    if (this.sessionId !== undefined && relatedTo === undefined) this.#queue({ text, isRequest });
    return undefined;
  }

  /** Keeps a message until there is a stream. If the limit is exceeded, the oldest notification is dropped first. */
  #queue(message: QueuedMessage): void {
    this.#queued ??= [];
    this.#queued.push(message);
    if (this.#queued.length <= this.#host.maxQueued) return;
    const dropped = this.#queued.findIndex(({ isRequest }) => !isRequest);
    this.#queued.splice(Math.max(dropped, 0), 1);
  }

  #answerOne(answer: ResponseMessage, text: string): void {
    const post = this.#current ?? this.#posts?.get(answer.id as RequestId);
    if (post === undefined) return this.#repeated(answer.id);
    if (!post.ids.includes(answer.id as RequestId)) return this.#answer(post, text, 400);
    const isOpening = !this.#isOpen && "result" in answer && this.sessionId !== undefined;
    if (!isOpening) return this.#answer(post, text, 200);
    this.#isOpen = true;
    const fields = this.#host.opened(this);
    if (!(fields instanceof Promise)) return this.#answer(post, text, 200, fields);
    void fields.then(
      (more) => this.#answer(post, text, 200, more),
      (error) => {
        post.fail(failureOf(error, this.#host.streams.report));
        this.end();
      },
    );
  }

  #repeated(id: unknown): void {
    this.#repeats?.get(id as RequestId)?.();
    this.#repeats?.delete(id as RequestId);
  }

  #answer(post: Post, text: string, status: number, fields?: HeaderFields): void {
    if (post.isDone) return;
    post.answer(text, status, fields);
    this.#finished(post);
  }

  #finished(post: Post): void {
    this.#host.used(this);
    for (const id of post.ids) if (this.#posts?.get(id) === post) this.#posts.delete(id);
    this.#host.posts.delete(post);
    if (post.stream) this.#forget(post.stream);
    if (!this.#isOpen) this.#receiver?.ended();
    // In a microtask, because the answer is still being sent.
    if (this.isClosed && !this.#posts?.size) queueMicrotask(() => this.end());
  }

  #forget(stream: EventStream): void {
    const { key, saving } = stream;
    if (saving) void saving.then(() => this.#streams?.delete(key));
    else this.#streams?.delete(key);
  }
}

interface QueuedMessage {
  readonly text: string;
  readonly isRequest: boolean;
}
