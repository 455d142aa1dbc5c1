import type { Reply, StatelessRequests } from "../../../engine/index.js";
import { tally } from "../../../ground/index.js";
import {
  INVALID_REQUEST,
  type Malformed,
  type Message,
  type Method,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  type Revision,
  classify,
  frameText,
  isRequestId,
  revisionNamed,
  valueAt,
  whatIsWrong,
} from "../../../wire/index.js";
import type { AnswerForm, BodyReading } from "../requests/body.js";
import type { Exchange } from "../requests/exchange.js";
import { Post, type PostHost } from "../requests/post.js";
import { headerMismatch, type Problem, PROBLEMS } from "../requests/problem.js";
import type { Fork } from "../requests/server-instance.js";
import type { EndpointParts } from "../endpoint-parts.js";
import { EventStream } from "../streams/event-stream.js";
import { answerText } from "../streams/server-sent-events.js";
import { type StreamSettings, streamsOf } from "../streams/stream-settings.js";
import { paramMismatch, type StatelessChecks, statelessChecks } from "./stateless-checks.js";

/**
 * The endpoint for stateless requests. It compares each request with its header fields, and passes it to the server.
 */
export class StatelessEndpoint implements PostHost {
  readonly sessionId = undefined;
  readonly primes = false;
  readonly revision: Revision;
  readonly streams: StreamSettings;
  subscriptions = 0;
  readonly #parts: EndpointParts;
  readonly #checks: StatelessChecks;
  readonly #revisions: ReadonlyMap<unknown, Revision>;
  readonly #perPrincipal = tally<string>();
  /** The notifications about a connection, which a stateless request does not have. */
  readonly #ignored: ReadonlySet<string>;
  /** The server that handles the requests, created for the first one, and again after the server was closed. */
  #fork: Fork | undefined;
  #requests: StatelessRequests | undefined;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.streams = streamsOf(parts);
    this.#checks = statelessChecks(parts.revisions.stateless);
    this.revision = parts.revisions.stateless[0]!;
    this.#revisions = new Map(parts.revisions.stateless.map((one) => [one.id, one]));
    const rows = parts.server.revisions.flatMap(({ methods }) => [...methods.values()]);
    this.#ignored = new Set(
      rows.flatMap(({ kind, method, role }) => (kind === "notification" && role ? [method] : [])),
    );
  }

  /** Loads the server's code before the first request; returns undefined if it has already been loaded. */
  load(): Promise<void> | undefined {
    return this.#requests ? undefined : this.#parts.server.fork().loadStateless?.();
  }

  /** Handles the contents of a POST. Callers wait for {@link load} first. */
  handle(exchange: Exchange, reading: BodyReading, form: AnswerForm): void {
    const { value, size } = reading;
    const kind = reading.malformedness ? "invalid" : classify(value);
    if (kind === "request" && isRequestId((value as RequestMessage).id))
      return this.#request(exchange, value as RequestMessage, size, form);
    if (kind === "notification") return this.#notification(exchange, value as NotificationMessage);
    const malformed = reading.malformedness ?? this.#whyMalformed(kind, value);
    if (malformed) exchange.refuseUnreadable(malformed, this.revision);
    else exchange.refuse(PROBLEMS.unexpectedAnswer, this.revision);
  }

  statusOf(code: number, request: RequestMessage): number {
    return this.#checks.statusOf(code, request, revisionNamed(request.params));
  }

  settled(post: StatelessPost): void {
    if (!post.isWaiting) return;
    post.isWaiting = false;
    if (post.isSubscription) this.#countSubscription(post, -1);
    else this.#parts.posts.delete(post);
  }

  makeStream(post: Post): EventStream {
    return new EventStream(this.streams, undefined, "", () => this.#left(post as StatelessPost));
  }

  /** Ends subscriptions with their results, and aborts all other requests. */
  leave(): void {
    this.#requests?.close();
  }

  /**
   * Handles a request synchronously, so that no other request is counted between the limit check and the counting of
   * this one.
   */
  #request(exchange: Exchange, request: RequestMessage, size: number, form: AnswerForm): void {
    const { method, params } = request;
    const version = revisionNamed(params);
    const row = this.#revisions.get(version)?.methods.get(method);
    const isSubscription = row?.role === "listen";
    const refused =
      this.#checks.whyRefused(exchange, request, version, row) ??
      (isSubscription
        ? this.#whyNoSubscription(exchange, form, size)
        : this.#parts.posts.whyFull(exchange.auth?.principal, size));
    if (refused) return exchange.refuse(refused, this.revision, request.id);
    const requests = this.#requests?.isClosed === false ? this.#requests : this.#serve();
    const mismatch = row?.paramHeaders && this.#whyMismatch(exchange, request, row);
    if (mismatch) return exchange.refuse(mismatch, this.revision, request.id);
    const post = new StatelessPost(this, exchange, request, form, size, isSubscription);
    requests.handle(request, version, post, post);
    if (requests.isClosed) post.abandon();
    if (!post.isDone) this.#wait(post);
    else if (exchange.isGone) requests.cancel(post);
  }

  #wait(post: StatelessPost): void {
    const { exchange } = post;
    post.isWaiting = true;
    if (post.isSubscription) this.#countSubscription(post, 1);
    else this.#parts.posts.add(post);
    if (exchange.isGone) this.#left(post);
    else exchange.whenGone(() => this.#left(post));
  }

  #notification(exchange: Exchange, notification: NotificationMessage): void {
    const { method, params } = notification;
    if (!this.#ignored.has(method)) {
      const { auth } = exchange;
      const origin = { auth, header: (name: string) => exchange.publicHeader(name) };
      const requests = this.#requests?.isClosed === false ? this.#requests : this.#serve();
      requests.react(notification, revisionNamed(params), origin);
    }
    exchange.respond(202);
  }

  /** Cancels a request whose client has disconnected (MCP: Streamable HTTP, cancellation). */
  #left(post: StatelessPost): void {
    if (post.isDone) return;
    post.isDone = true;
    post.stream?.abandon();
    this.settled(post);
    this.#requests?.cancel(post);
  }

  #serve(): StatelessRequests {
    const fork = this.#parts.server.fork();
    const requests = fork.statelessRequests();
    this.#fork = fork;
    this.#requests = requests;
    return requests;
  }

  /**
   * Returns the problem if arguments and header fields differ. Parameters that are invalid in themselves are ignored
   * here, because the server refuses them.
   */
  #whyMismatch(
    exchange: Exchange,
    { method, params }: RequestMessage,
    row: Method,
  ): Problem | undefined {
    const headers = this.#fork?.paramHeaders?.(method, params);
    if (!headers?.length) return undefined;
    const mismatch = paramMismatch(exchange, headers, valueAt(params, ["arguments"]));
    if (mismatch === undefined || row.params?.(params) === false) return undefined;
    return headerMismatch(this.revision, mismatch);
  }

  #whyNoSubscription({ auth }: Exchange, form: AnswerForm, size: number): Problem | undefined {
    const { settings, kept } = this.#parts;
    if (form === "json") return PROBLEMS.noStreams;
    if (size > settings.maxInitializeBytes) return PROBLEMS.subscriptionTooLarge;
    const own = auth === undefined ? 0 : this.#perPrincipal.of(auth.principal);
    if (own >= settings.maxSubscriptionsPerPrincipal) return PROBLEMS.manySubscriptions;
    return kept.bytes + size > kept.most ? PROBLEMS.overloaded : undefined;
  }

  #countSubscription({ account, size }: StatelessPost, change: 1 | -1): void {
    this.subscriptions += change;
    this.#parts.kept.bytes += change * size;
    if (account !== undefined) this.#perPrincipal.add(account, change);
  }

  #whyMalformed(kind: ReturnType<typeof classify>, value: unknown): Malformed | undefined {
    if (kind === "batch") {
      const { id } = this.revision;
      const why = `there are no batches in ${id}: send one message at a time`;
      return { code: INVALID_REQUEST, problem: why };
    }
    if (kind !== "invalid" && kind !== "request") return undefined;
    return { code: INVALID_REQUEST, problem: whatIsWrong(value), value };
  }
}

