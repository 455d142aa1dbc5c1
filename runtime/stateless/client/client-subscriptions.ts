import type { Filter, RequestOptions } from "../../api/index.js";
import type { OutgoingRequest, Attempt, Connection, SideDefinition } from "../../engine/index.js";
import {
  InvalidMessageError,
  LocalError,
  META,
  type Method,
  type RequestId,
  isObject,
  metaOf,
} from "../../wire/index.js";

interface Subscriber {
  opened(id: RequestId): void;
  acknowledged(filter: Filter): void;
  readonly notified?: ((method: string, params: unknown) => void) | undefined;
}

export interface SubscribingOptions extends RequestOptions {
  readonly subscriber?: Subscriber | undefined;
}

/** The reason given when a server has ended a subscription normally. */
export class SubscriptionEnd extends LocalError {
  static override readonly errorName: string = "SubscriptionEnd";
  readonly code = "CONNECTION_CLOSED";

  constructor() {
    super("The server has ended the subscription");
  }
}

const IGNORANT: Subscriber = { opened() {}, acknowledged() {} };

/** One connection's subscriptions, by the ids of the requests that opened them (MCP: subscriptions). */
export class ClientSubscriptions {
  readonly #definition: SideDefinition;
  readonly #open = new Map<RequestId, Subscriber>();

  constructor(definition: SideDefinition) {
    this.#definition = definition;
  }

  async open(
    request: OutgoingRequest,
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
    if (subscriber) {
      return subscriber.acknowledged((params as { notifications: Filter }).notifications);
    }
    const text = "The server acknowledged an unknown subscription";
    this.#definition.report(new InvalidMessageError(text));
  }

  /**
   * Passes a notification to its subscription.
   *
   * @returns false if the subscription has ended, so that the client ignores the notification
   */
  receive(connection: Connection, row: Method, params: unknown): boolean {
    if (row.role === "cancelled") this.#end(connection, params);
    if (row.role !== undefined) return true;
    const id = metaOf(params)?.[META.subscription];
    if (id === undefined) return true;
    const subscriber = this.#open.get(id as RequestId);
    if (subscriber === undefined) return false;
    if (row.params?.(params) !== false) subscriber.notified?.(row.method, params);
    return true;
  }

  /** Ends a subscription that the server has ended, without waiting for its result. */
  #end(connection: Connection, params: unknown): void {
    const id = isObject(params) ? (params["requestId"] as RequestId) : undefined;
    if (id !== undefined && this.#open.has(id)) connection.failed(id, new SubscriptionEnd());
  }
}
