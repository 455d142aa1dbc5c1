import { type RequestOptions, type Sending, type Session, sendThrough } from "../api/index.js";
import { quiet } from "../ground/index.js";
import type { Message } from "../wire/index.js";
import type { Binding } from "./define/binding.js";
import { cannotAsk } from "./connection-errors.js";
import type { Connection } from "./connection.js";
import { type Outbound, middlewareAround, withParams, written } from "./outbound.js";
import type { RequestContext } from "./request-context.js";

/** Sends the messages of a connection's own side: through the middleware, in the shapes of the revision, if they may be sent. */
export class Sender {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * @returns a promise whose rejection need not be looked at
   * @throws the error that keeps it from being sent, at once or later
   */
  request(message: Outbound, options: RequestOptions, during?: RequestContext): Promise<unknown> {
    if (!this.#connection.canAsk(during)) throw cannotAsk(message.method);
    const around = this.#around(message, during);
    if (around === undefined) return this.#request(message, options, during);
    return quiet(
      sendThrough(around, this.#sending(message, options, during), ({ params, options: changed }) =>
        this.#request(withParams(message, params), changed, during),
      ),
    );
  }

  /**
   * @param once - name of a broadcast that other instances send, too
   * @returns a promise when the sender should wait, or something else has to be waited for
   * @throws the error that keeps it from being sent, at once or later
   */
  notify(message: Outbound, during?: RequestContext, once?: string): Promise<unknown> | undefined {
    const around = this.#around(message, during);
    if (around === undefined) return this.#notify(message, during, once);
    return sendThrough(around, this.#sending(message, {}, during), async ({ params }) =>
      this.#notify(withParams(message, params), during, once),
    );
  }

  #request(message: Outbound, options: RequestOptions, during?: RequestContext): Promise<unknown> {
    const { lifecycle, pending } = this.#connection;
    const admitted = lifecycle.admit(this.#written(message, during), during);
    this.#bindingOf(during).route(admitted.row).check?.(admitted.params);
    return (
      lifecycle.exchange?.(pending, admitted, options, during) ??
      pending.request(admitted, options, during).promise
    );
  }

  #notify(
    message: Outbound,
    during: RequestContext | undefined,
    once: string | undefined,
  ): Promise<void> | undefined {
    const { lifecycle } = this.#connection;
    const { row, params, stateless } = lifecycle.admit(this.#written(message, during), during);
    this.#bindingOf(during).route(row).check?.(params);
    const { method } = row;
    const sent: Message =
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
    return this.#connection.transmit(sent, during, stateless, once);
  }

  #written(message: Outbound, during: RequestContext | undefined): Outbound {
    return written(message, this.#bindingOf(during));
  }

  #around(
    message: Outbound,
    during: RequestContext | undefined,
  ): ReturnType<typeof middlewareAround> {
    const { sending } = this.#connection.definition;
    if (sending.length === 0) return undefined;
    return middlewareAround(message, sending, this.#bindingOf(during), this.#sessionOf(during));
  }

  #sending(
    { kind, method, params }: Outbound,
    options: RequestOptions,
    context: RequestContext | undefined,
  ): Sending {
    return { kind, method, params, options, context, session: this.#sessionOf(context) };
  }

  #sessionOf(during: RequestContext | undefined): Session {
    return during?.session ?? this.#connection.session;
  }

  #bindingOf(during: RequestContext | undefined): Binding {
    return during?.binding ?? this.#connection.binding;
  }
}
