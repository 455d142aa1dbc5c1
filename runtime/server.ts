import { Endpoint } from "./endpoint.js";
import type {
  NotificationArguments,
  NotificationTypes,
  RequestArguments,
  RequestTypes,
  ResultOf,
} from "./message-types.js";
import type { RequestOptions, ServerOptions } from "./options.js";
import type { Revision } from "./revision.js";
import type { Transport } from "./transport/transport.js";

/** The client that a server is connected to, as it described itself. */
export interface ConnectedClient<Capabilities, Implementation> {
  /** For people; nothing may depend on it. */
  readonly info: Implementation;
  readonly capabilities: Capabilities;
}

/**
 * A server over one connection at a time. Generated servers extend it: they say which messages there are,
 * and add a method for each that a server may send.
 */
export class ServerBase<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  ClientCapabilities,
  Implementation,
> {
  readonly #endpoint: Endpoint;

  /**
   * @param revisions - those that may be agreed on, the preferred one first: it is offered to a client that
   *   wants another one
   * @throws TypeError for a handler that no message of these revisions could reach
   */
  constructor(
    revisions: readonly Revision[],
    info: Implementation,
    handlers: object,
    options: ServerOptions,
  ) {
    this.#endpoint = new Endpoint("server", revisions, info, handlers, options);
  }

  /** The client, once it has initialized. */
  get client(): ConnectedClient<ClientCapabilities, Implementation> | undefined {
    const client = this.#endpoint.session?.peer;
    return client as ConnectedClient<ClientCapabilities, Implementation> | undefined;
  }

  /** Id of the revision that was agreed on, such as `2025-03-26`; undefined before. */
  get revision(): string | undefined {
    return this.#endpoint.session?.revision.id;
  }

  /** Resolves when the connection is over, with the error that ended it, if one did. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.#endpoint.closed;
  }

  /** Starts to serve; resolves when the transport has started, before any client has said anything. */
  connect(transport: Transport): Promise<void> {
    return this.#endpoint.connect(transport);
  }

  /**
   * Sends a request. While a request of the client is handled, use the handler's context instead, so that it
   * belongs to that request.
   *
   * @throws RpcError when the client answers with an error
   * @throws RequestTimeoutError, ConnectionClosedError, InvalidMessageError when no valid answer comes
   * @throws CapabilityError, LifecycleError, OverloadError when nothing was sent: before
   *   the client is initialized, only pings are
   */
  request<Method extends keyof Requests & string>(
    method: Method,
    ...rest: RequestArguments<Requests[Method]>
  ): Promise<ResultOf<Requests[Method]>> {
    const [params, options] = rest as [unknown, RequestOptions?];
    const result = this.#endpoint.request(method, params, options);
    return result as Promise<ResultOf<Requests[Method]>>;
  }

  /**
   * Sends a notification; the promise waits when the client reads too slowly.
   *
   * @throws ConnectionClosedError, CapabilityError, LifecycleError when nothing was sent
   */
  notify<Method extends keyof Notifications & string>(
    method: Method,
    ...rest: NotificationArguments<Notifications[Method]>
  ): Promise<void> {
    return this.#endpoint.notify(method, rest[0]);
  }

  /** Ends the connection: pending requests reject, running handlers are aborted, the transport closes. */
  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
