import {
  type AnyHandler,
  type CustomMessage,
  type RequestOptions,
  type ServerOptions,
  type Session,
  type StepSource,
  sendThrough,
  wrap,
} from "../api/index.js";
import {
  type Binding,
  type Conversation,
  type Opening,
  type Outbound,
  type RequestContext,
  type SideDefinition,
  middlewareAround,
  outboundOf,
  rowOf,
  withParams,
  written,
} from "../engine/index.js";
import { warnIfDeprecated } from "../rules/index.js";
import { quiet } from "../ground/index.js";
import { type Revision, declaredBy, keep, missingCapability } from "../wire/index.js";
import { openSubscription } from "./open-subscription.js";
import type { OpenSubscriptions } from "./open-subscriptions.js";
import { RequestNotices } from "./request-notices.js";
import { Rounds } from "./rounds/rounds.js";
import { StatelessSession } from "./stateless-session.js";
import { type Topics, topicsOf } from "./topics.js";

/** Stateless requests of one revision: nothing is known from before, and nothing of a request outlasts its answer. */
export class StatelessConversation implements Conversation {
  readonly side = "server";
  readonly binding: Binding;
  readonly #topics: Topics | undefined;
  readonly #notices: RequestNotices;
  /** Description that the server gives of itself (MCP: `server/discover`). */
  readonly #discover: AnyHandler | undefined;
  readonly #definition: SideDefinition;
  readonly #subscriptions: OpenSubscriptions;
  readonly #rounds: Rounds;

  /**
   * @param rules - steps that the messages of all conversations have
   * @param supported - ids of all revisions that are served
   */
  constructor(
    { bind, definition, info, instructions }: Opening,
    rules: readonly StepSource[],
    revision: Revision,
    supported: readonly string[],
    subscriptions: OpenSubscriptions,
  ) {
    this.#rounds = new Rounds(revision, info, definition.options.rounds, definition.report);
    this.binding = bind(revision, [...rules, this.#rounds.steps]);
    this.#topics = topicsOf(revision);
    const { unaskedLogs = false } = definition.options as ServerOptions;
    this.#notices = new RequestNotices(this.binding, this.#topics, unaskedLogs);
    const discovery = keep({
      supportedVersions: supported,
      capabilities: this.binding.capabilities,
      ...(instructions === undefined ? {} : { instructions }),
    });
    const row = rowOf(revision, "discover");
    this.#discover = row && wrap(row, () => discovery, this.binding.middleware);
    this.#definition = definition;
    this.#subscriptions = subscriptions;
  }

  get revision(): Revision {
    return this.binding.revision!;
  }

  sessionOf(context: RequestContext): Session {
    return new StatelessSession(context);
  }

  control(context: RequestContext): unknown {
    const { params } = context;
    switch (context.row.role) {
      case "discover":
        return this.#discover?.(params, context);
      case "listen":
        return this.#listen(params, context);
      case "cancelled": {
        const { requestId, reason } = params as { requestId?: unknown; reason?: unknown };
        return context.owner?.cancel(requestId, reason);
      }
      default:
        return undefined;
    }
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown> {
    return quiet(this.#rounds.ask(outboundOf("request", method, params), options, context));
  }

  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void> {
    try {
      const message = outboundOf("notification", method, params);
      const { sending } = this.#definition;
      const around =
        sending.length > 0
          ? middlewareAround(message, sending, this.binding, context.session)
          : undefined;
      if (around === undefined) return this.#send(message, context) ?? Promise.resolve();
      const { kind, method: name } = message;
      const { session } = context;
      const call = { kind, method: name, params, options: {}, context, session };
      const sent = sendThrough(around, call, async (changed) =>
        this.#send(withParams(message, changed.params), context),
      );
      return sent as Promise<void>;
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value> {
    return this.#rounds.once(key, work, context);
  }

  /** Does nothing: the response to a stateless request cannot be fetched later. */
  releaseStream(): void {}

  /** Does nothing: questions to the client travel inside the result. */
  cancelRequestsOf(): void {}

  report(error: Error): void {
    this.#definition.report(error);
  }

  /** True when subscriptions can be about a notification: the capability that it needs is declared. */
  announces(method: string): boolean {
    const row = this.#topics?.members.has(method) ? this.binding.outbound.get(method) : undefined;
    const declared = declaredBy("server", this.binding.capabilities);
    return row !== undefined && missingCapability(row, "server", declared) === undefined;
  }

  /** @throws LifecycleError, CapabilityError for a notification that does not belong to this request */
  #send(message: Outbound, context: RequestContext): Promise<void> | undefined {
    const own = written(message, this.binding);
    const { row, params } = this.#notices.check(own, context);
    warnIfDeprecated(row, this.#definition.report);
    this.binding.route(row).check?.(params);
    const { method } = row;
    return context.reply.send(
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params },
      context.isOpen ? context.id : undefined,
    );
  }

  /** Opens a subscription (MCP: `subscriptions/listen`). */
  #listen(params: unknown, context: RequestContext): Promise<void> | undefined {
    if (this.#topics === undefined) return undefined;
    return openSubscription(params, context, {
      topics: this.#topics,
      features: this.#definition.features,
      registry: this.#subscriptions,
      report: this.#definition.report,
    });
  }
}
