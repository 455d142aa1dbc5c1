import type { StatelessRequests } from "../../engine/index.js";
import {
  INVALID_REQUEST,
  type Malformed,
  type Method,
  type NotificationMessage,
  type RequestMessage,
  type Revision,
  classify,
  isRequestId,
  revisionNamed,
  valueAt,
  whatIsWrong,
} from "../../wire/index.js";
import type { ByteBudget } from "./byte-budget.js";
import { EventStream, type StreamSettings } from "./event-stream.js";
import { headerFor } from "./authentication.js";
import type { Exchange } from "./exchange.js";
import type { Fork, ServerInstance } from "./server-instance.js";
import { paramMismatch } from "./header-mismatch.js";
import { OpenListens } from "./open-listens.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import { engineNotifications } from "./request-kinds.js";
import type { AnswerForm, Post } from "./post.js";
import type { PostsInFlight } from "./posts-in-flight.js";
import {
  NO_STREAMS,
  SUBSCRIPTION_TOO_LARGE,
  type Problem,
  problem,
  refuse,
  refuseUnreadable,
} from "./problem.js";
import type { Reading } from "./read-message.js";
import { StatelessChecks } from "./stateless-checks.js";
import { StatelessPost, type StatelessPostHost } from "./stateless-post.js";

const NOT_ASKED = problem(400, "Invalid request: an answer, where nothing is asked of clients");

/** Things that it shares with the sessions of the same endpoint. */
export interface StatelessOptions {
  /** Stateless revisions; at least one, the preferred one first. */
  readonly revisions: readonly Revision[];
  readonly options: HttpHandlerOptions;
  readonly streams: StreamSettings;
  readonly underWay: PostsInFlight;
  /** Bytes of the messages that opened subscriptions and sessions. */
  readonly kept: ByteBudget;
}

/** Answers stateless requests: compares each with its HTTP header, and hands it to the server. */
export class StatelessEndpoint implements StatelessPostHost {
  readonly sessionId = undefined;
  readonly primes = false;
  readonly revision: Revision;
  readonly #server: ServerInstance;
  readonly streams: StreamSettings;
  readonly #inFlight: PostsInFlight;
  readonly #listens: OpenListens;
  /** Size of a request for a subscription. */
  readonly #maxListenBytes: number;
  readonly #checks: StatelessChecks;
  /** Notifications about a connection, of which there is none. */
  readonly #ignored: ReadonlySet<string>;
  /** Server that the requests are handed to: made for the first of them, and again should it be closed. */
  #fork: Fork | undefined;
  #requests: StatelessRequests | undefined;

  constructor(
    server: ServerInstance,
    { revisions, options, streams, underWay, kept }: StatelessOptions,
  ) {
    const { maxSubscriptionsPerPrincipal: most = DEFAULTS.maxSubscriptionsPerPrincipal } = options;
    this.#server = server;
    this.streams = streams;
    this.#inFlight = underWay;
    this.#listens = new OpenListens(most, kept);
    this.#maxListenBytes = options.maxInitializeBytes ?? DEFAULTS.maxInitializeBytes;
    this.#checks = new StatelessChecks(revisions);
    this.revision = this.#checks.preferred;
    this.#ignored = engineNotifications(server.revisions);
  }

  /** Open subscriptions. */
  get subscriptions(): number {
    return this.#listens.size;
  }

  /** Refusal of a request whose header fields and body do not agree. */
  headerMismatch(text: string): Problem {
    return this.#checks.mismatch(text);
  }

  /** Takes the contents of a POST. */
  take(exchange: Exchange, reading: Reading, form: AnswerForm): void {
    const { value, size } = reading;
    const kind = reading.malformedness ? "invalid" : classify(value);
    if (kind === "request" && isRequestId((value as RequestMessage).id))
      return this.#request(exchange, value as RequestMessage, size, form);
    if (kind === "notification") return this.#notification(exchange, value as NotificationMessage);
    const malformed = reading.malformedness ?? this.#whyMalformed(kind, value);
    if (malformed) refuseUnreadable(exchange, malformed, this.revision);
    else refuse(exchange, NOT_ASKED, this.revision);
  }

