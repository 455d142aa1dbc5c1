import type { Binding } from "./binding.js";
import { isForEngine } from "./binding.js";
import { cannotAsk } from "./connection-errors.js";
import type { Handling } from "./handling.js";
import type { Message, Method, OnLoss } from "../wire/index.js";
import type { Lifecycle, Outbound } from "./lifecycle.js";
import {
  type AnySendMiddleware,
  type RequestOptions,
  type Sending,
  type Session,
  sendThrough,
} from "../api/index.js";
import type { Outgoing } from "./outgoing.js";
import { quiet } from "../ground/index.js";

/** What the sending of messages needs of its connection. */
export interface SenderHost {
  readonly session: Session;
  canAsk(during?: Handling): boolean;
  transmit(message: Message, during: Handling | undefined): Promise<void> | undefined;
}

export interface SenderOptions {
  readonly lifecycle: Lifecycle;
  readonly outgoing: Outgoing;
  readonly middleware: readonly AnySendMiddleware[];
  readonly onloss: OnLoss | undefined;
}

/** Sends what this side wants to ask and tell: through the middleware, in the words of the revision, if it may. */
export class Sender {
  readonly #host: SenderHost;
  readonly #options: SenderOptions;

  constructor(host: SenderHost, options: SenderOptions) {
    this.#host = host;
    this.#options = options;
  }

  /**
   * @returns a promise whose rejection need not be looked at
   * @throws what hinders it from being sent, at once or later
   */
  request(message: Outbound, options: RequestOptions, during?: Handling): Promise<unknown> {
    if (!this.#host.canAsk(during)) throw cannotAsk(message.method);
    const around = this.#around(message, during);
    if (around === undefined) return this.#request(message, options, during);
    return quiet(
      sendThrough(around, this.#sending(message, options, during), ({ params, options: changed }) =>
        this.#request(withParams(message, params), changed, during),
      ),
    );
  }

  /**
   * @returns a promise when the sender should wait, or something else has to be waited for
   * @throws what hinders it from being sent, at once or later
   */
  notify(message: Outbound, during?: Handling): Promise<unknown> | undefined {
    const around = this.#around(message, during);
    if (around === undefined) return this.#notify(message, during);
    return sendThrough(around, this.#sending(message, {}, during), async ({ params }) =>
      this.#notify(withParams(message, params), during),
    );
  }

  #request(message: Outbound, options: RequestOptions, during?: Handling): Promise<unknown> {
    const { lifecycle, outgoing } = this.#options;
    const admitted = lifecycle.admit(this.#projected(message, during), during);
    return (
      lifecycle.exchange?.(outgoing, admitted, options, during) ??
      outgoing.request(admitted, options, during).promise
    );
  }

  #notify(message: Outbound, during?: Handling): Promise<void> | undefined {
    const { row, params } = this.#options.lifecycle.admit(this.#projected(message, during), during);
    const { method } = row;
    const sent: Message =
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
    return this.#host.transmit(sent, during);
  }

  #projected(message: Outbound, during: Handling | undefined): Outbound {
    const { revision } = this.#bindingOf(during);
    const row = revision?.projection && revision.methods.get(message.method);
    if (!row || message.params === undefined) return message;
    const { onloss } = this.#options;
    return withParams(message, revision.projection!.down(row, "params", message.params, onloss));
  }

  /** The middleware that a message goes through. */
  #around(
    { method, custom }: Outbound,
    during?: Handling,
  ): readonly AnySendMiddleware[] | undefined {
    const { middleware } = this.#options;
    if (middleware.length === 0) return undefined;
    const row: Method | undefined = custom ?? this.#bindingOf(during).outbound.get(method);
    if (row === undefined || isForEngine(row)) return undefined;
    const session = this.#sessionOf(during);
    let around: AnySendMiddleware[] | undefined;
    for (const one of middleware)
      if (one.concerns?.(row, session) ?? true) (around ??= []).push(one);
    return around;
  }

  #sending(
    { kind, method, params }: Outbound,
    options: RequestOptions,
    context: Handling | undefined,
  ): Sending {
    return { kind, method, params, options, context, session: this.#sessionOf(context) };
  }

  #sessionOf(during: Handling | undefined): Session {
    return during?.session ?? this.#host.session;
  }

  #bindingOf(during: Handling | undefined): Binding {
    return during?.binding ?? this.#options.lifecycle.binding;
  }
}

function withParams(message: Outbound, params: unknown): Outbound {
  return params === message.params ? message : { ...message, params };
}
