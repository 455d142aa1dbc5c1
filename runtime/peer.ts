import type { Batch } from "./batch.js";
import type { Binding } from "./binding.js";
import { cannotAsk, closedHere, isOver } from "./connection-errors.js";
import type { CustomMessage } from "./custom.js";
import type { AbortWatch } from "./abort-watch.js";
import { type Deadlines, LONGEST_DELAY } from "./deadlines.js";
import { ConnectionClosedError, UsedTransportError } from "./errors.js";
import type { Handling } from "./handling.js";
import { Inbox, type InboxHost } from "./inbox.js";
import { Incoming, type IncomingHost } from "./incoming.js";
import {
  type Frame,
  type Message,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./jsonrpc.js";
import type { Agreement, Lifecycle, Outbound } from "./lifecycle/lifecycle.js";
import type { Limits } from "./limits.js";
import type { ConnectOptions, Progress, RequestOptions, Timeouts } from "./options.js";
import type { Origin } from "./origin.js";
import { Outgoing, type OutgoingHost } from "./outgoing.js";
import { quiet } from "./quiet.js";
import { PeerSession } from "./peer-session.js";
import type { Method, Role, Side } from "./revision.js";
import type { Session } from "./session.js";
import type { Malformed, Receiver, Transport } from "./transport/transport.js";

export interface PeerOptions {
  readonly side: Side;
  readonly transport: Transport;
  readonly lifecycle: Lifecycle;
  readonly limits: Limits;
  readonly times: Timeouts;
  readonly handlerTimeout: number;
  /** Shared by all connections of a definition. */
  readonly deadlines: Deadlines;
  readonly aborts: AbortWatch;
  readonly report: (error: Error) => void;
}

/**
 * One end of a connection, the same for both sides: brings requests and answers together, in both
 * directions. What may be said when, and under which revision, its lifecycle tells.
 */
export class Peer implements Receiver, InboxHost, IncomingHost, OutgoingHost {
  readonly side: Side;
  readonly deadlines: Deadlines;
  readonly aborts: AbortWatch;
  readonly report: (error: Error) => void;
  /** Resolves when the connection is over, with the error that ended it, if one did. */
  readonly finished: Promise<Error | undefined>;
  readonly #transport: Transport;
  readonly #lifecycle: Lifecycle;
  readonly #limits: Limits;
  readonly #incoming: Incoming;
  readonly #outgoing: Outgoing;
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
    this.#transport = options.transport;
    this.#lifecycle = options.lifecycle;
    this.#limits = limits;
    this.#incoming = new Incoming(this, { limit: limits.incoming, handlerTimeout });
    this.#outgoing = new Outgoing(this, limits.outgoing, options.times);
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
    if (row) await this.request(row.method, undefined, { timeout });
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

  ended(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#outgoing.close(() => new ConnectionClosedError("The peer has stopped sending"));
    if (this.#incoming.isIdle) void this.close();
    else this.#drain(this.#limits.drain);
  }

  idle(): void {
    if (this.#state === "ending") void this.close();
  }

  closed(error?: Error): void {
    const reason = (): Error =>
      error instanceof ConnectionClosedError
        ? error
        : new ConnectionClosedError("The connection ended", error && { cause: error });
    void this.#endWith(reason, error);
  }

  /** Ends the connection: what waits for an answer rejects, what is being handled is aborted. */
  async close(error?: Error): Promise<void> {
    await this.#endWith(closedHere, error);
    await this.finished;
  }

  /** Whether a request could reach the peer now. */
  canAsk(during?: Handling): boolean {
    return this.#transport.canAsk?.(during?.isOpen ? during.id : undefined) ?? true;
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = {},
    during?: Handling,
  ): Promise<unknown> {
    try {
      if (this.#state !== "open") throw isOver(this.#failure);
      if (!this.canAsk(during)) throw cannotAsk(method);
      const admitted = this.#lifecycle.admit(outbound("request", method, params), during);
      return quiet(this.#outgoing.request(admitted, options, during).promise);
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  notify(method: string | CustomMessage, params: unknown, during?: Handling): Promise<void> {
    try {
      if (this.#state === "closed") throw isOver(this.#failure);
      const admitted = this.#lifecycle.admit(outbound("notification", method, params), during);
      const name = admitted.row.method;
      const message: Message =
        params === undefined
          ? { jsonrpc: "2.0", method: name }
          : { jsonrpc: "2.0", method: name, params: admitted.params };
      return this.#transmit(message, during) ?? Promise.resolve();
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  send(message: RequestMessage, during: Handling | undefined): void {
    void this.#transmit(message, during);
  }

  respond(message: ResponseMessage, batch: Batch | undefined): void {
    if (this.#state === "closed") return;
    if (batch === undefined) {
      void this.#transmit(message);
    } else {
      JSON.stringify(message);
      batch.settle(message);
    }
  }

  transmitBatch(answers: readonly ResponseMessage[]): void {
    void this.#transmit(answers);
  }

  control(role: Role, params: unknown): unknown {
    switch (role) {
      case "ping":
        return {};
      case "cancelled": {
        const { requestId, reason } = params as { requestId?: unknown; reason?: unknown };
        return this.#incoming.cancel(requestId, reason);
      }
      case "progress":
        return this.#outgoing.progress(params as Progress & { progressToken: RequestId });
      default:
        return this.#lifecycle.control(role, params);
    }
  }

  releaseStream(during: Handling, retry: number | undefined): void {
    const { revision } = during.binding;
    if (during.id === undefined || !revision?.conventions.polling) return;
    this.#transport.releaseStream?.(during.id, retry);
  }

  unanswered(id: RequestId): void {
    this.#transport.unanswered?.(id);
  }

  abandon(during: Handling, reason: Error): void {
    this.#outgoing.cancelDuring(during, reason);
  }

  expire(handling: Handling): void {
    this.#incoming.expire(handling);
  }

  #drain(milliseconds: number): void {
    const delay = Math.min(milliseconds, LONGEST_DELAY);
    this.#drainTimer = setTimeout(() => void this.close(), delay);
  }

  /** A transport whose promise rejects breaks its contract, which is no reason to end a process. */
  #transmit(frame: Frame, during?: Handling): Promise<void> | undefined {
    const relatedTo = during?.isOpen ? during.id : undefined;
    return this.#transport.send(frame, relatedTo)?.catch(this.report);
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

function outbound(kind: Method["kind"], method: string | CustomMessage, params: unknown): Outbound {
  return typeof method === "string"
    ? { kind, method, params }
    : { kind, method: method.row.method, params, custom: method.row };
}
