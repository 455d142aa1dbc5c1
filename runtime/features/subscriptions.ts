import {
  type BusEvent,
  type Filter,
  type HandlerContext,
  type Listening,
  type Session,
  resourceNotFound,
} from "../api/index.js";
import { isIn, UriIndex } from "../ground/uri-index/index.js";
import { INTERNAL_ERROR, INVALID_PARAMS, InsufficientScopeError, RpcError } from "../wire/index.js";
import type { SubscriptionOptions } from "./resource-types.js";

const DEFAULT_LIMIT = 1000;
const DEFAULT_MAX_KEPT_URI_LENGTH = 2048;
const DEFAULT_MAX_CHARACTERS = 262_144;
const DEFAULT_MAX_TOTAL_CHARACTERS = 67_108_864;
const METHOD = "notifications/resources/updated";

export interface SubscribedResources<Context> {
  definitionsFor(context: Context): readonly { readonly uri: string }[];
  has(uri: string, context: Context): boolean;
  hasRules(): boolean;
  /** Returns true if access rules hide the URI's resource from the sender of a request. Never throws. */
  isKept(uri: string, context: Context): boolean;
}

/** A subscription that belongs to a request from a stateless client rather than to a session. */
interface OwnSubscription extends Subscriber {
  readonly isOwn: true;
}

/** Subscriptions to resources, together with the rules about who may have them (MCP: resources, subscriptions). */
export class ResourceSubscriptions<Context extends HandlerContext> {
  readonly #options: SubscriptionOptions<Context>;
  readonly #resources: SubscribedResources<Context>;
  /** The sender of each session's latest request to subscribe, recorded only if there are access rules. */
  readonly #senders = new WeakMap<Session, Sender>();
  readonly #maxUriLength: number;
  readonly #bounds: SubscriptionBounds;
  readonly #subscriptions: Subscriptions<Session | OwnSubscription>;

