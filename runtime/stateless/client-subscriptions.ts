import type { Admitted, Attempt, SideDefinition, Connection } from "../engine/index.js";
import {
  InvalidMessageError,
  LocalError,
  META,
  type Method,
  type RequestId,
  isObject,
  metaOf,
} from "../wire/index.js";
import type { Filter, RequestOptions } from "../api/index.js";

/** Listener of one subscription. */
export interface Subscriber {
  /** Called before the subscription is asked for. */
  opened(id: RequestId): void;
  /** Called when the server has agreed, with the part of the filter that it honours. */
  acknowledged(filter: Filter): void;
  /** Called with each notification of the subscription. */
  readonly told?: ((method: string, params: unknown) => void) | undefined;
}

/** Options of the request that opens a subscription. */
export interface SubscribingOptions extends RequestOptions {
  readonly subscriber?: Subscriber | undefined;
}

/** Subscriptions of one connection, by the ids of the requests that have opened them (MCP: subscriptions). */
export class ClientSubscriptions {
  readonly #definition: SideDefinition;
  readonly #connection: () => Connection;
  readonly #open = new Map<RequestId, Subscriber>();

  constructor(definition: SideDefinition, connection: () => Connection) {
    this.#definition = definition;
    this.#connection = connection;
  }

  async open(
    request: Admitted,
    { subscriber, ...options }: SubscribingOptions,
    send: Attempt,
  ): Promise<unknown> {
    let own: RequestId | undefined;
    try {
      return await send(request, options, (id) => {
        own = id;
        this.#open.set(id, subscriber ?? IGNORANT);
        subscriber?.opened(id);
      });
    } finally {
      if (own !== undefined) this.#open.delete(own);
    }
  }

  acknowledge(params: unknown): void {
    const id = metaOf(params)?.[META.subscription];
    const subscriber = this.#open.get(id as RequestId);
    if (subscriber)
      return subscriber.acknowledged((params as { notifications: Filter }).notifications);
    const text = "A subscription was acknowledged that is none of ours";
    this.#definition.report(new InvalidMessageError(text));
  }

  /** @returns false for a notification of a subscription that is over, which nobody receives */
  receive(row: Method, params: unknown): boolean {
    if (row.role === "cancelled") this.#end(params);
    if (row.role !== undefined) return true;
    const id = metaOf(params)?.[META.subscription];
    if (id === undefined) return true;
    const subscriber = this.#open.get(id as RequestId);
    if (subscriber === undefined) return false;
    if (row.params?.(params) !== false) subscriber.told?.(row.method, params);
    return true;
  }

  /** Ends a subscription because the server has; a result that comes as well is not waited for. */
  #end(params: unknown): void {
    const id = isObject(params) ? (params["requestId"] as RequestId) : undefined;
    if (id === undefined || !this.#open.has(id)) return;
    this.#connection().failed(id, new SubscriptionEnd());
  }
}

/** End of a subscription by its server, in order. */
export class SubscriptionEnd extends LocalError {
  override readonly name: string = "SubscriptionEnd";
  readonly code = "CONNECTION_CLOSED";

  constructor() {
    super("The server has ended the subscription");
  }
}

const IGNORANT: Subscriber = { opened() {}, acknowledged() {} };
