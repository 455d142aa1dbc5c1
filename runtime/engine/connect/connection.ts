import type { ConnectOptions, CustomMessage, RequestOptions, Session } from "../../api/index.js";
import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import {
  ConnectionClosedError,
  type Frame,
  type Malformed,
  type Method,
  type NotificationMessage,
  type Origin,
  type Receiver,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type RpcError,
  type Side,
  type Transport,
  type TransportHooks,
  UsedTransportError,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import { closedBy, closedHere, isOver } from "../define/errors.js";
import type { SideDefinition } from "../define/side-definition.js";
import { ReceivedRequests } from "../receive/received-requests.js";
import type { Conversation, RequestContext } from "../receive/request-context.js";
import { addressOf } from "../send/admission.js";
import { type Call, bindCall } from "../send/call.js";
import type { OwnRequests, SendingHalf, SendingHost } from "../send/own-requests.js";
import { conversationUnder, sessionOver } from "./connected-conversation.js";
import { receive, receiveMalformed } from "./inbox.js";
import type { Agreement, Connection, Lifecycle } from "./lifecycle.js";

const NO_OPTIONS: RequestOptions = {};

/**
 * One end of a connection, on either side. It dispatches received requests, and matches responses to its own
 * requests. Its lifecycle decides which messages are allowed at a given time, and under which revision.
 */
export class LiveConnection implements Connection, Receiver, SendingHost {
  readonly hasOwnStream = false;
  readonly definition: SideDefinition;
  readonly side: Side;
  readonly report: (error: Error) => void;
  readonly hooks: TransportHooks | undefined;
  readonly lifecycle: Lifecycle;
  readonly received: ReceivedRequests;
  sent: OwnRequests;
  readonly finished: Promise<Error | undefined>;
  readonly #transport: Transport;
  readonly #drain: number;
  #finish!: (error: Error | undefined) => void;
  /** `ending`: the peer has stopped sending, but still waits for responses. */
  #state: "open" | "ending" | "closed" = "open";
  #failure: Error | undefined;
  #drainTimer: ReturnType<typeof setTimeout> | undefined;
  /** Received messages that are held back, in order, while code for the first of them is being loaded. */
  #held: (() => void)[] | undefined;
  #isLoading = false;
  #session: Session | undefined;
  #calls: Map<string | Method, Call> | undefined;
  #conversation: Conversation | undefined;

  constructor(
    definition: SideDefinition,
    transport: Transport,
    lifecycle: Lifecycle,
    sendingHalf: SendingHalf,
  ) {
    this.definition = definition;
    this.side = definition.side;
    this.report = definition.report;
    this.lifecycle = lifecycle;
    this.hooks = transport.hooks;
    this.#transport = transport;
    this.#drain = Math.min(definition.limits.drain, LONGEST_DELAY);
    this.received = new ReceivedRequests(definition, () => {
      if (this.#state === "ending") void this.close();
    });
    this.sent = sendingHalf(this);
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get binding(): Binding {
    return this.lifecycle.binding;
  }

  get agreement(): Agreement | undefined {
    return this.lifecycle.agreement;
  }

  get session(): Session {
    this.#session ??= sessionOver(this);
    return this.#session;
  }

  get connection(): this {
    return this;
  }

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  refused(error: RpcError): Error {
    return this.lifecycle.refused?.(error) ?? error;
  }

  /** Starts the transport. The promise also resolves if the connection ends first. */
  start(receiver: Receiver): Promise<unknown> | undefined {
    const starting = this.#transport.start(receiver);
    return starting ? Promise.race([starting, this.finished]) : undefined;
  }

  open(options: ConnectOptions): Promise<void> {
    return this.lifecycle.open(this, options);
  }

  get conversation(): Conversation {
    const { binding } = this.lifecycle;
    if (this.#conversation?.binding !== binding)
      this.#conversation = conversationUnder(this, binding);
    return this.#conversation;
  }

  message(value: unknown, origin?: Origin): void {
    if (this.#held) {
      this.#held.push(() => {
        if (this.#state !== "closed") receive(this, value, origin);
      });
      return;
    }
    if (this.#state === "closed") return;
    try {
      receive(this, value, origin);
    } catch (error) {
      this.report(error as Error);
    }
  }

  malformed(problem: Malformed): void {
    this.#inTurn(() => {
      if (this.#state !== "closed") receiveMalformed(this, problem);
    });
  }

  failed(id: RequestId | undefined, error: Error): void {
    this.#inTurn(() => {
      if (id === undefined) this.report(error);
      else this.sent.fail(id, error);
    });
  }

  ended(): void {
    this.#inTurn(() => this.#end());
  }

  closed(error?: Error): void {
    this.#inTurn(() => void this.#endWith(() => closedBy(error), error));
  }

  inOrder(handle: () => void): void {
    if (this.#isLoading) this.#held!.push(handle);
    else handle();
  }

  hold(loading: Promise<void>, loaded: (failure?: Error) => void): void {
    const release = (failure?: Error): void => {
      this.#isLoading = false;
      if (failure) this.report(failure);
      this.#held!.unshift(() => loaded(failure));
      this.#release();
    };
    this.#isLoading = true;
    this.#held ??= [];
    loading.then(() => release(), release);
  }

  /**
   * Handles the messages that were held back. Messages that arrive in the meantime are appended, so that none overtakes
   * another.
   */
  #release(): void {
    while (!this.#isLoading) {
      const next = this.#held?.shift();
      if (next === undefined) break;
      this.#guarded(next);
    }
    if (!this.#isLoading) this.#held = undefined;
  }

  #inTurn(handle: () => void): void {
    if (this.#held) this.#held.push(handle);
    else this.#guarded(handle);
  }

  #guarded(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.report(error as Error);
    }
  }

  #end(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.sent.close(() => new ConnectionClosedError("The peer has stopped sending"));
    this.received.retireAll();
    if (this.received.isIdle) void this.close();
    else this.#drainTimer = setTimeout(() => void this.close(), this.#drain);
  }

  async close(error?: Error): Promise<void> {
    if (this.#state !== "closed" && error === undefined) this.received.retireAll();
    await this.#endWith(closedHere, error);
    await this.finished;
  }

  canAsk(during?: RequestContext): boolean {
    return this.hooks?.canAsk?.(during && relatedTo(during)) ?? true;
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = NO_OPTIONS,
    during?: RequestContext,
  ): Promise<unknown> {
    try {
      if (this.#state !== "open") throw isOver(this.#failure);
      return this.#callOf("request", method, during).request(params, options, during);
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  notify(
    method: string | CustomMessage,
    params: unknown,
    during?: RequestContext,
    once?: string,
  ): Promise<void> {
    try {
      if (this.#state === "closed") throw isOver(this.#failure);
      const sending = this.#callOf("notification", method, during).notify(params, during, once);
      return (sending as Promise<void> | undefined) ?? Promise.resolve();
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  #callOf(
    kind: Method["kind"],
    message: string | CustomMessage,
    during: RequestContext | undefined,
  ): Call {
    const key = typeof message === "string" ? message : message.row;
    const known = this.#calls?.get(key);
    if (known?.kind === kind) return known;
    const { lifecycle } = this;
    const call = bindCall(this, lifecycle.admit(addressOf(kind, message), during));
    if (lifecycle.isSettled) (this.#calls ??= new Map()).set(key, call);
    return call;
  }

  /**
   * Passes a message to the transport.
   *
   * @param stateless - the message's binding, if it is sent as a stateless message
   * @param once - the name of a broadcast that other instances also send, so that the peer receives it only once
   */
  transmit(
    frame: Frame,
    during?: RequestContext,
    stateless?: Binding,
    once?: string,
  ): Promise<void> | undefined {
    const exchanges = stateless && this.hooks?.stateless;
    if (exchanges)
      return exchanges.send(frame as RequestMessage | NotificationMessage, stateless.revision!);
    return this.send(frame, during && relatedTo(during), once);
  }

  respond(answer: ResponseMessage): void {
    if (this.#state !== "closed") this.#transport.send(answer)?.catch(this.report);
  }

  /** Sends a message. Reports a rejection of the transport's promise, which violates the transport's contract. */
  send(message: Frame, related: RequestId | undefined, once?: string): Promise<void> | undefined {
    return this.#transport.send(message, related, once)?.catch(this.report);
  }

  cancelled(id: RequestId): void {
    this.hooks?.unanswered?.(id);
  }

  async #endWith(reason: () => Error, error?: Error): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#failure = error;
    clearTimeout(this.#drainTimer);
    this.sent.close(reason);
    this.received.close(reason);
    this.definition.deadlines.rest();
    try {
      if (!(error instanceof UsedTransportError)) await this.#transport.close();
    } catch (failure) {
      this.report(failure as Error);
    }
    this.#finish(error);
  }
}

function relatedTo(during: RequestContext): RequestId | undefined {
  return during.isOpen ? during.id : undefined;
}
