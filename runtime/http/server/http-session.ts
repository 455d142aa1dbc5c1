import type { LastingMethods } from "../../api/index.js";
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
} from "../../wire/index.js";
import { answerText } from "./answer-text.js";
import { EventStream, type StreamSettings } from "./event-stream.js";
import type { Exchange, HeaderFields } from "./exchange.js";
import type { Fork } from "./server-instance.js";
import { requestIds } from "./message-ids.js";
import { MessageQueue } from "./message-queue.js";
import { type AnswerForm, EVENT_FIELDS, Post, type PostHost } from "./post.js";
import { ID_IN_FLIGHT, refuse } from "./problem.js";
import { failureOf, type SessionSharing } from "./session-sharing.js";
import type { Reading } from "./read-message.js";

/** Operations of the handler that a session needs. */
export interface SessionHost {
  readonly streams: StreamSettings;
  /** Messages that may wait for a stream. */
  readonly maxQueued: number;
  /** Absent where sessions stay at one instance. */
  readonly sharing: SessionSharing | undefined;
  /** A request was not answered at once. */
  waits(post: Post): void;
  /** Called when a waiting request has been settled. */
  settled(post: Post): void;
  /** A request or a stream of the session has ended just now. */
  used(session: HttpSession): void;
  /** The client has initialized; returns what the answer says about that. */
  opened(session: HttpSession): HeaderFields | Promise<HeaderFields>;
  closed(session: HttpSession): void;
}

/**
 * The connection to one client, over as many HTTP requests as it takes; without an id it ends with the first. Holds
 * next to nothing while none is under way.
 */
export class HttpSession implements Transport, TransportHooks, PostHost {
  readonly sessionId: string | undefined;
  /** Owner of the session, where senders are known. */
  readonly principal: string | undefined;
  /** Start of the ids of requests to the client, where other instances have such in the same session. */
  readonly requestIds: string | undefined;
  /** Parameters of the `initialize` that opens it, where other instances need them. */
  opening: unknown;
  readonly #server: Fork;
  /** Time of the last use, on the clock of `performance.now()`. */
  lastUsed: number = performance.now();
  /** Time at which it got its place among the sessions. */
  placed: number = this.lastUsed;
  revision: Revision | undefined;
  /** Network address of the message that opened it. */
  address: string | undefined;
  /** Size of the message that opened it, in bytes. */
  size = 0;
  isClosed = false;
  readonly #host: SessionHost;
  /** True once the client has initialized, so that it may come back. */
  #isOpen = false;
  #receiver: Receiver | undefined;
  /** The POST whose contents are being handed over: what is answered meanwhile belongs to it. */
  #current: Post | undefined;
  /** POSTs by the ids of their requests that were not answered at once. */
  #posts: Map<RequestId, Post> | undefined;
  /** Requests that are repeated, by their ids. */
  #repeats: Map<RequestId, () => void> | undefined;
  /** Streams by key. A finished stream is removed, though the store may still have its events. */
  #streams: Map<string, EventStream> | undefined;
  /** Stream that GET opens, for messages that belong to no request. */
  #listenStream: EventStream | undefined;
  #queued: MessageQueue | undefined;
  #streamNames: StreamNames | undefined;

  constructor(host: SessionHost, server: Fork, sessionId?: string, principal?: string) {
    this.#host = host;
    this.#server = server;
    this.sessionId = sessionId;
    this.principal = principal;
    this.requestIds = sessionId && host.sharing?.newRequestIds();
  }

  /** Methods of messages that hold for as long as the session does, with those that undo them. */
  get lasting(): LastingMethods | undefined {
    return this.#server.lasting;
  }

