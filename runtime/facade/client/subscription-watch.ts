import {
  CapabilityError,
  ConnectionClosedError,
  INTERNAL_ERROR,
  LocalError,
  RpcError,
} from "../../wire/index.js";
import type { Filter } from "../../api/index.js";
import { quiet, within } from "../../ground/index.js";
import {
  type SubscribingClient,
  type Subscription,
  subscribe,
} from "../../stateless/client/index.js";
import type { Relisten } from "./client-options.js";
import type { Watch, WatchHost } from "./changes.js";

/** The time, in milliseconds, that a subscription must last; one that ends sooner counts as not opened. */
const TOO_SHORT = 1000;

/** The maximum time that requests wait for a new subscription, in milliseconds. */
const LONGEST_OPENING = 1000;

/** HTTP 4xx statuses after which a retry may succeed. */
const PASSING = [408, 429];

/**
 * A watch that uses one subscription for everything that is followed. If that changes, a new subscription is opened
 * before the old one is closed. A subscription that ends is reopened, and `stale` reports that notifications may have
 * been missed.
 */
export class SubscriptionWatch implements Watch {
  readonly #host: WatchHost;
  readonly #options: Relisten;
  readonly #members = new Set<string>();
  readonly #uris = new Set<string>();
  readonly #agreed = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #closing = new AbortController();
  #current: Subscription | undefined;
  #requested = "{}";
  #turning: Promise<void> = Promise.resolve();
  #opening: Promise<void> | undefined;
  #failures = 0;
  /** True from when listeners are notified that no subscription can be opened until one is open again. */
  #isReported = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: WatchHost, options: Relisten = {}) {
    this.#host = host;
    this.#options = options;
  }

  get opening(): Promise<void> | undefined {
    return this.#opening;
  }

  follow(member: string): Promise<void> {
    this.#members.add(member);
    const turn = this.#turn();
    const followed = turn.catch(this.#failed);
    const opening = within(LONGEST_OPENING, followed).then(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return turn;
  }

  unfollow(member: string): void {
    this.#members.delete(member);
    this.#turn().catch(this.#failed);
  }

  async subscribe(uri: string): Promise<void> {
    this.#uris.add(uri);
    try {
      await this.#turn();
      if (this.#closing.signal.aborted) throw new ConnectionClosedError("The connection is closed");
      if (!this.#uris.has(uri)) throw refused(uri);
    } catch (error) {
      this.#uris.delete(uri);
      throw error;
    }
  }

  unsubscribe(uri: string): Promise<void> {
    this.#uris.delete(uri);
    this.#agreed.delete(uri);
    return this.#turn();
  }

  async renew(): Promise<void> {}

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#current?.close();
  }

  /**
   * Opens a subscription to everything that is followed, once the previous attempt has finished. Resolves when it is
   * open.
   */
  #turn(): Promise<void> {
    const turn = this.#turning.then(() => this.#open());
    this.#turning = turn.catch(() => {});
    return quiet(turn);
  }

  async #open(): Promise<void> {
    const filter = filterOf(this.#members, this.#uris);
    const requested = JSON.stringify(filter);
    if (requested === this.#requested || this.#closing.signal.aborted) return;
    const before = this.#current;
    if (requested === "{}") {
      this.#current = undefined;
      this.#requested = requested;
    } else {
      const client = this.#host as SubscribingClient;
      this.#current = await subscribe(client, filter, { signal: this.#closing.signal });
      this.#isReported = false;
      this.#requested = JSON.stringify(this.#withoutRefused(filter, this.#current.filter));
      this.#watch(this.#current);
    }
    before?.close();
  }

  /**
   * Returns the part of a filter that the server has accepted. Reports each refused list once, and stops following
   * refused resources.
   */
  #withoutRefused(requested: ResourceFilter, agreed: ResourceFilter): Filter {
    for (const member of this.#members) {
      if (!requested[member] || agreed[member] || this.#refused.has(member)) continue;
      this.#refused.add(member);
      this.#host.report(notAccepted(member));
    }
    const { resourceSubscriptions: uris = [], ...members } = requested;
    const accepted = new Set(agreed.resourceSubscriptions);
    for (const uri of uris) {
      if (accepted.has(uri)) this.#agreed.add(uri);
      else this.#dropped(uri);
    }
    return filterOf(
      Object.keys(members),
      uris.filter((uri) => accepted.has(uri)),
    );
  }

  /**
   * Handles a resource whose changes the server does not announce: reports this if the server had accepted the resource
   * before; otherwise `subscribe` rejects.
   */
  #dropped(uri: string): void {
    this.#uris.delete(uri);
    if (this.#agreed.delete(uri)) this.#host.report(refused(uri));
  }

  #watch(subscription: Subscription): void {
    const opened = performance.now();
    void subscription.closed.then(() => {
      if (subscription !== this.#current || this.#closing.signal.aborted) return;
      if (performance.now() - opened >= TOO_SHORT) this.#failures = 0;
      this.#current = undefined;
      this.#requested = "{}";
      this.#openAgain();
    });
  }

  #openAgain(): void {
    const { initialDelay = 500, maxDelay = 30_000 } = this.#options;
    const delay = Math.min(initialDelay * 2 ** this.#failures, maxDelay);
    this.#failures += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tryAgain(), delay * (0.5 + Math.random() / 2));
  }

  async #tryAgain(): Promise<void> {
    try {
      await this.#turn();
      if (this.#current) this.#host.stale();
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #failed = (error: unknown): void => {
    if (this.#closing.signal.aborted) return;
    if (isFinal(error)) return this.#host.report(error as Error);
    if (!isInterruption(error) && !this.#isReported) {
      this.#isReported = true;
      this.#host.report(error as Error);
    }
    this.#openAgain();
  };
}

function isInterruption(error: unknown): boolean {
  const { code } = error as LocalError;
  return code === "HTTP" || code === "CONNECTION_CLOSED";
}

/**
 * Returns true if the same request would fail again. Returns false if the server is busy or has an internal error, or
 * if the request received no response.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof RpcError) return error.code !== INTERNAL_ERROR;
  if (!(error instanceof LocalError) || error instanceof CapabilityError) return true;
  const { status } = error as { readonly status?: unknown };
  if (typeof status !== "number" || PASSING.includes(status)) return false;
  return status >= 400 && status <= 499;
}

interface ResourceFilter extends Filter {
  readonly resourceSubscriptions?: readonly string[];
}

/** Creates a filter in canonical order, so that equal filters have the same JSON. */
function filterOf(members: Iterable<string>, uris: Iterable<string>): ResourceFilter {
  const lists = Object.fromEntries([...members].toSorted().map((member) => [member, true]));
  const resourceSubscriptions = [...uris].toSorted();
  return resourceSubscriptions.length > 0 ? { ...lists, resourceSubscriptions } : lists;
}

function notAccepted(member: string): CapabilityError {
  return new CapabilityError(
    `Notifications of ${member} will not arrive: the server did not accept the subscription`,
  );
}

function refused(uri: string): CapabilityError {
  return new CapabilityError(`The server does not send notifications about changes to ${uri}`);
}
