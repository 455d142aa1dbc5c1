import {
  type SendPageRequest,
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
} from "../../api/index.js";
import { pages } from "../../api/paging/index.js";
import type { OpenSession, Revision, Transport } from "../../wire/index.js";
import { notConnected } from "../define/errors.js";
import { SideDefinition } from "../define/side-definition.js";
import { SentRequests } from "../send/sent-requests.js";
import type { LiveConnection } from "./connection.js";
import { Endpoint } from "./endpoint.js";
import type { LifecycleStrategy } from "./lifecycle.js";

/** The server that a client is connected to, as it described itself. */
export interface ConnectedServer<Capabilities, Implementation> {
  /** The server's name and version. For display only: never base a decision on it. */
  readonly info: Implementation;
  readonly capabilities: Capabilities;
  /** Instructions that tell the model how to use the server. */
  readonly instructions: string | undefined;
}

export function openSessionOf(connection: LiveConnection | undefined): OpenSession | undefined {
  const id = connection?.hooks?.sessionId;
  const agreement = connection?.agreement;
  if (agreement === undefined || id === undefined) return undefined;
  const { info, capabilities, instructions } = agreement.peer;
  const server = { info, capabilities: capabilities as OpenSession["server"]["capabilities"] };
  return { id, revision: agreement.revision.id, server: { ...server, instructions } };
}

export function clientEndpoint(definition: SideDefinition, lifecycle: LifecycleStrategy): Endpoint {
  return Endpoint.of(definition, lifecycle, (connection) => new SentRequests(connection));
}

/**
 * A client that has one connection at a time. Generated clients extend this class: they define the messages and add a
 * method for each.
 */
export class ClientBase<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  ServerCapabilities,
  Implementation,
> {
  readonly #endpoint: Endpoint;

  /**
   * @param revisions - the revisions to negotiate, most preferred first
   * @param lifecycle - the strategy that opens conversations, such as `clientHandshake`
   * @throws TypeError if a handler's message is not in any of these revisions
   */
  constructor(
    revisions: readonly Revision[],
    info: Implementation,
    handlers: object,
    options: ClientOptions<object, SomeMiddleware>,
    lifecycle: LifecycleStrategy,
  ) {
    const definition = new SideDefinition("client", revisions, info, handlers, options);
    this.#endpoint = clientEndpoint(definition, lifecycle);
  }

  /** The server, once connected. */
  get server(): ConnectedServer<ServerCapabilities, Implementation> | undefined {
    const server = this.#endpoint.agreement?.peer;
    return server as ConnectedServer<ServerCapabilities, Implementation> | undefined;
  }

  /**
   * The result of the discovery. Store it as JSON and pass it to another connection as `prior`. Undefined in a session,
   * which begins without a discovery.
   */
  get discovered(): unknown {
    return this.#endpoint.agreement?.discovered;
  }

  /**
   * The open session, which can be stored as JSON and continued over another connection: `new HttpClientTransport(url,
   * { session })`. Keep it as safe as a password. Undefined if there is no session, or if the transport has no id for
   * it.
   */
  get session(): OpenSession | undefined {
    return openSessionOf(this.#endpoint.connection);
  }

  /** The id of the revision that was agreed on, such as `2025-03-26`. Undefined before that. */
  get revision(): string | undefined {
    return this.#endpoint.agreement?.revision.id;
  }

  /** True if there was a connection that has ended. */
  get isClosed(): boolean {
    return this.#endpoint.connection?.isClosed ?? false;
  }

  /** Resolves when the connection is over, with the error that ended it, if any. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.#endpoint.closed;
  }

  /**
   * Opens the connection and agrees on a revision (MCP: lifecycle, initialization; discovery).
   *
   * @throws UnsupportedRevisionError if the server supports none of the revisions
   * @throws RpcError, InvalidMessageError, RequestTimeoutError, ConnectionClosedError if connecting
   *   fails for another reason. The transport is then closed.
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<void> {
    return this.#endpoint.connect(transport, options);
  }

  /**
   * Sends a request.
   *
   * @throws RpcError if the server answers with an error
   * @throws RequestTimeoutError, ConnectionClosedError, InvalidMessageError if no valid answer
   *   arrives
   * @throws CapabilityError, LifecycleError, OverloadError if nothing was sent
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
   * Sends a request repeatedly until the server has no more pages, and yields the items of all pages. A page is
   * requested only when its items are needed.
   *
   * @param member - the list in the result
   * @throws the errors of `request`
   * @throws InvalidMessageError if the server returns the same cursor twice
   * @throws OverloadError if there are more than `maxPages` pages
   */
  pages<Method extends keyof Requests & string, Member extends ListMember<Requests[Method]>>(
    method: Method,
    member: Member,
    params?: ParamsOf<Requests[Method]>,
    options?: PageOptions,
  ): AsyncGenerator<ItemOf<Requests[Method], Member>, void, undefined> {
    const send: SendPageRequest = (...request) =>
      this.#endpoint.connection?.request(...request) ?? notConnected();
    const items = pages(send, method, member, params, options);
    return items as AsyncGenerator<ItemOf<Requests[Method], Member>, void, undefined>;
  }

  /**
   * Sends a notification; the promise stays pending while the server reads too slowly.
   *
   * @throws ConnectionClosedError, CapabilityError, LifecycleError if nothing was sent
   */
  notify<Name extends (keyof Notifications & string) | CustomNotification<unknown>>(
    name: Name,
    ...rest: NotificationArguments<NotificationOf<Notifications, Name>>
  ): Promise<void> {
    return this.#endpoint.notify(name, rest[0]);
  }

  /** Ends the connection: pending requests reject, running handlers are aborted, and the transport closes. */
  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
