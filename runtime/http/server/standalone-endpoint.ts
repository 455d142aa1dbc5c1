import {
  INVALID_REQUEST,
  type Malformed,
  type Method,
  type Revision,
  classify,
  isRequestId,
  valueAt,
  whatIsWrong,
} from "../../wire/index.js";
import type { StreamSettings } from "./event-stream.js";
import type { Exchange } from "./exchange.js";
import type { Fork, Forkable } from "./forkable.js";
import { paramMismatch } from "./header-mismatch.js";
import { OpenListens } from "./open-listens.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import type { AnswerForm } from "./post.js";
import type { PostsInFlight } from "./posts-in-flight.js";
import { NO_STREAMS, type Problem, problem, refuse, refuseUnreadable } from "./problem.js";
import type { Reading } from "./read-message.js";
import { StandaloneChecks } from "./standalone-checks.js";
import { type Connected, StandaloneConnection } from "./standalone-connection.js";
import type { StandalonePost } from "./standalone-post.js";
import type { StandaloneHost, StandaloneRequest } from "./standalone-transport.js";

const NOT_ASKED = problem(400, "Invalid request: an answer, where nothing is asked of clients");

/** What it shares with the sessions beside it. */
export interface StandaloneOptions {
  /** Those whose requests stand alone; at least one, the preferred one first. */
  readonly revisions: readonly Revision[];
  readonly options: HttpHandlerOptions;
  readonly streams: StreamSettings;
  readonly underWay: PostsInFlight;
}

/** Answers requests that stand alone: compares them with their HTTP header, and hands them to the server. */
export class StandaloneEndpoint implements StandaloneHost {
  readonly streams: StreamSettings;
  readonly #underWay: PostsInFlight;
  readonly #listens: OpenListens;
  readonly #checks: StandaloneChecks;
  readonly #connection: StandaloneConnection;
  /** Notifications about a connection: this one belongs to no client alone. */
  readonly #ignored: ReadonlySet<string>;

  constructor(server: Forkable, { revisions, options, streams, underWay }: StandaloneOptions) {
    const { maxSubscriptionsPerPrincipal: most = DEFAULTS.maxSubscriptionsPerPrincipal } = options;
    this.streams = streams;
    this.#underWay = underWay;
    this.#listens = new OpenListens(most);
    this.#checks = new StandaloneChecks(revisions);
    this.#connection = new StandaloneConnection(server, this, this.preferred);
    const rows = server.revisions.flatMap(({ methods }) => [...methods.values()]);
    const engine = rows.filter(({ kind, role }) => kind === "notification" && role !== undefined);
    this.#ignored = new Set(engine.map(({ method }) => method));
  }

  get preferred(): Revision {
    return this.#checks.preferred.revision;
  }

  /** Takes what a POST has brought. */
  take(exchange: Exchange, reading: Reading, form: AnswerForm): void | Promise<void> {
    const { value, size } = reading;
    const kind = reading.malformedness ? "invalid" : classify(value);
    if (kind === "request" && isRequestId((value as StandaloneRequest).id)) {
      const request = value as StandaloneRequest;
      const connection = this.#connection.get();
      return connection instanceof Promise
        ? connection.then((made) => this.#request(made, exchange, request, size, form))
        : this.#request(connection, exchange, request, size, form);
    }
    if (kind === "notification") return this.#notification(exchange, value);
    const malformed = reading.malformedness ?? this.#whyMalformed(kind, value);
    if (malformed) refuseUnreadable(exchange, malformed, this.preferred);
    else refuse(exchange, NOT_ASKED, this.preferred);
  }

  waits(post: StandalonePost): void {
    if (post.listens) this.#listens.add(post);
    else this.#underWay.add(post);
  }

  settled(post: StandalonePost): void {
    if (post.listens) this.#listens.delete(post);
    else this.#underWay.delete(post);
  }

  /** Ends subscriptions with their answers, and whatever else is under way. */
  end(): Promise<void> {
    return this.#connection.end();
  }

  /** Without a wait, for nothing may come between looking whether there is room and taking it. */
  #request(
    { server, transport }: Connected,
    exchange: Exchange,
    request: StandaloneRequest,
    size: number,
    form: AnswerForm,
  ): void {
    const served = this.#checks.servedFor(request);
    const row = served?.revision.methods.get(request.method);
    const listens = row?.role === "listen";
    const refused =
      this.#checks.whyRefused(exchange, request, row) ??
      (listens
        ? this.#whyNoStream(exchange, form)
        : this.#underWay.whyFull(principal(exchange), size));
    if (refused) return this.#refuse(exchange, refused, request);
    const mismatch = row?.paramHeaders && this.#whyMismatch(exchange, request, row, server);
    if (mismatch) return this.#refuse(exchange, mismatch, request);
    const { statuses } = served ?? this.#checks.preferred;
    transport.request(exchange, request, { form, size, statuses, listens });
  }

  /** A notification needs nothing in its header, and there is nothing that one about a connection could be about. */
  async #notification(exchange: Exchange, value: unknown): Promise<void> {
    const { method } = value as { method: string };
    if (!this.#ignored.has(method)) {
      const { transport } = await this.#connection.get();
      transport.notification(exchange, value);
    }
    exchange.respond(202);
  }

  /** Parameters that are invalid in themselves are for the server to refuse. */
  #whyMismatch(
    exchange: Exchange,
    { method, params }: StandaloneRequest,
    row: Method,
    server: Fork,
  ): Problem | undefined {
    const headers = server.paramHeaders?.(method, params);
    if (!headers?.length) return undefined;
    const mismatch = paramMismatch(exchange, headers, valueAt(params, ["arguments"]));
    if (mismatch === undefined || row.params?.(params) === false) return undefined;
    return this.#checks.mismatch(mismatch);
  }

  #whyNoStream(exchange: Exchange, form: AnswerForm): Problem | undefined {
    return form === "json" ? NO_STREAMS : this.#listens.whyFull(principal(exchange));
  }

  #whyMalformed(kind: ReturnType<typeof classify>, value: unknown): Malformed | undefined {
    if (kind === "batch") {
      const { id } = this.preferred;
      const why = `there are no batches in ${id}: send one message at a time`;
      return { code: INVALID_REQUEST, problem: why };
    }
    if (kind !== "invalid" && kind !== "request") return undefined;
    return { code: INVALID_REQUEST, problem: whatIsWrong(value), value };
  }

  #refuse(exchange: Exchange, refused: Problem, { id }: StandaloneRequest): void {
    refuse(exchange, refused, this.preferred, id);
  }
}

function principal({ auth }: Exchange): string | undefined {
  return auth?.principal;
}
