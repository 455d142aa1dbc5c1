import type { Admitted, Attempt, Binding, Definition, Peer } from "../engine/index.js";
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

/** Who wants to know how a subscription goes. */
export interface Subscriber {
  /** The subscription is about to be asked for. */
  opened(id: RequestId): void;
  /** The server has agreed, to this part of what was asked for. */
  acknowledged(filter: Filter): void;
  /** Something has happened that the subscription is about. */
  readonly told?: ((method: string, params: unknown) => void) | undefined;
}

/** The options of the request that opens a subscription. */
export interface SubscribingOptions extends RequestOptions {
  readonly subscriber?: Subscriber | undefined;
}

/** The subscriptions of one connection, by the ids of the requests that have opened them (MCP: subscriptions). */
export class ClientSubscriptions {
  readonly #definition: Definition;
  readonly #peer: () => Peer;
  readonly #open = new Map<RequestId, Subscriber>();

  constructor(definition: Definition, peer: () => Peer) {
    this.#definition = definition;
    this.#peer = peer;
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

  /** @returns what a notification is handled under: nothing hears those of subscriptions that are over */
  receive(row: Method, params: unknown, binding: Binding): Binding {
    if (row.role === "cancelled") this.#end(params);
    if (row.role !== undefined) return binding;
    const id = metaOf(params)?.[META.subscription];
    if (id === undefined) return binding;
    const subscriber = this.#open.get(id as RequestId);
    if (subscriber === undefined) return { ...binding, notifications: new Map() };
    if (row.params?.(params) !== false) subscriber.told?.(row.method, params);
    return binding;
  }

  /** The server lets go of a subscription; a result that comes as well is not waited for. */
  #end(params: unknown): void {
    const id = isObject(params) ? (params["requestId"] as RequestId) : undefined;
    if (id === undefined || !this.#open.has(id)) return;
    this.#peer().failed(id, new SubscriptionEnd());
  }
}

/** The server has ended a subscription in order. */
export class SubscriptionEnd extends LocalError {
  override readonly name: string = "SubscriptionEnd";
  readonly code = "CONNECTION_CLOSED";

  constructor() {
    super("The server has ended the subscription");
  }
}

const IGNORANT: Subscriber = { opened() {}, acknowledged() {} };
