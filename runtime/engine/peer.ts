import type { Batch } from "./batch.js";
import type { Binding } from "./binding.js";
import { closedBy, closedHere, isOver } from "./connection-errors.js";
import type {
  ConnectOptions,
  CustomMessage,
  Progress,
  RequestOptions,
  Session,
} from "../api/index.js";
import { type AbortWatch, type Deadlines, LONGEST_DELAY, quiet } from "../ground/index.js";
import {
  ConnectionClosedError,
  type Frame,
  type Malformed,
  type Method,
  type OnLoss,
  type Origin,
  type Receiver,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type Role,
  type Side,
  type Transport,
  UsedTransportError,
} from "../wire/index.js";
import type { Handling } from "./handling.js";
import { Inbox, type InboxHost } from "./inbox.js";
import { Incoming } from "./incoming.js";
import type { IncomingHost } from "./incoming-host.js";
import type { Agreement, Lifecycle } from "./lifecycle.js";
import { outboundOf } from "./outbound-of.js";
import { Outgoing, type OutgoingHost } from "./outgoing.js";
import type { PeerOptions } from "./peer-options.js";
import { PeerSession } from "./peer-session.js";
import { Sender, type SenderHost } from "./sender.js";

const NO_OPTIONS: RequestOptions = {};

/**
 * One end of a connection, the same for both sides: brings requests and answers together, in both
 * directions. What may be said when, and under which revision, its lifecycle tells.
 */
export class Peer implements Receiver, InboxHost, IncomingHost, OutgoingHost, SenderHost {
  readonly side: Side;
  readonly deadlines: Deadlines;
  readonly aborts: AbortWatch;
  readonly report: (error: Error) => void;
  readonly onloss: OnLoss | undefined;
  /** Resolves when the connection is over, with the error that ended it, if one did. */
  readonly finished: Promise<Error | undefined>;
  readonly #transport: Transport;
  readonly #lifecycle: Lifecycle;
  /** Milliseconds that handlers may go on when the peer has sent its last. */
  readonly #drain: number;
  readonly #incoming: Incoming;
  readonly #outgoing: Outgoing;
  readonly #sender: Sender;
  readonly #inbox: Inbox;
  #finish!: (error: Error | undefined) => void;
  /** `ending`: the peer has said its last, and still waits for answers. */
  #state: "open" | "ending" | "closed" = "open";
  /** What ended the connection, if that was not in order. */
  #failure: Error | undefined;
  #drainTimer: ReturnType<typeof setTimeout> | undefined;
  #session: Session | undefined;

