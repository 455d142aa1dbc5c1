import type {
  Binding,
  Definition,
  Handling,
  Opening,
  Outbound,
  Standalone,
} from "../engine/index.js";
import { type Revision, declaredBy, keep, missingCapability } from "../wire/index.js";
import type { RequestOptions, Session } from "../api/index.js";
import { Rounds } from "./rounds/rounds.js";
import { ResultCompletion } from "./complete-result.js";
import { openSubscription } from "./open-subscription.js";
import type { OpenSubscriptions } from "./open-subscriptions.js";
import { RequestNotices } from "./request-notices.js";
import { StandaloneSession } from "./standalone-session.js";
import { type Topics, topicsOf } from "./topics.js";

/** A server's use of a revision where requests stand alone. */
export class StandaloneServer implements Standalone {
  readonly binding: Binding;
  readonly topics: Topics | undefined;
  readonly notices: RequestNotices;
  /** What the server tells of itself (MCP: `server/discover`). */
  readonly discovery: object;
  readonly #definition: Definition;
  readonly #subscriptions: OpenSubscriptions;
  readonly #completion: ResultCompletion;
  readonly #rounds: Rounds;

  /** @param supported - ids of all revisions that are served */
  constructor(
    { bind, definition, info, instructions }: Opening,
    revision: Revision,
    supported: readonly string[],
    subscriptions: OpenSubscriptions,
  ) {
    const { anonymous = false, freshness, rounds } = definition.options;
    this.binding = { ...bind(revision), alone: this };
    this.topics = topicsOf(revision);
    this.notices = new RequestNotices(this.binding, this.topics);
    this.discovery = keep({
      supportedVersions: supported,
      capabilities: this.binding.capabilities,
      ...(instructions === undefined ? {} : { instructions }),
    });
    this.#definition = definition;
    this.#subscriptions = subscriptions;
    this.#rounds = new Rounds(revision, info, rounds, (error) => definition.report(error));
    this.#completion = new ResultCompletion(revision, {
      info: anonymous ? undefined : info,
      freshness,
    });
  }

  session(handling: Handling): Session {
    return new StandaloneSession(handling);
  }

  call(handling: Handling): unknown {
    return this.#rounds.call(handling);
  }

  ask(
    message: Outbound,
    options: RequestOptions | undefined,
    handling: Handling,
  ): Promise<unknown> {
    return this.#rounds.ask(message, options, handling);
  }

  once<Value>(key: string, work: () => Value | Promise<Value>, handling: Handling): Promise<Value> {
    return this.#rounds.once(key, work, handling);
  }

  conclude(result: unknown, handling: Handling): Promise<unknown> | undefined {
    return this.#rounds.conclude(result, handling);
  }

  complete(result: unknown, { row }: Handling): unknown {
    return this.#completion.complete(result, row);
  }

  /** Whether subscriptions can be about a notification: there are some to it, and what it needs is declared. */
  announces(method: string): boolean {
    const row = this.topics?.members.has(method) ? this.binding.outbound.get(method) : undefined;
    const declared = declaredBy("server", this.binding.capabilities);
    return row !== undefined && missingCapability(row, "server", declared) === undefined;
  }

  /** Opens a subscription (MCP: `subscriptions/listen`). */
  listen(params: unknown, during: Handling): Promise<void> | undefined {
    const { topics } = this;
    if (topics === undefined) return undefined;
    const { features } = this.#definition;
    return openSubscription(params, during, {
      topics,
      features,
      registry: this.#subscriptions,
      report: (error) => this.#definition.report(error),
    });
  }
}
