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
import { onDemand } from "../ground/index.js";
import type { Revision } from "../wire/index.js";
import type { SubscriptionOptions } from "./resource-types.js";
import type { ResourceSubscriptions, SubscribedResources } from "./subscriptions.js";

const METHOD = "notifications/resources/updated";

/** Capability that subscriptions to resources need. */
export const SUBSCRIBE = "server.resources.subscribe";

const whenSubscribing = onDemand(() => import("./subscriptions.js"));

/** Notifies the subscribers of resources of changes. What keeps subscriptions loads with the first of them. */
export class ResourceUpdates<Context extends HandlerContext> {
  readonly handlers: Readonly<Record<string, AnyHandler>> = {
    "resources/subscribe": (params, context) =>
      this.#when((all) => all.subscribe((params as UriParams).uri, context as Context)),
    "resources/unsubscribe": (params, { session }) =>
      this.#when((all) => {
        all.unsubscribe((params as UriParams).uri, session);
        return {};
      }),
  };
  readonly audiences: Readonly<Record<string, (params: unknown) => Iterable<Session>>> = {
    [METHOD]: (params) =>
      this.#subscriptions?.sessionsOf((params as Partial<UriParams> | undefined)?.uri) ?? [],
  };
  readonly #create: (module: typeof import("./subscriptions.js")) => ResourceSubscriptions<Context>;
  #subscriptions: ResourceSubscriptions<Context> | undefined;
  #host: FeatureHost | undefined;
  /** URIs that changed in the current turn, with the `_meta` of their notifications. */
  readonly #updated = new Map<string, object | undefined>();

  constructor(
    options: SubscriptionOptions<Context>,
    maxUriLength: number,
    resources: SubscribedResources<Context>,
  ) {
    this.#create = (module) => new module.ResourceSubscriptions(options, maxUriLength, resources);
  }

  attach(host: FeatureHost): void {
    this.#host = host;
  }

  /** The part of a requested subscription that is about updates, reduced to the URIs that it can have. */
  async listen(filter: Filter, context: Context): Promise<Listening | undefined> {
    const member = memberOf(context.session.revision);
    const uris = member === undefined ? undefined : filter[member];
    if (member === undefined || !Array.isArray(uris)) return undefined;
    return this.#when((all) => all.listen(filter, member, uris as string[], context));
  }

  /** Updates of all URIs that have a subscriber. */
  get all(): readonly BusEvent[] {
    return this.#subscriptions?.all ?? [];
  }

  /** Notifies the subscribers of a URI, and of its parents, at the end of the current turn. */
  updated(uri: string, meta?: object): void {
    this.#updated.set(uri, meta);
    if (this.#updated.size === 1) queueMicrotask(() => this.#notify());
  }

  #when<Result>(
    use: (all: ResourceSubscriptions<Context>) => Result,
  ): Result | Promise<Awaited<Result>> {
    return whenSubscribing((module) => use((this.#subscriptions ??= this.#create(module))));
  }

  #notify(): void {
    const updated = [...this.#updated];
    this.#updated.clear();
    for (const [uri, meta] of updated)
      this.#host?.broadcast(METHOD, meta === undefined ? { uri } : { uri, _meta: meta });
  }
}

interface UriParams {
  readonly uri: string;
}

/** The member of a subscription's filter that contains the URIs. */
function memberOf(revision: Revision): string | undefined {
  const conditions = rowOf(revision, "listen")?.conditions;
  const path = conditions?.find(({ capability }) => capability === SUBSCRIBE)?.member;
  return path?.slice(path.lastIndexOf(".") + 1);
}
