import { LONGEST_DELAY } from "../ground/index.js";
import { InvalidMessageError, type RequestId, RequestTimeoutError } from "../wire/index.js";
import type { Filter } from "../api/index.js";
import {
  type Subscriber,
  type SubscribingOptions,
  SubscriptionEnd,
} from "./client-subscriptions.js";

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
   * Resolves when it is over: with undefined when one of the two sides has ended it in order, else with what ended
   * it; something may have been missed then.
   */
  readonly closed: Promise<Error | undefined>;
  close(): void;
}

/** A client, as far as opening subscriptions goes. */
export interface SubscribingClient {
  request(method: never, params: never, options: never): Promise<unknown>;
}

/**
 * Opens a subscription, under revisions that have them (MCP: subscriptions). What it is about reaches the client's
 * handlers of notifications.
 *
 * @param filter - what to hear of, as `SubscriptionFilter` of the revision
 * @throws CapabilityError where the revision has no subscriptions, RpcError when the server refuses,
 *   RequestTimeoutError when it does not answer, ConnectionClosedError when the connection ends
 */
export async function subscribe(
  client: SubscribingClient,
  filter: Filter,
  { on, signal, timeout = 60_000 }: SubscribeOptions = {},
): Promise<Subscription> {
  signal?.throwIfAborted();
  const opening = new Opening(on);
  const end = (): void => opening.end(signal?.reason);
  signal?.addEventListener("abort", end, { once: true });
  const over = opening.ask(client, filter).finally(() => {
    signal?.removeEventListener("abort", end);
  });
  const tooLate = (): void =>
    opening.end(new RequestTimeoutError(LISTEN, timeout, undefined, "timeout"));
  const timer = timeout <= LONGEST_DELAY ? setTimeout(tooLate, timeout) : undefined;
  try {
    const acknowledged = await Promise.race([opening.agreed, over.then(endedEarly)]);
    return opening.subscription(acknowledged, over);
  } finally {
    clearTimeout(timer);
  }
}

/** A subscription from the time at which it is asked for. */
class Opening implements Subscriber {
  readonly told: Subscriber["told"];
  /** Filter that the server has accepted. */
  readonly agreed: Promise<Filter>;
  readonly #ending = new AbortController();
  #agree!: (filter: Filter) => void;
  #id: RequestId | undefined;

  constructor(on: Subscriber["told"]) {
    this.told = on;
    this.agreed = new Promise((resolve) => {
      this.#agree = resolve;
    });
  }

  opened(id: RequestId): void {
    this.#id = id;
  }

  acknowledged(filter: Filter): void {
    this.#agree(filter);
  }

  /** Settles when the subscription is over. */
  ask(client: SubscribingClient, filter: Filter): Promise<unknown> {
    const options: SubscribingOptions = {
      subscriber: this,
      signal: this.#ending.signal,
      timeout: Infinity,
      maxTotalTimeout: Infinity,
    };
    return client.request(LISTEN as never, { notifications: filter } as never, options as never);
  }

  end(reason: unknown = "not needed any more"): void {
    this.#ending.abort(reason);
  }

  subscription(filter: Filter, over: Promise<unknown>): Subscription {
    const inOrder = (error: Error): boolean =>
      this.#ending.signal.aborted || error instanceof SubscriptionEnd;
    const closed = over.then(
      () => undefined,
      (error: Error) => (inOrder(error) ? undefined : error),
    );
    return { id: this.#id!, filter, closed, close: () => this.end() };
  }
}

function endedEarly(): never {
  throw new InvalidMessageError("The server has ended a subscription that it had not agreed to");
}