  /** True while a client waits for an answer or listens to a stream. */
  get isBusy(): boolean {
    for (const post of this.#posts?.values() ?? []) if (post.isAwaited) return true;
    for (const stream of this.#streams?.values() ?? []) if (stream.hasSink) return true;
    return this.#host.sharing?.isReading(this) ?? false;
  }

  /** Messages that wait for a stream. */
  get queued(): number {
    return this.#queued?.size ?? 0;
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

  /** True while a request with this id has no answer. */
  isWaiting(id: unknown): boolean {
    return this.#posts?.has(id as RequestId) ?? false;
  }

  /** Goes on with a session whose client has initialized elsewhere. */
  goOn(): void {
    this.#isOpen = true;
  }

  /** Hands over a message that came by another way than a POST to this instance; nothing is answered. */
  take(value: unknown): void {
    this.#receiver?.message(value);
  }

  /** Repeats a request that was answered elsewhere. Resolves when its handler is done. */
  repeat(request: RequestMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#repeats ??= new Map();
      this.#repeats.set(request.id, resolve);
      this.take(request);
    });
  }

  /**
   * Tells the client what the session may have missed while it was at no instance.
   * @param age - of the session, in milliseconds
   */
  async catchUp(age: number): Promise<void> {
    await this.#server.catchUp?.(age);
  }

  /** Hands over what a POST has brought, and answers that sooner or later. */
  receive(
    exchange: Exchange,
    { value, size }: Pick<Reading, "value" | "size">,
    form: AnswerForm,
  ): void {
    const ids = requestIds(value);
    if (this.#posts && ids.some((id) => this.#posts!.has(id))) {
      const id = Array.isArray(value) ? null : ids[0]!;
      return refuse(exchange, ID_IN_FLIGHT, this.revision, id);
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
    this.#posts ??= new Map();
    for (const id of post.ids) this.#posts.set(id, post);
    if (this.#isOpen || this.sessionId === undefined) this.#host.waits(post);
  }

  /** Answers a POST whose contents are no message. */
  refuse(exchange: Exchange, malformed: Malformed): void {
    const post = new Post(this, exchange, [], "json");
    this.#current = post;
    this.#receiver?.malformed(malformed);
    this.#current = undefined;
    if (!post.isDone) exchange.respond(400);
  }

  send(frame: Frame, relatedTo?: RequestId, once?: string): Promise<void> | undefined {
    const text = answerText(frame, this.streams);
    if ("method" in frame) return this.#tell(text, "id" in frame, relatedTo, once);
    if (Array.isArray(frame)) {
      const post = this.#postOfBatch(frame);
      if (post) this.#answer(post, text, post.ids.length > 0 ? 200 : 400);
    } else {
      this.#answerOne(frame as ResponseMessage, text);
    }
    return undefined;
  }

  canAsk(relatedTo?: RequestId): boolean {
    if (this.sessionId === undefined) return false;
    if (this.#find(relatedTo)?.canTell || this.#host.sharing) return true;
    return this.#listenStream?.hasSink ?? false;
  }

  releaseStream(relatedTo: RequestId, retry?: number): void {
    const post = this.#find(relatedTo);
    const isKept = this.sessionId !== undefined && this.#host.streams.store !== undefined;
    if (isKept && post?.canTell) post.open().release(retry);
  }

  unanswered(id: RequestId): void {
    const post = this.#find(id);
    if (post === undefined) return;
    this.#posts?.delete(id);
    post.giveUp(id);
    if (post.isDone) this.#finished(post);
  }

  /** Opens the stream for messages that belong to no request; the one before ends. */
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

  /** The stream of that name, as long as it is not over. */
  stream(key: string): EventStream | undefined {
    return this.#streams?.get(key);
  }

  /** Sends what has waited for a stream, when this is the one. */
  deliverWaiting(stream: EventStream): void {
    if (stream !== this.#listenStream || !stream.hasSink) return;
    const texts = this.#queued?.take() ?? [];
    this.#queued = undefined;
    for (const text of texts) void stream.send(text);
  }

  makeStream(post?: Post): EventStream {
    this.#streamNames ??= new StreamNames();
    const key = this.#streamNames.next();
    if (post && this.sessionId) this.#host.sharing?.events.open(this.sessionId, key, post);
    const stream = new EventStream(this.#host.streams, this.sessionId, key, this.#left);
    this.#streams ??= new Map();
    this.#streams.set(key, stream);
    return stream;
  }

  /** Ends the session from this side. */
  end(): void {
    void this.#server.close();
  }

  /** Ends the session, or, where several instances share it, the part of this one. */
  leave(): void {
    if (this.#isOpen && this.#host.sharing) this.#receiver?.closed(new SessionMovedError());
    else this.end();
  }

  /** Releases the session's resources, whoever ended it. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const post of new Set(this.#posts?.values())) {
      post.abandon();
      this.#host.settled(post);
    }
    for (const stream of this.#streams?.values() ?? []) stream.abandon();
    this.#posts = undefined;
    this.#streams = undefined;
    this.#listenStream = undefined;
    this.#queued = undefined;
    this.#host.closed(this);
  }

  /** Called when a connection ends, which cancels nothing (MCP: Streamable HTTP, sending messages). */
  readonly #left = (): void => this.#host.used(this);

  #find(id: RequestId | undefined): Post | undefined {
    if (id === undefined) return undefined;
    return this.#current?.has(id) ? this.#current : this.#posts?.get(id);
  }

  /** The last answer of a batch can come with a POST that cancels the request before it. */
  #postOfBatch(answers: readonly ResponseMessage[]): Post | undefined {
    for (const { id } of answers) {
      const post = this.#find(id ?? undefined);
      if (post) return post;
    }
    return this.#current;
  }

  #tell(
    text: string,
    isRequest: boolean,
    relatedTo: RequestId | undefined,
    once: string | undefined,
  ): Promise<void> | undefined {
    const post = this.#find(relatedTo);
    if (post?.canTell) return post.tell(text);
    const { sharing } = this.#host;
    if (sharing && this.sessionId !== undefined) return sharing.tell(this, text, once);
    if (this.#listenStream?.hasSink) return this.#listenStream.send(text);
    if (this.sessionId !== undefined && relatedTo === undefined) {
      this.#queued ??= new MessageQueue(this.#host.maxQueued);
      this.#queued.put(text, isRequest);
    }
    return undefined;
  }

  #answerOne(answer: ResponseMessage, text: string): void {
    const post = this.#current ?? this.#posts?.get(answer.id as RequestId);
    if (post === undefined) return this.#repeated(answer.id);
    if (!post.has(answer.id)) return this.#answer(post, text, 400);
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
    this.#host.settled(post);
    if (post.stream) this.#forget(post.stream);
    if (!this.#isOpen) this.#receiver?.ended();
  }

  /** A stream that is over is found in the store, as soon as all of it is there. */
  #forget(stream: EventStream): void {
    const { key, saving } = stream;
    if (saving) void saving.then(() => this.#streams?.delete(key));
    else this.#streams?.delete(key);
  }
}

/** Names that no two streams of a session have, nor those of another session, as far as chance allows. */
class StreamNames {
  readonly #prefix = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36).padStart(7, "0");
  #count = 0;

  next(): string {
    return this.#prefix + (this.#count++).toString(36);
  }
}
