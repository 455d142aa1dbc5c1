import type { Feature, FeatureHost, Filter, HandlerContext, Listening } from "../api/index.js";
import { rowOf } from "../engine/index.js";
import { onDemand } from "../ground/index.js";
import type { Revision } from "../wire/index.js";
import type { SubscriptionOptions } from "./resource-types.js";
import type { ResourceSubscriptions, SubscribedResources } from "./subscriptions.js";

const METHOD = "notifications/resources/updated";

export const SUBSCRIBE = "server.resources.subscribe";

const whenSubscribing = onDemand(() => import("./subscriptions.js"));

export interface ResourceUpdates<Context extends HandlerContext> extends Required<
  Pick<Feature, "handlers" | "audiences" | "missed">
> {
  attach(host: FeatureHost): void;
  listen(filter: Filter, context: Context): Promise<Listening | undefined>;
  /** Notifies the subscribers of a URI and its parents, once for all changes in the same synchronous run. */
  updated(uri: string, meta?: object): void;
}

/** Creates the support for resource updates. The subscription code is loaded on first use. */
export function resourceUpdates<Context extends HandlerContext>(
  options: SubscriptionOptions<Context>,
  maxUriLength: number,
  resources: SubscribedResources<Context>,
): ResourceUpdates<Context> {
  let subscriptions: ResourceSubscriptions<Context> | undefined;
  let host: FeatureHost | undefined;
  const changed = new Map<string, object | undefined>();
  const when = <Result>(
    use: (all: ResourceSubscriptions<Context>) => Result,
  ): Result | Promise<Awaited<Result>> =>
    whenSubscribing((module) => {
      subscriptions ??= new module.ResourceSubscriptions(options, maxUriLength, resources);
      return use(subscriptions);
    });
  const notify = (): void => {
    const updated = [...changed];
    changed.clear();
    for (const [uri, meta] of updated)
      host?.broadcast(METHOD, meta === undefined ? { uri } : { uri, _meta: meta });
  };
  return {
    handlers: {
      "resources/subscribe": (params, context) =>
        when((all) => all.subscribe((params as UriParams).uri, context as Context)),
      "resources/unsubscribe": (params, { session }) =>
        when((all) => {
          all.unsubscribe((params as UriParams).uri, session);
          return {};
        }),
    },
    audiences: {
      [METHOD]: (params) =>
        subscriptions?.sessionsOf((params as Partial<UriParams> | undefined)?.uri) ?? [],
    },
    missed: () => subscriptions?.all ?? [],
    attach(to) {
      host = to;
    },
    async listen(filter, context) {
      const member = memberOf(context.session.revision);
      const uris = member === undefined ? undefined : filter[member];
      if (member === undefined || !Array.isArray(uris)) return undefined;
      return when((all) => all.listen(filter, member, uris as string[], context));
    },
    updated(uri, meta) {
      changed.set(uri, meta);
      if (changed.size === 1) queueMicrotask(notify);
    },
  };
}

interface UriParams {
  readonly uri: string;
}

/** Returns the name of the filter member that contains the URIs. */
function memberOf(revision: Revision): string | undefined {
  const conditions = rowOf(revision, "listen")?.conditions;
  const path = conditions?.find(({ capability }) => capability === SUBSCRIBE)?.member;
  return path?.slice(path.lastIndexOf(".") + 1);
}
