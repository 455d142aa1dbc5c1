import type { BusEvent, Feature, Filter, Limits, Listening } from "../../api/index.js";
import type { OpenResponse, RequestContext } from "../../engine/index.js";
import { type Timed, deadlines, isThenable, tally } from "../../ground/index.js";
import { UriIndex } from "../../ground/uri-index/index.js";
import { declaredSettings, extensionRequired } from "../../rules/index.js";
import {
  INTERNAL_ERROR,
  LocalError,
  META,
  OverloadError,
  RpcError,
  isObject,
} from "../../wire/index.js";
import type { Topics } from "../topics.js";

export interface ListenOptions {
  readonly topics: Topics;
  readonly features: readonly Feature[];
  readonly subscriptions: OpenSubscriptions;
  readonly report: (error: Error) => void;
}

/**
 * Opens a subscription: acknowledges the accepted part of its filter, and then sends the notifications for that part
 * (MCP: subscriptions).
 */
export async function openSubscription(
  params: unknown,
  context: RequestContext,
  options: ListenOptions,
): Promise<void> {
  const { topics, features, subscriptions, report } = options;
  const { container, members, extensions, acknowledged } = topics;
  subscriptions.assertRoom(context);
  const listenings: Listening[] = [];
  let filter = filterOf((params as Record<string, unknown>)[container], members);
  const { session } = context;
  for (const [member, id] of extensions) {
    if (filter[member] === undefined || declaredSettings(session, id)) continue;
    throw extensionRequired(`${container}.${member}`, id, session.revision);
  }
  try {
    for (const feature of features) {
      const answer = feature.listen?.(filter, context);
      const listening = isThenable(answer) ? await answer : answer;
      if (listening === undefined) continue;
      listenings.push(listening);
      filter = filterOf(listening.filter, members, filter);
    }
    subscriptions.assertRoom(context);
  } catch (error) {
    endAll(listenings, report);
    throw error;
  }
  if (!context.isOpen) return endAll(listenings, report);
  const subscription = new Subscription(context, filter, listenings, options);
  context.openResponse = subscription;
  subscription.notify({ method: acknowledged.method, params: { [container]: filter } });
  subscriptions.add(subscription);
}

/**
 * Returns the known members of a filter that request something (true, or a list that is not empty). If `accepted` is
 * passed, returns only those that it also contains.
 */
function filterOf(given: unknown, members: ReadonlyMap<string, string>, accepted?: Filter): Filter {
  const filter: Record<string, unknown> = {};
  if (!isObject(given)) return filter;
  for (const member of members.values()) {
    const value = Object.hasOwn(given, member) ? given[member] : undefined;
    const isRequested = value === true || (Array.isArray(value) && value.length > 0);
    if (isRequested && (accepted === undefined || accepted[member] !== undefined)) {
      filter[member] = Array.isArray(value) ? [...new Set<unknown>(value)] : value;
    }
  }
  return filter;
}

function endAll(listenings: readonly Listening[], report: (error: Error) => void): void {
  for (const listening of listenings) {
    try {
      listening.end?.();
    } catch (error) {
      report(error as Error);
    }
  }
}

type Notify = (method: string, params: unknown) => Promise<void>;

/** The maximum number of notifications that may wait to be sent to a slow client. Further ones are held back. */
const MOST_WAITING = 64;
const MOST_HELD = 1024;

/**
 * A client's subscription. While too many notifications are waiting to be sent, further ones are held back, and equal
 * ones are sent only once. If a client is too slow even for that, its subscription ends and it must subscribe again.
 */
class Subscription implements OpenResponse, Timed {
  readonly connection: object;
  /**
   * The time at which the client's credential expires, on the clock of `performance.now()`. The client then has to
   * subscribe again with a valid credential.
   */
  readonly deadline: number;
  /**
   * Maps the methods of the subscribed notifications to their subjects, or to true for all notifications of the method.
   */
  readonly subjects: ReadonlyMap<string, true | readonly string[]>;
  readonly #context: RequestContext;
  readonly #listenings: readonly Listening[];
  readonly #options: ListenOptions;
  readonly #held = new Map<string, BusEvent>();
  #waiting = 0;

  constructor(
    context: RequestContext,
    filter: Filter,
    listenings: readonly Listening[],
    options: ListenOptions,
  ) {
    this.connection = context.reply.connection;
    const { expiresAt = Infinity } = context.origin?.auth ?? {};
    this.deadline = performance.now() + expiresAt - Date.now();
    this.#context = context;
    this.#listenings = listenings;
    this.#options = options;
    const subjects = new Map<string, true | readonly string[]>();
    for (const [method, member] of options.topics.members) {
      const value = filter[member];
      if (value !== undefined) subjects.set(method, value as true | readonly string[]);
    }
    this.subjects = subjects;
  }

