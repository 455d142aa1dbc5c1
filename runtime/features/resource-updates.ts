import { INTERNAL_ERROR, INVALID_PARAMS, type Revision, RpcError } from "../wire/index.js";
import type {
  AnyHandler,
  BusEvent,
  FeatureHost,
  Filter,
  HandlerContext,
  Listening,
  Session,
} from "../api/index.js";
import { rowOf } from "../engine/index.js";
import type { SubscriptionOptions } from "./resource-types.js";
import { resourceNotFound } from "./resource-not-found.js";
import { type Subscriber, type SubscriptionBounds, Subscriptions } from "./subscriptions.js";

const DEFAULT_LIMIT = 1000;
const DEFAULT_MAX_KEPT_URI_LENGTH = 2048;
const DEFAULT_MAX_CHARACTERS = 262_144;
const DEFAULT_MAX_TOTAL_CHARACTERS = 67_108_864;
const METHOD = "notifications/resources/updated";

/** Capability that subscriptions to resources need. */
export const SUBSCRIBE = "server.resources.subscribe";

/** Stands for a subscription that a client opens for itself, which is no session. */
interface OwnSubscription extends Subscriber {
  readonly isOwn: true;
}

/** Tells those that have subscribed to resources that these have changed (MCP: resources, subscriptions). */
export class ResourceUpdates<Context extends HandlerContext> {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly #options: SubscriptionOptions<Context>;
  readonly #isKnown: (uri: string, context: Context) => boolean;
  readonly #maxUriLength: number;
  readonly #bounds: SubscriptionBounds;
  readonly audiences: Readonly<Record<string, (params: unknown) => Iterable<Session>>> = {
    [METHOD]: (params) => this.#sessionsOf((params as Partial<UriParams> | undefined)?.uri),
  };
  readonly #subscriptions: Subscriptions<Session | OwnSubscription>;
  #host: FeatureHost | undefined;
  /** URIs that changed in the current turn, with the `_meta` of what is told. */
  readonly #updated = new Map<string, object | undefined>();

  /** @param isKnown - true for a URI that the request can subscribe to */
  constructor(
    options: SubscriptionOptions<Context>,
    maxUriLength: number,
    isKnown: (uri: string, context: Context) => boolean,
  ) {
    this.#options = options;
    const bounds: SubscriptionBounds = {
      limit: options.limit ?? DEFAULT_LIMIT,
      maxCharacters: options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
      maxTotalCharacters: options.maxTotalCharacters ?? DEFAULT_MAX_TOTAL_CHARACTERS,
    };
    this.#maxUriLength = Math.min(
      options.maxUriLength ?? DEFAULT_MAX_KEPT_URI_LENGTH,
      maxUriLength,
    );
    this.#isKnown = isKnown;
    this.#bounds = bounds;
    this.#subscriptions = new Subscriptions(bounds, options.watch);
    this.handlers = {
      "resources/subscribe": (params, context) =>
        this.#subscribe((params as UriParams).uri, context as Context),
      "resources/unsubscribe": (params, { session }) => {
        this.#subscriptions.delete(session, (params as UriParams).uri);
        return {};
      },
    };
  }

  attach(host: FeatureHost): void {
    this.#host = host;
  }

  /** Takes part in a subscription that asks for updates, with the URIs that it can have. */
  async listen(filter: Filter, context: Context): Promise<Listening | undefined> {
    const member = memberOf(context.session.revision);
    const uris = member === undefined ? undefined : filter[member];
    if (member === undefined || !Array.isArray(uris)) return undefined;
    const own: OwnSubscription = { isOwn: true };
    const end = (): void => this.#subscriptions.forget(own);
    try {
      const { limit, maxCharacters } = this.#bounds;
      const accepted: string[] = [];
      let lookedAt = 0;
      // Those far beyond the bounds are not even looked at: each costs something, whether it is accepted or not.
      for (const uri of (uris as string[]).slice(0, Math.max(limit, DEFAULT_LIMIT))) {
        lookedAt += uri.length;
        if (accepted.length >= limit || lookedAt > Math.max(maxCharacters, DEFAULT_MAX_CHARACTERS))
          break;
        if (await this.#isAccepted(uri, own, context)) accepted.push(uri);
      }
      return { filter: { ...filter, [member]: accepted }, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Updates of all URIs that somebody has subscribed to. */
  get all(): readonly BusEvent[] {
    return this.#subscriptions.uris.map((uri) => ({ method: METHOD, params: { uri } }));
  }

  /** Tells the subscribers of a URI, and of its parents, at the end of the current turn. */
  updated(uri: string, meta?: object): void {
    this.#updated.set(uri, meta);
    if (this.#updated.size === 1) queueMicrotask(() => this.#tell());
  }

  async #subscribe(uri: string, context: Context): Promise<object> {
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
    return {};
  }

  /**
   * True when a subscription may have a URI. The subscriber learns at once of those that it does
   * not get.
   */
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
    return uri.length <= this.#maxUriLength && (unknown || this.#isKnown(uri, context));
  }

  *#sessionsOf(uri: string | undefined): Generator<Session> {
    if (typeof uri !== "string") return;
    for (const one of this.#subscriptions.subscribersOf(uri)) {
      if (!("isOwn" in one)) yield one;
    }
  }

  #tell(): void {
    const updated = [...this.#updated];
    this.#updated.clear();
    for (const [uri, meta] of updated)
      this.#host?.broadcast(METHOD, meta === undefined ? { uri } : { uri, _meta: meta });
  }
}

/** The member of a subscription's filter that has the URIs. */
function memberOf(revision: Revision): string | undefined {
  const conditions = rowOf(revision, "listen")?.conditions;
  const path = conditions?.find(({ capability }) => capability === SUBSCRIBE)?.member;
  return path?.slice(path.lastIndexOf(".") + 1);
}

interface UriParams {
  readonly uri: string;
}
