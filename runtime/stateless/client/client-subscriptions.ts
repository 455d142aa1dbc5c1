import type { Filter, RequestOptions } from "../../api/index.js";
import type { SentRequest, Attempt, Connection, SideDefinition } from "../../engine/index.js";
import { LONGEST_DELAY } from "../../ground/index.js";
import {
  InvalidMessageError,
  LocalError,
  META,
  type Method,
  type RequestId,
  RequestTimeoutError,
  isObject,
  metaOf,
} from "../../wire/index.js";

const LISTEN = "subscriptions/listen";

export interface SubscribeOptions {
  /** Time to wait for the server's acknowledgement, in milliseconds. Default: 60 000. */
  readonly timeout?: number | undefined;
  /** Ends the subscription, also while it opens. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each notification of the subscription, before the client's handlers. Must not throw. */
  readonly on?: ((method: string, params: unknown) => void) | undefined;
}

/** An open subscription. */
export interface Subscription {
  readonly id: RequestId;
  /** Part of the filter that the server has accepted. You receive nothing about the rest. */
  readonly filter: Filter;
  /**
   * Resolves when the subscription has ended: with undefined if one of the two sides has ended it normally, otherwise
   * with the error that ended it; notifications may then have been missed.
   */
  readonly closed: Promise<Error | undefined>;
  close(): void;
}

/** Client that can open subscriptions. */
export interface SubscribingClient {
  request(method: never, params: never, options: never): Promise<unknown>;
}

/** Listener of one subscription. */
interface Subscriber {
  /** Called before the subscription is requested. */
  opened(id: RequestId): void;
  /** Called when the server has accepted the subscription, with the accepted part of the filter. */
  acknowledged(filter: Filter): void;
  /** Called with each notification of the subscription. */
  readonly notified?: SubscribeOptions["on"];
}

/** Options of the request that opens a subscription. */
interface SubscribingOptions extends RequestOptions {
  readonly subscriber?: Subscriber | undefined;
}

/**
 * Opens a subscription, if the revision has subscriptions (MCP: subscriptions). The client's handlers receive its
 * notifications.
 *
 * @param filter - subjects of the subscription, as `SubscriptionFilter` of the revision
 * @throws CapabilityError if the revision has no subscriptions, RpcError if the server refuses, RequestTimeoutError if it
 *   does not answer, ConnectionClosedError if the connection ends
 */
export async function subscribe(
  client: SubscribingClient,
  filter: Filter,
  { on, signal, timeout = 60_000 }: SubscribeOptions = {},
): Promise<Subscription> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const end = (reason: unknown = "no longer needed"): void => ending.abort(reason);
  const ended = (): void => end(signal?.reason);
  signal?.addEventListener("abort", ended, { once: true });
  let id: RequestId | undefined;
  let acknowledge!: (filter: Filter) => void;
  const agreed = new Promise<Filter>((resolve) => (acknowledge = resolve));
  const options: SubscribingOptions = {
    subscriber: { opened: (own) => (id = own), acknowledged: acknowledge, notified: on },
    signal: ending.signal,
    timeout: Infinity,
    maxTotalTimeout: Infinity,
  };
  const params = { notifications: filter };
  const over = client
    .request(LISTEN as never, params as never, options as never)
    .finally(() => signal?.removeEventListener("abort", ended));
  const tooLate = (): void => end(new RequestTimeoutError(LISTEN, timeout, undefined, "timeout"));
  const timer = timeout <= LONGEST_DELAY ? setTimeout(tooLate, timeout) : undefined;
  try {
    const accepted = await Promise.race([agreed, over.then(endedEarly)]);
    const closed = over.then(
      () => undefined,
      (error: Error) =>
        ending.signal.aborted || error instanceof SubscriptionEnd ? undefined : error,
    );
    return { id: id!, filter: accepted, closed, close: () => end() };
  } finally {
    clearTimeout(timer);
  }
}

function endedEarly(): never {
  throw new InvalidMessageError("The server has ended a subscription that it had not accepted");
}

/** Normal end of a subscription by its server. */
class SubscriptionEnd extends LocalError {
  override readonly name: string = "SubscriptionEnd";
  readonly code = "CONNECTION_CLOSED";

  constructor() {
    super("The server has ended the subscription");
  }
}

const IGNORANT: Subscriber = { opened() {}, acknowledged() {} };

/** Subscriptions of one connection, by the ids of the requests that opened them (MCP: subscriptions). */
export class ClientSubscriptions {
  readonly #definition: SideDefinition;
  readonly #open = new Map<RequestId, Subscriber>();

  constructor(definition: SideDefinition) {
    this.#definition = definition;
  }

  async open(
    request: SentRequest,
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

  /** @returns false for a notification of a subscription that has ended, which the client ignores */
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