  notify(event: BusEvent): void {
    if (this.#listenings.some((listening) => listening.omits?.(event))) return;
    if (this.#waiting < MOST_WAITING) return void this.#send(event);
    const key = JSON.stringify([event.method, event.params]);
    if (this.#held.has(key) || this.#held.size < MOST_HELD) {
      this.#held.set(key, event);
      return;
    }
    const { id } = this.#context;
    const text = `The subscription ${JSON.stringify(id)} was ended: its client does not read the notifications`;
    this.#options.report(new OverloadError(text));
    this.expire();
  }

  expire(): void {
    this.#context.owner?.retire(this.#context);
  }

  end(): unknown {
    this.drop();
    return { _meta: { [META.subscription]: this.#context.id } };
  }

  /**
   * Notifies the client that the subscription has ended. If the subscription has its own stream, the response is
   * sufficient. Otherwise, a cancellation follows the response, because some clients report a response to a cancelled
   * request as an error.
   */
  ended(): void {
    const { id, reply, binding } = this.#context;
    const cancelled = binding.roles.get("cancelled");
    if (reply.hasOwnStream || !cancelled) return;
    const { method } = cancelled;
    void reply.send({ jsonrpc: "2.0", method, params: { requestId: id } }, undefined);
  }

  drop(): void {
    this.#held.clear();
    this.#options.subscriptions.delete(this);
    endAll(this.#listenings, this.#options.report);
  }

  async #send({ method, params }: BusEvent): Promise<void> {
    this.#waiting += 1;
    try {
      await (this.#context.notify as Notify)(method, params);
    } catch (error) {
      if (!(error instanceof LocalError)) this.#options.report(error as Error);
    }
    this.#waiting -= 1;
    for (const [key, event] of this.#held) {
      this.#held.delete(key);
      return this.#send(event);
    }
  }
}

/** The open subscriptions of all clients of a server, on all connections. */
export class OpenSubscriptions {
  readonly #limits: Limits;
  /**
   * Maps a notification's method to the parameter that contains the subject. Notifications about URIs have no entry.
   */
  readonly #keys: ReadonlyMap<string, string>;
  readonly #counts = tally<object>();
  readonly #deadlines = deadlines();
  readonly #all = new Set<Subscription>();
  readonly #toAll = new Map<string, Set<Subscription>>();
  readonly #toSome = new Map<string, UriIndex<Subscription>>();

  constructor(limits: Limits, keys: ReadonlyMap<string, string>) {
    this.#limits = limits;
    this.#keys = keys;
  }

  assertRoom({ reply }: RequestContext): void {
    const { subscriptions, allSubscriptions } = this.#limits;
    const own = reply.hasOwnStream ? 0 : this.#counts.of(reply.connection);
    if (own >= subscriptions) throw full(subscriptions, "end an open one");
    if (this.#all.size >= allSubscriptions) throw full(allSubscriptions, "try again later");
  }

  add(subscription: Subscription): void {
    this.#all.add(subscription);
    this.#deadlines.add(subscription);
    this.#counts.add(subscription.connection, 1);
    for (const [method, subjects] of subscription.subjects) {
      if (subjects === true) {
        const set = this.#toAll.get(method) ?? new Set();
        this.#toAll.set(method, set.add(subscription));
      } else {
        const index = this.#toSome.get(method) ?? new UriIndex<Subscription>();
        this.#toSome.set(method, index);
        for (const subject of subjects) index.add(subscription, subject);
      }
    }
  }

  delete(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    this.#deadlines.delete(subscription);
    this.#counts.add(subscription.connection, -1);
    for (const [method, subjects] of subscription.subjects) {
      if (subjects === true) this.#toAll.get(method)?.delete(subscription);
      else for (const one of subjects) this.#toSome.get(method)?.delete(subscription, one);
    }
  }

  notify(event: BusEvent, connection?: object): void {
    for (const subscription of this.#subscribersOf(event)) {
      if (connection === undefined || subscription.connection === connection) {
        subscription.notify(event);
      }
    }
  }

  *#subscribersOf({ method, params }: BusEvent): Generator<Subscription> {
    yield* this.#toAll.get(method) ?? [];
    const key = this.#keys.get(method);
    const subject = isObject(params) ? params[key ?? "uri"] : undefined;
    if (typeof subject !== "string") return;
    for (const one of this.#toSome.get(method)?.of(subject) ?? []) {
      // A subscription to a URI includes the URIs below it. Other subjects must be equal.
      const subjects = one.subjects.get(method);
      if (key === undefined || (Array.isArray(subjects) && subjects.includes(subject))) yield one;
    }
  }
}

function full(limit: number, advice: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${limit} subscriptions are open, ${advice}`);
}