/** A POST with one stateless request, whose answer is sent as the response. */
class StatelessPost extends Post implements Reply {
  readonly hasOwnStream = true;
  readonly request: RequestMessage;
  /** True for a request that opens a subscription, which is answered when the subscription ends. */
  readonly isSubscription: boolean;
  /** True while the request counts towards the limits. */
  isWaiting = false;
  readonly connection: StatelessEndpoint;

  constructor(
    endpoint: StatelessEndpoint,
    exchange: Exchange,
    request: RequestMessage,
    form: AnswerForm,
    size: number,
    isSubscription: boolean,
  ) {
    super(endpoint, exchange, [request.id], form, size);
    this.connection = endpoint;
    this.request = request;
    this.isSubscription = isSubscription;
  }

  override get account(): string | undefined {
    return this.exchange.auth?.principal;
  }

  respond(answer: ResponseMessage): void {
    if (this.isDone) return;
    const endpoint = this.connection;
    const text = answerText(answer, endpoint.streams);
    const isError = "error" in answer;
    this.answer(text, isError ? endpoint.statusOf(answer.error.code, this.request) : 200);
    if (this.isWaiting) endpoint.settled(this);
  }

  send(message: Message): Promise<void> | undefined {
    return this.canSend ? this.open().send(frameText(message)) : undefined;
  }

  /** Does nothing, because a stateless request is cancelled only by disconnecting. */
  cancelled(): void {}

  dropped(): void {
    this.abandon();
    this.connection.settled(this);
  }
}