  statusOf(code: number, request: RequestMessage): number {
    return this.#checks.statusOf(code, request, revisionNamed(request.params));
  }

  settled(post: StatelessPost): void {
    if (!post.isWaiting) return;
    post.isWaiting = false;
    if (post.listens) this.#listens.delete(post);
    else this.#inFlight.delete(post);
  }

  makeStream(post: Post): EventStream {
    return new EventStream(this.streams, undefined, "", () => this.#left(post as StatelessPost));
  }

  /** Ends subscriptions with their answers, and everything else that is under way. */
  leave(): void {
    this.end();
  }

  end(): void {
    this.#requests?.close();
  }

  /** Hands over a request without a wait: nothing may come between looking whether there is room and taking it. */
  #request(exchange: Exchange, request: RequestMessage, size: number, form: AnswerForm): void {
    const { method, params } = request;
    const version = revisionNamed(params);
    const row = this.#checks.rowOf(method, version);
    const listens = row?.role === "listen";
    const refused =
      this.#checks.whyRefused(exchange, request, version, row) ??
      (listens
        ? this.#whyNoStream(exchange, form, size)
        : this.#inFlight.whyFull(exchange.auth?.principal, size));
    if (refused) return refuse(exchange, refused, this.revision, request.id);
    const requests = this.#serving();
    const mismatch = row?.paramHeaders && this.#whyMismatch(exchange, request, row);
    if (mismatch) return refuse(exchange, mismatch, this.revision, request.id);
    const post = new StatelessPost(this, exchange, request, { form, size, listens });
    requests.handle(request, version, post, post);
    this.#handedOver(post, requests);
  }

  #handedOver(post: StatelessPost, requests: StatelessRequests): void {
    const { exchange } = post;
    if (requests.isClosed) post.abandon();
    if (post.isDone) {
      if (exchange.isGone) requests.cancel(post);
      return;
    }
    post.isWaiting = true;
    if (post.listens) this.#listens.add(post);
    else this.#inFlight.add(post);
    if (exchange.isGone) this.#left(post);
    else exchange.whenGone(() => this.#left(post));
  }

  /** Handles a notification, which needs no header fields; notifications about a connection are ignored. */
  #notification(exchange: Exchange, notification: NotificationMessage): void {
    const { method, params } = notification;
    if (!this.#ignored.has(method)) {
      const { auth } = exchange;
      const origin = { auth, header: (name: string) => headerFor(exchange, name) };
      this.#serving().react(notification, revisionNamed(params), origin);
    }
    exchange.respond(202);
  }

  /** Cancels a request whose client has gone away (MCP: Streamable HTTP, cancellation). */
  #left(post: StatelessPost): void {
    if (post.isDone) return;
    post.isDone = true;
    post.stream?.abandon();
    this.settled(post);
    this.#requests?.cancel(post);
  }

  #serving(): StatelessRequests {
    if (this.#requests && !this.#requests.isClosed) return this.#requests;
    this.#fork = this.#server.fork();
    this.#requests = this.#fork.statelessRequests();
    return this.#requests;
  }

  /** Parameters that are invalid in themselves are for the server to refuse. */
  #whyMismatch(
    exchange: Exchange,
    { method, params }: RequestMessage,
    row: Method,
  ): Problem | undefined {
    const headers = this.#fork?.paramHeaders?.(method, params);
    if (!headers?.length) return undefined;
    const mismatch = paramMismatch(exchange, headers, valueAt(params, ["arguments"]));
    if (mismatch === undefined || row.params?.(params) === false) return undefined;
    return this.#checks.mismatch(mismatch);
  }

  #whyNoStream({ auth }: Exchange, form: AnswerForm, size: number): Problem | undefined {
    if (form === "json") return NO_STREAMS;
    if (size > this.#maxListenBytes) return SUBSCRIPTION_TOO_LARGE;
    return this.#listens.whyFull(auth?.principal, size);
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
