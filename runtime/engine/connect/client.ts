import {
  type AskForPage,
  type ClientOptions,
  type ConnectOptions,
  type CustomNotification,
  type CustomRequest,
  type ItemOf,
  type ListMember,
  type NotificationArguments,
  type NotificationOf,
  type NotificationTypes,
  type PageOptions,
  type ParamsOf,
  type RequestArguments,
  type RequestOf,
  type RequestOptions,
  type RequestTypes,
  type ResultOf,
  type SomeMiddleware,
  pages,
} from "../../api/index.js";
import type { OpenSession, Revision, Transport } from "../../wire/index.js";
import { notConnected } from "../define/errors.js";
import { SideDefinition } from "../define/side-definition.js";
import { Endpoint } from "./endpoint.js";
import type { LifecycleStrategy } from "./lifecycle.js";

/** Server that a client is connected to, as it described itself. */
export interface ConnectedServer<Capabilities, Implementation> {
  /** Name and version of the server, for people only; never base a decision on it. */
  readonly info: Implementation;
  readonly capabilities: Capabilities;
  /** Instructions for the model on using the server. */
  readonly instructions: string | undefined;
}

/**
 * A client over one connection at a time. Generated clients extend it: they say which messages there are,
 * and add a method for each.
 */
export class ClientBase<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  ServerCapabilities,
  Implementation,
> {
  readonly #endpoint: Endpoint;

  /**
   * @param revisions - those that may be agreed on, the preferred one first
   * @param lifecycle - way in which a client of them opens conversations, such as `clientSession`
   * @throws TypeError for a handler that no message of these revisions could reach
   */
  constructor(
    revisions: readonly Revision[],
    info: Implementation,
    handlers: object,
    options: ClientOptions<object, SomeMiddleware>,
    lifecycle: LifecycleStrategy,
  ) {
    const definition = new SideDefinition("client", revisions, info, handlers, options);
    this.#endpoint = Endpoint.of(definition, lifecycle);
  }

  /** The server, once connected. */
  get server(): ConnectedServer<ServerCapabilities, Implementation> | undefined {
    const server = this.#endpoint.agreement?.peer;
    return server as ConnectedServer<ServerCapabilities, Implementation> | undefined;
  }

  /**
   * Result of the discovery, to be kept as JSON and given to another connection as `prior`; undefined in a session, which
   * begins without one.
   */
  get discovered(): unknown {
    return this.#endpoint.agreement?.discovered;
  }

  /**
   * The session, to be kept as JSON and gone on with over another connection: `new HttpClientTransport(url, { session })`.
   * Keep it as safe as a password. Undefined where it has no name, or there is none.
   */
  get session(): OpenSession | undefined {
    const { agreement, connection } = this.#endpoint;
    const id = connection?.hooks?.sessionId;
    if (agreement === undefined || id === undefined) return undefined;
    const { info, capabilities, instructions } = agreement.peer;
    const server = { info, capabilities: capabilities as OpenSession["server"]["capabilities"] };
    return { id, revision: agreement.revision.id, server: { ...server, instructions } };
  }

  /** Id of the revision that was agreed on, such as `2025-03-26`; undefined before. */
  get revision(): string | undefined {
    return this.#endpoint.agreement?.revision.id;
  }

  /** True when there was a connection, and it is over. */
  get isClosed(): boolean {
    return this.#endpoint.connection?.isClosed ?? false;
  }

  /** Resolves when the connection is over, with the error that ended it, if one did. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.#endpoint.closed;
  }

  /**
   * Opens the connection and agrees on a revision (MCP: lifecycle, initialization; discovery).
   *
   * @throws UnsupportedRevisionError when the server has no revision that was passed in
   * @throws RpcError, InvalidMessageError, RequestTimeoutError, ConnectionClosedError when it does not work
   *   out otherwise. The transport is closed then.
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<void> {
    return this.#endpoint.connect(transport, options);
  }

  /**
   * Sends a request.
   *
   * @throws RpcError when the server answers with an error
   * @throws RequestTimeoutError, ConnectionClosedError, InvalidMessageError when no valid answer comes
   * @throws CapabilityError, LifecycleError, OverloadError when nothing was sent
   */
  request<Name extends (keyof Requests & string) | CustomRequest<unknown, unknown>>(
    name: Name,
    ...rest: RequestArguments<RequestOf<Requests, Name>>
  ): Promise<ResultOf<RequestOf<Requests, Name>>>;
  request(
    name: string | CustomRequest<unknown, unknown>,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.#endpoint.connection?.request(name, params, options) ?? notConnected();
  }

  /**
   * Sends a request again and again until the server has no further page, and gives the items of all of them;
   * what is not asked for is not fetched.
   *
   * @param member - of the result, the list
   * @throws what `request` throws
   * @throws InvalidMessageError when the server gives a cursor twice
   * @throws OverloadError when there are more than `maxPages` pages
   */
  pages<Method extends keyof Requests & string, Member extends ListMember<Requests[Method]>>(
    method: Method,
    member: Member,
    params?: ParamsOf<Requests[Method]>,
    options?: PageOptions,
  ): AsyncGenerator<ItemOf<Requests[Method], Member>, void, undefined> {
    const ask: AskForPage = (...request) =>
      this.#endpoint.connection?.request(...request) ?? notConnected();
    const items = pages(ask, method, member, params, options);
    return items as AsyncGenerator<ItemOf<Requests[Method], Member>, void, undefined>;
  }

  /**
   * Sends a notification; the promise waits when the server reads too slowly.
   *
   * @throws ConnectionClosedError, CapabilityError, LifecycleError when nothing was sent
   */
  notify<Name extends (keyof Notifications & string) | CustomNotification<unknown>>(
    name: Name,
    ...rest: NotificationArguments<NotificationOf<Notifications, Name>>
  ): Promise<void> {
    return this.#endpoint.notify(name, rest[0]);
  }

  /** Ends the connection: pending requests reject, running handlers are aborted, the transport closes. */
  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
