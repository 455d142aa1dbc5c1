import type { Filter } from "../../api/index.js";
import { LONGEST_DELAY } from "../../ground/index.js";
import { InvalidMessageError, type RequestId, RequestTimeoutError } from "../../wire/index.js";
import { SubscriptionEnd, type SubscribingOptions } from "./client-subscriptions.js";

const LISTEN = "subscriptions/listen";

export interface SubscribeOptions {
  /** The time to wait for the server's acknowledgement, in milliseconds. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** A signal that ends the subscription, even while it is being opened. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each of the subscription's notifications, before the client's handlers. Must not throw. */
  readonly on?: ((method: string, params: unknown) => void) | undefined;
}

/** A subscription that the server has accepted. */
export interface Subscription {
  readonly id: RequestId;
  /**
   * The part of the filter that the server has accepted. The client is not notified of changes that only the rest of
   * the filter covers.
   */
  readonly filter: Filter;
  /**
   * Resolves when the subscription has ended. The value is undefined if either side ended it normally, and otherwise
   * the error that ended it. After an error, notifications may have been missed.
   */
  readonly closed: Promise<Error | undefined>;
  close(): void;
}

/** A client that can open subscriptions. */
export interface SubscribingClient {
  request(method: never, params: never, options: never): Promise<unknown>;
}

/**
 * Opens a subscription (MCP: subscriptions). The client's handlers receive its notifications.
 *
 * @param filter - the subjects to subscribe to, in the form of the revision's `SubscriptionFilter`
 * @throws CapabilityError if the revision has no subscriptions, RpcError if the server refuses, RequestTimeoutError if
 *   it does not answer, ConnectionClosedError if the connection ends
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
