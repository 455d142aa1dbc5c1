import type { BusEvent, Limits } from "../api/index.js";
import { INTERNAL_ERROR, RpcError, isObject } from "../wire/index.js";
import type { RequestContext } from "../engine/index.js";
import { Tally, UriIndex } from "../ground/index.js";
import type { Subscription } from "./subscription.js";

/** The subscriptions that the clients of a server have open, on whatever connection. */
export class OpenSubscriptions {
  readonly #limits: Limits;
  readonly #counts = new Tally<object>();
  readonly #all = new Set<Subscription>();
  /** Subscriptions to all notifications of a method, by method. */
  readonly #ofAll = new Map<string, Set<Subscription>>();
  readonly #ofSome = new Map<string, UriIndex<Subscription>>();
  readonly #keys: ReadonlyMap<string, string>;

  /** @param keys - member with the subject of a notification that is about no URI, by the method */
  constructor(limits: Limits, keys: ReadonlyMap<string, string>) {
    this.#limits = limits;
    this.#keys = keys;
  }

  /** @throws RpcError when there are too many */
  assertRoom({ reply }: RequestContext): void {
    const { subscriptions, allSubscriptions } = this.#limits;
    const own = reply.hasOwnStream ? 0 : this.#counts.of(reply.connection);
    if (own >= subscriptions) throw full(subscriptions, "end one that is open");
    if (this.#all.size >= allSubscriptions) throw full(allSubscriptions, "try again later");
  }

  add(subscription: Subscription): void {
    this.#all.add(subscription);
    this.#counts.add(subscription.connection, 1);
    for (const [method, wish] of subscription.wishes()) {
      if (wish === true) made(this.#ofAll, method, () => new Set()).add(subscription);
      else {
        const index = made(this.#ofSome, method, () => new UriIndex<Subscription>());
        for (const uri of wish) index.add(subscription, uri);
      }
    }
  }

  delete(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    this.#counts.add(subscription.connection, -1);
    for (const [method, wish] of subscription.wishes()) {
      if (wish === true) this.#ofAll.get(method)?.delete(subscription);
      else for (const uri of wish) this.#ofSome.get(method)?.delete(subscription, uri);
    }
  }

  /** @param connection - whose subscriptions hear it; all of them where none is given */
  hear(event: BusEvent, connection?: object): void {
    for (const subscription of this.#subscribersOf(event)) {
      if (connection === undefined || subscription.connection === connection) {
        subscription.tell(event);
      }
    }
  }

  *#subscribersOf({ method, params }: BusEvent): Generator<Subscription> {
    yield* this.#ofAll.get(method) ?? [];
    const key = this.#keys.get(method);
    const subject = isObject(params) ? params[key ?? "uri"] : undefined;
    if (typeof subject !== "string") return;
    const found = this.#ofSome.get(method)?.of(subject) ?? [];
    // Only a URI is followed by whoever follows a parent of it.
    for (const one of found) if (key === undefined || one.wants(method, subject)) yield one;
  }
}

function made<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function full(limit: number, advice: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${limit} subscriptions are open, ${advice}`);
}