  constructor(options: PeerOptions) {
    const { limits, handlerTimeout } = options;
    this.side = options.side;
    this.deadlines = options.deadlines;
    this.aborts = options.aborts;
    this.report = options.report;
    this.onloss = options.onloss;
    this.#transport = options.transport;
    this.#lifecycle = options.lifecycle;
    this.#drain = Math.min(limits.drain, LONGEST_DELAY);
    this.#incoming = new Incoming(this, { limit: limits.incoming, handlerTimeout });
    this.#outgoing = new Outgoing(this, this.#incoming, limits.outgoing, options.times);
    const { lifecycle, sending: middleware, onloss } = options;
    this.#sender = new Sender(this, { lifecycle, outgoing: this.#outgoing, middleware, onloss });
    this.#inbox = new Inbox(this, this.#incoming, this.#outgoing, limits.batch);
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get binding(): Binding {
    return this.#lifecycle.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#lifecycle.agreement;
  }

  get session(): Session {
    this.#session ??= new PeerSession(this);
    return this.#session;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  get hasStreams(): boolean {
    return this.#transport.hasStreams ?? false;
  }

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** Starts the transport. What it gives resolves when there is no point in waiting any more, too. */
  start(): Promise<unknown> | undefined {
    const starting = this.#transport.start(this);
    return starting ? Promise.race([starting, this.finished]) : undefined;
  }

  /** Opens the conversation. */
  open(options: ConnectOptions): Promise<void> {
    return this.#lifecycle.open(this, options);
  }

  /** Asks for a sign of life, which the engine of any peer gives. */
  async ping(timeout: number): Promise<void> {
    const row = this.#lifecycle.binding.roles.get("ping");
    if (row) await this.request(row.method, undefined, { timeout, maxTotalTimeout: timeout });
  }

  /** What a received message is handled under. */
  bindingFor(kind: Method["kind"], method: string, params: unknown): Binding {
    const lifecycle = this.#lifecycle;
    return lifecycle.receive?.(kind, method, params) ?? lifecycle.binding;
  }

  message(value: unknown, origin?: Origin): void {
    if (this.#state === "closed") return;
    try {
      this.#inbox.take(value, origin);
    } catch (error) {
      this.report(error as Error);
    }
  }

  malformed(problem: Malformed): void {
    if (this.#state === "closed") return;
    try {
      this.#inbox.malformed(problem);
    } catch (error) {
      this.report(error as Error);
    }
  }

  failed(id: RequestId | undefined, error: Error): void {
    if (id === undefined) this.report(error);
    else this.#outgoing.fail(id, error);
  }

  abandoned(id: RequestId): void {
    this.#incoming.cancel(id, undefined);
  }

  ended(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#outgoing.close(() => new ConnectionClosedError("The peer has stopped sending"));
    this.#incoming.retireAll();
    if (this.#incoming.isIdle) void this.close();
    else this.#drainTimer = setTimeout(() => void this.close(), this.#drain);
  }

  idle(): void {
    if (this.#state === "ending") void this.close();
  }

  closed(error?: Error): void {
    void this.#endWith(() => closedBy(error), error);
  }

  /** Ends the connection: what waits for an answer rejects, what is being handled is aborted. */
  async close(error?: Error): Promise<void> {
    if (this.#state !== "closed" && error === undefined) this.#incoming.retireAll();
    await this.#endWith(closedHere, error);
    await this.finished;
  }

  /** Whether a request could reach the peer now. */
  canAsk(during?: Handling): boolean {
    return this.#transport.canAsk?.(during?.isOpen ? during.key : undefined) ?? true;
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = NO_OPTIONS,
    during?: Handling,
  ): Promise<unknown> {
    try {
      const { alone } = during?.binding ?? {};
      if (this.#state !== "open" && !alone) throw isOver(this.#failure);
      const message = outboundOf("request", method, params);
      return alone
        ? quiet(alone.ask(message, options, during!))
        : this.#sender.request(message, options, during);
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  notify(method: string | CustomMessage, params: unknown, during?: Handling): Promise<void> {
    try {
      if (this.#state === "closed") throw isOver(this.#failure);
      const sending = this.#sender.notify(outboundOf("notification", method, params), during);
      return (sending as Promise<void> | undefined) ?? Promise.resolve();
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  send(message: RequestMessage, during: Handling | undefined): void {
    void this.transmit(message, during);
  }

  /** A transport whose promise rejects breaks its contract, which is no reason to end a process. */
  transmit(frame: Frame, during?: Handling): Promise<void> | undefined {
    const relatedTo = during?.isOpen ? during.key : undefined;
    return this.#transport.send(frame, relatedTo)?.catch(this.report);
  }

  arrived(row: Method, result: unknown): unknown {
    return this.#lifecycle.arrived?.(row, result) ?? result;
  }

  giveUp(id: RequestId): boolean {
    return this.#transport.giveUp?.(id) ?? false;
  }

  respond(message: ResponseMessage, batch: Batch | undefined): void {
    if (this.#state === "closed") return;
    if (batch === undefined) {
      void this.transmit(message);
    } else {
      JSON.stringify(message);
      batch.settle(message);
    }
  }

  transmitBatch(answers: readonly ResponseMessage[]): void {
    void this.transmit(answers);
  }

  control(role: Role, params: unknown, during: Handling): unknown {
    switch (role) {
      case "ping":
        return {};
      case "cancelled": {
        // Who gives up a request with a stream of its own leaves that; an id could be another client's.
        if (this.hasStreams) return undefined;
        const { requestId, reason } = params as { requestId?: unknown; reason?: unknown };
        return this.#incoming.cancel(requestId, reason);
      }
      case "progress":
        return this.#outgoing.progress(params as Progress & { progressToken: RequestId });
      default:
        return this.#lifecycle.control(role, params, during);
    }
  }

  releaseStream(during: Handling, retry: number | undefined): void {
    const { revision } = during.binding;
    if (during.key === undefined || !revision?.conventions.polling) return;
    this.#transport.releaseStream?.(during.key, retry);
  }

  unanswered(id: RequestId): void {
    this.#transport.unanswered?.(id);
  }

  answer(handling: Handling, outcome: Promise<unknown>, reason: Error): void {
    this.#incoming.answer(handling, outcome, reason);
  }

  abandon(during: Handling, reason: Error): void {
    this.#outgoing.cancelDuring(during, reason);
  }

  retire(handling: Handling): void {
    this.#incoming.retire(handling);
  }

  expire(handling: Handling): void {
    this.#incoming.expire(handling);
  }

  async #endWith(reason: () => Error, error?: Error): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#failure = error;
    clearTimeout(this.#drainTimer);
    this.#outgoing.close(reason);
    this.#incoming.close(reason);
    this.deadlines.rest();
    try {
      if (!(error instanceof UsedTransportError)) await this.#transport.close();
    } catch (failure) {
      this.report(failure as Error);
    }
    this.#finish(error);
  }
}
