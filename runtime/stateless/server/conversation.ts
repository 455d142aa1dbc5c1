import {
  type AnyHandler,
  type CustomMessage,
  type PeerDescription,
  type RequestOptions,
  type ServerOptions,
  type Session,
  type StepSource,
} from "../../api/index.js";
import {
  type Address,
  type Binding,
  type Conversation,
  type Outbound,
  type RequestContext,
  type SideDefinition,
  addressOf,
  middlewareAround,
  notSent,
  rowOf,
  sendThrough,
  sendable,
  undeclared,
  wrap,
} from "../../engine/index.js";
import { quiet } from "../../ground/index.js";
import { warnIfDeprecated } from "../../rules/index.js";
import {
  CapabilityError,
  META,
  type Method,
  type Revision,
  declaredBy,
  isObject,
  keep,
  missingCapability,
  severityOf,
} from "../../wire/index.js";
import { Rounds } from "./rounds/rounds.js";
import { type OpenSubscriptions, openSubscription } from "./subscriptions.js";
import { type Topics, topicsOf } from "../topics.js";

const LOGGING = "server.logging";

interface Admission {
  readonly row: Method;
  readonly params: unknown;
}

/**
 * The conversation shared by all stateless requests of one revision. The server has no state from before a request, and
 * keeps none after answering it.
 */
export class StatelessConversation implements Conversation {
  readonly side = "server";
  readonly binding: Binding;
  readonly #topics: Topics | undefined;
  readonly #declared: ReturnType<typeof declaredBy>;
  readonly #sendsUnaskedLogs: boolean;
  readonly #discover: AnyHandler | undefined;
  readonly #definition: SideDefinition;
  readonly #subscriptions: OpenSubscriptions;
  readonly #rounds: Rounds;

  constructor(
    definition: SideDefinition,
    rules: readonly StepSource[],
    revision: Revision,
    supported: readonly string[],
    subscriptions: OpenSubscriptions,
  ) {
    const { info, options } = definition;
    const { instructions, unaskedLogs = false } = options as ServerOptions;
    this.#rounds = new Rounds(revision, info, options.rounds, definition.report);
    this.binding = definition.bind(revision, [...rules, this.#rounds.steps]);
    this.#topics = topicsOf(revision);
    this.#sendsUnaskedLogs = unaskedLogs;
    this.#declared = declaredBy("server", this.binding.capabilities);
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
    return new RequestSession(context);
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
    return quiet(this.#rounds.ask({ ...addressOf("request", method), params }, options, context));
  }

  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void> {
    try {
      const address = addressOf("notification", method);
      const row = address.custom ?? this.binding.outbound.get(address.method);
      const { session } = context;
      const around = row && middlewareAround(row, this.#definition.sending, session);
      if (around === undefined) return this.#send(address, params, context) ?? Promise.resolve();
      const call = { ...address, params, options: {}, context, session };
      const send = sendThrough(around, async (changed) =>
        this.#send(address, changed.params, context),
      );
      return send(call) as Promise<void>;
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

  /** Does nothing, because a client cannot fetch the response to a stateless request later. */
  releaseStream(): void {}

  /** Does nothing, because input requests travel inside the result. */
  cancelRequestsOf(): void {}

  report(error: Error): void {
    this.#definition.report(error);
  }

  #send(address: Address, given: unknown, context: RequestContext): Promise<void> | undefined {
    const own = address.custom ?? this.binding.outbound.get(address.method);
    const project = own && this.binding.route(own).project;
    const message = { ...address, params: project ? project(given) : given };
    const { row, params: admitted } = this.#admit(message, context);
    warnIfDeprecated(row, this.#definition.report);
    const { check } = this.binding.route(row);
    const params = check ? check(admitted) : admitted;
    const { method } = row;
    return context.reply.send(
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params },
      context.isOpen ? context.id : undefined,
    );
  }

  /** Completes a notification's parameters. Throws if the notification must not be sent on the request's stream. */
  #admit({ method, params, custom }: Outbound, context: RequestContext): Admission {
    if (!context.isOpen || context.round?.isSuspended) {
      throw notSent(method, "the request has been answered");
    }
    const row = custom ?? sendable(this.binding, "server", "notification", method);
    const missing = missingCapability(row, "server", this.#declared);
    if (missing !== undefined) throw undeclared(method, missing);
    const isTopic = this.#topics?.members.has(method) ?? false;
    if (context.row.role === "listen") {
      const isPart = isTopic || row.role === "acknowledged" || row.role === "cancelled";
      if (isPart) return { row, params: tagged(params, context) };
      throw new CapabilityError(`${method} was not sent: no subscription includes it`);
    }
    if (isTopic) {
      const how = "send it with the server, not with the context of a request";
      throw new CapabilityError(`${method} was not sent: it is for subscriptions; ${how}`);
    }
    if (row.role !== undefined && row.role !== "progress") {
      throw new CapabilityError(`${method} was not sent: the engine does that`);
    }
    if (row.capability === LOGGING && !this.#sendsUnaskedLogs) assertRequested(params, context);
    return { row, params };
  }

  #listen(params: unknown, context: RequestContext): Promise<void> | undefined {
    if (this.#topics === undefined) return undefined;
    return openSubscription(params, context, {
      topics: this.#topics,
      features: this.#definition.features,
      subscriptions: this.#subscriptions,
      report: this.#definition.report,
    });
  }
}

/** Throws unless the client has requested log messages at this level (MCP: logging). */
function assertRequested(params: unknown, { method, meta }: RequestContext): void {
  const level = meta?.[META.logLevel];
  const own = isObject(params) ? severityOf(params["level"]) : -1;
  if (level !== undefined && own >= severityOf(level)) return;
  const what = level === undefined ? "no log messages" : `none below ${String(level)}`;
  throw new CapabilityError(`The log message was not sent: ${method} requests ${what}`);
}

function tagged(params: unknown, { id }: RequestContext): object {
  const given = isObject(params) ? params : {};
  const meta = isObject(given["_meta"]) ? given["_meta"] : {};
  return { ...given, _meta: { ...meta, [META.subscription]: id } };
}

/**
 * The session of one stateless request. It is a class, because V8 keeps whatever the getter of an object literal refers
 * to until the next full garbage collection: here, everything that belongs to the request.
 */
class RequestSession implements Session {
  readonly id = undefined;
  readonly revision: Revision;
  readonly peer: PeerDescription;
  readonly connection: object | undefined;
  readonly request = refused;
  readonly notify = refused;
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    const { binding, meta, reply } = context;
    const capabilities = meta?.[META.clientCapabilities];
    this.revision = binding.revision!;
    this.peer = {
      info: meta?.[META.clientInfo] as PeerDescription["info"],
      capabilities: isObject(capabilities) ? capabilities : {},
    };
    this.connection = reply.hasOwnStream ? undefined : reply.connection;
    this.#context = context;
  }

  get closed(): Promise<Error | undefined> {
    return this.#context.over;
  }
}

function refused(method: string): Promise<never> {
  const why = "this client has no session; use the context of the request";
  const error = notSent(method, why);
  return quiet(Promise.reject<never>(error));
}
