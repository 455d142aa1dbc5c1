import type { Feature, Filter, Listening } from "../api/index.js";
import { type RequestContext } from "../engine/index.js";
import { declaredSettings, extensionRequired } from "../rules/index.js";
import { isThenable } from "../ground/index.js";
import { isObject } from "../wire/index.js";
import type { OpenSubscriptions } from "./open-subscriptions.js";
import { endAll, Subscription } from "./subscription.js";
import type { Topics } from "./topics.js";

export interface ListenOptions {
  readonly topics: Topics;
  readonly features: readonly Feature[];
  readonly registry: OpenSubscriptions;
  readonly report: (error: Error) => void;
}

/**
 * Opens a subscription: says what of its filter is honoured, then tells what comes up of that.
 * @throws RpcError when there are too many, or a feature refuses it
 */
export async function openSubscription(
  params: unknown,
  context: RequestContext,
  options: ListenOptions,
): Promise<void> {
  const { topics, features, registry, report } = options;
  const { container, members, extensions, acknowledged } = topics;
  registry.assertRoom(context);
  const listenings: Listening[] = [];
  let filter = asked((params as Record<string, unknown>)[container], members);
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
      filter = asked(listening.filter, members, filter);
    }
    registry.assertRoom(context);
  } catch (error) {
    endAll(listenings, report);
    throw error;
  }
  if (!context.isOpen) return endAll(listenings, report);
  const subscription = new Subscription(context, { filter, members, listenings, registry, report });
  context.openResponse = subscription;
  subscription.tell({ method: acknowledged.method, params: { [container]: filter } });
  registry.add(subscription);
}

/** Members that a filter asks for, as far as the server knows them and `left` still has them. */
function asked(given: unknown, members: ReadonlyMap<string, string>, left?: Filter): Filter {
  const filter: Record<string, unknown> = {};
  if (!isObject(given)) return filter;
  for (const member of members.values()) {
    const wish = Object.hasOwn(given, member) ? given[member] : undefined;
    const isAsked = wish === true || (Array.isArray(wish) && wish.length > 0);
    if (isAsked && (left === undefined || left[member] !== undefined)) {
      filter[member] = Array.isArray(wish) ? [...new Set<unknown>(wish)] : wish;
    }
  }
  return filter;
}