  constructor(
    options: SubscriptionOptions<Context>,
    maxUriLength: number,
    resources: SubscribedResources<Context>,
  ) {
    this.#options = options;
    this.#bounds = {
      limit: options.limit ?? DEFAULT_LIMIT,
      maxCharacters: options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
      maxTotalCharacters: options.maxTotalCharacters ?? DEFAULT_MAX_TOTAL_CHARACTERS,
    };
    this.#maxUriLength = Math.min(
      options.maxUriLength ?? DEFAULT_MAX_KEPT_URI_LENGTH,
      maxUriLength,
    );
    this.#resources = resources;
    this.#subscriptions = new Subscriptions(this.#bounds, options.watch);
  }

  async subscribe(uri: string, context: Context): Promise<object> {
    const { session, signal } = context;
    if (uri.length > this.#maxUriLength) {
      const text = `/uri: expected at most ${this.#maxUriLength} characters, received ${uri.length}`;
      throw new RpcError(INVALID_PARAMS, `Invalid params: ${text}`);
    }
    if (!this.#isPossible(uri, context)) throw resourceNotFound(session.revision, uri);
    await this.#options.onsubscribe?.(uri, context);
    signal.throwIfAborted();
    const refused = this.#subscriptions.add(session, uri);
    if (refused !== undefined) {
      const text = `Too many subscriptions: ${refused}; unsubscribe from some`;
      throw new RpcError(INTERNAL_ERROR, text);
    }
    if (this.#resources.hasRules()) this.#senders.set(session, senderOf(context));
    return {};
  }

  unsubscribe(uri: string, session: Session): void {
    this.#subscriptions.delete(session, uri);
  }

  /**
   * Accepts the URIs that the client may subscribe to.
   *
   * @param member - the name of the filter member that contains the URIs
   */
  async listen(
    filter: Filter,
    member: string,
    uris: readonly string[],
    context: Context,
  ): Promise<Listening> {
    const own: OwnSubscription = { isOwn: true };
    const end = (): void => this.#subscriptions.forget(own);
    try {
      const { limit, maxCharacters } = this.#bounds;
      const accepted: string[] = [];
      let lookedAt = 0;
      // URIs far beyond the limits are not examined, because each one takes time, whether or not it is accepted.
      for (const uri of uris.slice(0, Math.max(limit, DEFAULT_LIMIT))) {
        lookedAt += uri.length;
        if (accepted.length >= limit || lookedAt > Math.max(maxCharacters, DEFAULT_MAX_CHARACTERS))
          break;
        if (await this.#isAccepted(uri, own, context)) accepted.push(uri);
      }
      const omits = ({ method, params }: BusEvent): boolean =>
        method === METHOD && this.#resources.isKept((params as UriParams).uri, context);
      return { filter: { ...filter, [member]: accepted }, omits, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  get all(): readonly BusEvent[] {
    return this.#subscriptions.uris.map((uri) => ({ method: METHOD, params: { uri } }));
  }

  *sessionsOf(uri: string | undefined): Generator<Session> {
    if (typeof uri !== "string") return;
    const hasRules = this.#resources.hasRules();
    for (const one of this.#subscriptions.subscribersOf(uri)) {
      if ("isOwn" in one) continue;
      if (!hasRules || !this.#resources.isKept(uri, this.#senderIn(one))) yield one;
    }
  }

  #senderIn(session: Session): Context {
    return (this.#senders.get(session) ?? { ...UNKNOWN_SENDER, session }) as Context;
  }

  async #isAccepted(uri: string, own: OwnSubscription, context: Context): Promise<boolean> {
    if (!this.#isPossible(uri, context)) return false;
    try {
      await this.#options.onsubscribe?.(uri, context);
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
    context.signal.throwIfAborted();
    return this.#subscriptions.add(own, uri) === undefined;
  }

  #isPossible(uri: string, context: Context): boolean {
    const { unknown = false } = this.#options;
    return uri.length <= this.#maxUriLength && (this.#isKnown(uri, context) || unknown);
  }

  /**
   * Returns true if the sender of the request can use the resource or family that the URI belongs to, or a resource
   * below the URI.
   */
  #isKnown(uri: string, context: Context): boolean {
    const resources = this.#resources;
    if (resources.has(uri, context)) return true;
    const below = resources.definitionsFor(context).filter((resource) => isIn(resource.uri, uri));
    const open = below.find((resource) => !resources.isKept(resource.uri, context));
    const first = open ?? below[0];
    return first !== undefined && resources.has(first.uri, context);
  }
}

/** The context properties that access rules may depend on. */
type Sender = Pick<HandlerContext, "session" | "auth" | "locals" | "header" | "requireScopes">;

/** Returns the sender of a request without the request's parameters, which can be large. */
function senderOf({ session, auth, locals, header, requireScopes }: HandlerContext): Sender {
  return { session, auth, locals, header, requireScopes };
}

/** The sender used for a session that subscribed before there were access rules. */
const UNKNOWN_SENDER: Omit<Sender, "session"> = {
  auth: undefined,
  header: () => undefined,
  requireScopes(...scopes) {
    throw new InsufficientScopeError(scopes);
  },
};

interface UriParams {
  readonly uri: string;
}

export interface Subscriber {
  /** Resolves when the subscriber has ended, after which its subscriptions are removed. */
  readonly closed?: Promise<unknown>;
}

export interface SubscriptionBounds {
  readonly limit: number;
  /** The maximum total length of one subscriber's URIs, in UTF-16 units. */
  readonly maxCharacters: number;
  /** The maximum total length of all URIs, in UTF-16 units. */
  readonly maxTotalCharacters: number;
}

export class Subscriptions<One extends Subscriber> {
  readonly #bounds: SubscriptionBounds;
  readonly #watch: ((uri: string) => (() => void) | void) | undefined;
  readonly #index = new UriIndex<One>();
  readonly #urisBy = new Map<One, Uris>();
  #characters = 0;
  readonly #unwatch = new Map<string, () => void>();

  constructor(bounds: SubscriptionBounds, watch?: (uri: string) => (() => void) | void) {
    this.#bounds = bounds;
    this.#watch = watch;
  }

  /**
   * Adds a subscription.
   *
   * @returns the limit that the subscription would exceed, or undefined if the subscription now exists
   */
  add(one: One, uri: string): string | undefined {
    const known = this.#urisBy.get(one);
    if (known?.all.has(uri)) return undefined;
    const refused = this.#boundReached(known, uri);
    if (refused !== undefined) return refused;
    const uris = known ?? this.#urisOf(one);
    if (!this.#index.has(uri)) {
      const unwatch = this.#watch?.(uri);
      if (unwatch) this.#unwatch.set(uri, unwatch);
    }
    this.#index.add(one, uri);
    uris.all.add(uri);
    uris.characters += uri.length;
    this.#characters += uri.length;
    return undefined;
  }

  delete(one: One, uri: string): void {
    const uris = this.#urisBy.get(one);
    if (!uris?.all.delete(uri)) return;
    uris.characters -= uri.length;
    this.#leave(one, uri);
  }

  get uris(): readonly string[] {
    return [...new Set([...this.#urisBy.values()].flatMap(({ all }) => [...all]))];
  }

  /** Returns the subscribers of a URI and its parents. */
  subscribersOf(uri: string): ReadonlySet<One> {
    return this.#index.of(uri);
  }

  forget(one: One): void {
    const uris = this.#urisBy.get(one)?.all ?? [];
    this.#urisBy.delete(one);
    for (const uri of uris) this.#leave(one, uri);
  }

  #boundReached(uris: Uris | undefined, { length }: string): string | undefined {
    const { limit, maxCharacters, maxTotalCharacters } = this.#bounds;
    if (uris && uris.all.size >= limit) return `the limit is ${limit}`;
    if ((uris?.characters ?? 0) + length > maxCharacters) {
      return `their URIs may have ${maxCharacters} characters together`;
    }
    if (this.#characters + length > maxTotalCharacters) return "the server has no room for more";
    return undefined;
  }

  #urisOf(one: One): Uris {
    const uris: Uris = { all: new Set(), characters: 0 };
    this.#urisBy.set(one, uris);
    void one.closed?.then(() => this.forget(one));
    return uris;
  }

  #leave(one: One, uri: string): void {
    this.#characters -= uri.length;
    if (!this.#index.delete(one, uri)) return;
    const unwatch = this.#unwatch.get(uri);
    this.#unwatch.delete(uri);
    unwatch?.();
  }
}

interface Uris {
  readonly all: Set<string>;
  characters: number;
}
