import type { BusEvent, Filter, Listening } from "../api/index.js";
import { LocalError, META, OverloadError } from "../wire/index.js";
import type { RequestContext, OpenResponse } from "../engine/index.js";
import type { OpenSubscriptions } from "./open-subscriptions.js";
import { SlowReader } from "./slow-reader.js";

/** Needs of an open subscription, apart from its request. */
export interface SubscriptionOptions {
  readonly filter: Filter;
  /** The member of the filter that asks for a notification, by its method. */
  readonly members: ReadonlyMap<string, string>;
  /** Parts that the features contribute to it. */
  readonly listenings: readonly Listening[];
  readonly registry: OpenSubscriptions;
  readonly report: (error: Error) => void;
}

/** A subscription that a client has opened: tells it what it asked for, until one side ends that (MCP: subscriptions). */
export class Subscription implements OpenResponse {
  readonly #context: RequestContext;
  readonly #options: SubscriptionOptions;
  readonly #reader: SlowReader;

  constructor(context: RequestContext, options: SubscriptionOptions) {
    this.#context = context;
    this.#options = options;
    this.#reader = new SlowReader((event) => this.#send(event));
  }

  get connection(): object {
    return this.#context.reply.connection;
  }

  /** Notifications that it wants: all of a method, or those about certain URIs. */
  *wishes(): Generator<[method: string, wish: true | readonly string[]]> {
    const { filter, members } = this.#options;
    for (const [method, member] of members) {
      const wish = filter[member];
      if (wish !== undefined) yield [method, wish as true | readonly string[]];
    }
  }

  /** True when the filter names a subject itself. */
  wants(method: string, subject: string): boolean {
    const { filter, members } = this.#options;
    const wish = filter[members.get(method)!];
    return Array.isArray(wish) && wish.includes(subject);
  }

  /** Ends the subscription of a client that reads too slowly: it has to look for itself then, and ask anew. */
  tell(event: BusEvent): void {
    if (this.#reader.tell(event)) return;
    const { id } = this.#context;
    const text = `The subscription ${JSON.stringify(id)} was ended: its client does not read what it asked for`;
    this.#options.report(new OverloadError(text));
    this.#context.owner?.retire(this.#context);
  }

  end(): unknown {
    this.drop();
    return { _meta: { [META.subscription]: this.#context.id } };
  }

  /**
   * Reports the end. On a stream of its own the answer does; elsewhere a notification follows it: there are clients that
   * report an answer to a request that was cancelled.
   */
  ended(): void {
    const { id, reply, binding } = this.#context;
    const cancelled = binding.roles.get("cancelled");
    if (reply.hasOwnStream || !cancelled) return;
    const { method } = cancelled;
    void reply.send({ jsonrpc: "2.0", method, params: { requestId: id } }, undefined);
  }

  drop(): void {
    this.#reader.stop();
    this.#options.registry.delete(this);
    endAll(this.#options.listenings, this.#options.report);
  }

  async #send({ method, params }: BusEvent): Promise<void> {
    try {
      await (this.#context.notify as Notify)(method, params);
    } catch (error) {
      if (!(error instanceof LocalError)) this.#options.report(error as Error);
    }
  }
}

/** Ends what features do for a subscription. */
export function endAll(listenings: readonly Listening[], report: (error: Error) => void): void {
  for (const listening of listenings) {
    try {
      listening.end?.();
    } catch (error) {
      report(error as Error);
    }
  }
}

type Notify = (method: string, params: unknown) => Promise<void>;
