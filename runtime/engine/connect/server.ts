import {
  type SendPageRequest,
  type CustomNotification,
  type CustomRequest,
  type ItemOf,
  type LastingMethods,
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
  type ServeOptions,
  type ServerOptions,
  type SomeMiddleware,
} from "../../api/index.js";
import { LifecycleError, type Revision, type Transport } from "../../wire/index.js";
import type { ParamHeader } from "../../wire/param-headers/index.js";
import { notConnected } from "../define/errors.js";
import { SideDefinition } from "../define/side-definition.js";
import { requestsOnDemand } from "../send/requests-on-demand.js";
import { Endpoint } from "./endpoint.js";
import type { LifecycleStrategy, StatelessRequests } from "./lifecycle.js";

/** The client that a server is connected to, as it described itself. */
export interface ConnectedClient<Capabilities, Implementation> {
  /** The client's name and version. For display only: never base a decision on it. */
  readonly info: Implementation;
  readonly capabilities: Capabilities;
}

/**
 * A server that has one connection at a time. Generated servers extend this class: they define the messages and add a
 * method for each one that a server may send.
 */
export class ServerBase<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  ClientCapabilities,
  Implementation,
> {
  /** Not a `#private` member, because a fork is a copy with its own endpoint. */
  private readonly endpoint: Endpoint;
  private stateless: StatelessRequests | undefined;
  private forks: Set<this> | undefined;
  /** The connected forks of the original server, including this one; undefined for the original. */
  private readonly siblings: Set<this> | undefined;

  /**
   * @param revisions - the revisions to negotiate, most preferred first; the first one is offered to a client that
   *   requests an unknown revision
   * @param lifecycle - the strategy that opens conversations, such as `serverHandshake`
   * @throws TypeError if a handler's message is not in any of these revisions
   */
  constructor(
    revisions: readonly Revision[],
    info: Implementation,
    handlers: object,
    options: ServerOptions<object, SomeMiddleware>,
    lifecycle: LifecycleStrategy,
  ) {
    const definition = new SideDefinition("server", revisions, info, handlers, options);
    this.endpoint = Endpoint.of(definition, lifecycle, requestsOnDemand);
  }

  /** The connected client, once it has initialized. */
  get client(): ConnectedClient<ClientCapabilities, Implementation> | undefined {
    const client = this.endpoint.agreement?.peer;
    return client as ConnectedClient<ClientCapabilities, Implementation> | undefined;
  }

  /** The id of the negotiated revision, such as `2025-03-26`. Undefined before that. */
  get revision(): string | undefined {
    return this.endpoint.agreement?.revision.id;
  }

  /** Resolves when the connection is over, with the error that ended it, if any. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.endpoint.closed;
  }

  /** The supported revisions, most preferred first. */
  get revisions(): readonly Revision[] {
    return this.endpoint.definition.revisions;
  }

  /**
   * Notifies the client of changes that it may have missed while no instance held its session.
   *
   * @param age - the session's age, in milliseconds
   */
  async catchUp(age: number): Promise<void> {
    const { connection, definition } = this.endpoint;
    if (connection) await definition.catchUp(connection, age);
  }

  /** The methods of client messages that take effect for the whole session, as declared by the features. */
  get lasting(): LastingMethods {
    return this.endpoint.definition.lasting;
  }

  /** The forks that are connected; see {@link fork}. */
  get sessions(): ReadonlySet<this> {
    return this.forks ?? new Set();
  }

  /**
   * Starts serving. Resolves when the transport has started, without waiting for a message from the client.
   *
   * @throws LifecycleError if this server is already connected; use {@link fork} instead
   */
  connect(transport: Transport, options?: ServeOptions): Promise<void> {
    const { siblings } = this;
    const assumed = this.revisions.find(({ id }) => id === options?.assume);
    if (assumed?.load) return assumed.load().then(() => this.connect(transport, options));
    const connecting = this.endpoint.connect(transport, options);
    if (siblings && this.endpoint.connection) {
      siblings.add(this);
      void this.endpoint.closed.then(() => siblings.delete(this));
    }
    return connecting;
  }

  /**
   * Creates another server with the same definition for one more connection. It has the same handlers and options but
   * its own client. A server that does not have a connection itself sends its notifications to all forks.
   */
  fork(): this {
    const siblings = (this.forks ??= new Set());
    const endpoint = this.endpoint.fork();
    const fork = Object.create(Object.getPrototypeOf(this) as object) as this;
    return Object.assign(fork, this, {
      endpoint,
      stateless: undefined,
      forks: undefined,
      siblings,
    });
  }

  /**
   * Loads the code for {@link statelessRequests}. Returns undefined if it is already loaded or no revision is
   * stateless.
   */
  loadStateless(): Promise<void> | undefined {
    const { conversations } = this.endpoint;
    return conversations.stateless ? undefined : conversations.load?.();
  }

  /**
   * Serves stateless requests that arrive without a connection, as over HTTP, where each has its own reply. Closing
   * this server also ends them.
   *
   * @throws LifecycleError if no revision is stateless, or {@link loadStateless} has not finished
   */
  statelessRequests(): StatelessRequests {
    const { siblings } = this;
    const { conversations } = this.endpoint;
    const requests = conversations.stateless?.serve();
    if (requests === undefined) {
      const why = conversations.load
        ? "Wait for loadStateless() first"
        : "This server has no stateless revision";
      throw new LifecycleError(why);
    }
    this.stateless = requests;
    if (siblings) {
      siblings.add(this);
      void requests.closed?.then(() => siblings.delete(this));
    }
    return requests;
  }

  /**
   * Returns the arguments that an HTTP request to this server mirrors in header fields, for transports that compare the
   * two. Returns undefined if no feature handles the request.
   */
  paramHeaders(method: string, params: unknown): readonly ParamHeader[] | undefined {
    for (const feature of this.endpoint.definition.features) {
      const headers = feature.paramHeaders?.(method, params);
      if (headers) return headers;
    }
    return undefined;
  }

  /**
   * Sends a request. While handling a request from the client, use the handler's context instead, so that the sent
   * request belongs to the one being handled.
   *
   * @throws RpcError if the client answers with an error
   * @throws RequestTimeoutError, ConnectionClosedError, InvalidMessageError if no valid answer arrives
   * @throws CapabilityError, LifecycleError, OverloadError if nothing was sent; before the client has initialized, only
   *   pings are sent
   */
  request<Name extends (keyof Requests & string) | CustomRequest<unknown, unknown>>(
    name: Name,
    ...rest: RequestArguments<RequestOf<Requests, Name>>
  ): Promise<ResultOf<RequestOf<Requests, Name>>> {
    const [params, options] = rest as [unknown, RequestOptions?];
    const result = this.endpoint.connection?.request(name, params, options) ?? notConnected();
    return result as Promise<ResultOf<RequestOf<Requests, Name>>>;
  }

  /**
   * Sends a request repeatedly until the client has no more pages, and yields the items from all pages. Each page is
   * requested only when its items are needed.
   *
   * @param member - the result member that contains the list
   * @throws the errors of `request`
   * @throws InvalidMessageError if the client returns the same cursor twice
   * @throws OverloadError if there are more than `maxPages` pages
   */
  async *pages<Method extends keyof Requests & string, Member extends ListMember<Requests[Method]>>(
    method: Method,
    member: Member,
    params?: ParamsOf<Requests[Method]>,
    options?: PageOptions,
  ): AsyncGenerator<ItemOf<Requests[Method], Member>, void, undefined> {
    const send: SendPageRequest = (...request) =>
      this.endpoint.connection?.request(...request) ?? notConnected();
    const { pages } = await import("../send/sent-requests.js");
    yield* pages(send, method, member, params, options) as AsyncGenerator<
      ItemOf<Requests[Method], Member>,
      void,
      undefined
    >;
  }

  /**
   * Sends a notification. The promise stays pending while the client reads too slowly. A server that is not itself
   * connected sends the notification to every fork whose client may receive it.
   *
   * @throws ConnectionClosedError, CapabilityError, LifecycleError if nothing was sent
   */
  notify<Name extends (keyof Notifications & string) | CustomNotification<unknown>>(
    name: Name,
    ...rest: NotificationArguments<NotificationOf<Notifications, Name>>
  ): Promise<void> {
    if (this.endpoint.connection || this.forks === undefined) {
      return this.endpoint.notify(name, rest[0]);
    }
    this.endpoint.definition.broadcast(name, rest[0]);
    return Promise.resolve();
  }

  /**
   * Closes this server's connection and the connections of all its forks. Pending requests are rejected, running
   * handlers are aborted, and the transports are closed.
   */
  async close(): Promise<void> {
    this.stateless?.close();
    await Promise.all([this.endpoint, ...this.sessions].map((one) => one.close()));
  }
}
