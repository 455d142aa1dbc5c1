import {
  type Admitted,
  type Binding,
  type RequestContext,
  type Outbound,
  notSent,
  sendable,
  undeclared,
} from "../engine/index.js";
import {
  CapabilityError,
  META,
  declaredBy,
  isObject,
  missingCapability,
  severityOf,
} from "../wire/index.js";
import type { Topics } from "./topics.js";

/** Notifications that a server may send on the stream of a stateless request. */
export class RequestNotices {
  readonly #binding: Binding;
  readonly #topics: Topics | undefined;
  readonly #sendsUnaskedLogs: boolean;

  constructor(binding: Binding, topics: Topics | undefined, sendsUnaskedLogs: boolean) {
    this.#binding = binding;
    this.#topics = topics;
    this.#sendsUnaskedLogs = sendsUnaskedLogs;
  }

  /** @throws LifecycleError, CapabilityError */
  check({ method, params, custom }: Outbound, context: RequestContext): Admitted {
    if (!context.isOpen || context.round?.isSuspended) {
      throw notSent(method, "the request has its answer");
    }
    const row = custom ?? sendable(this.#binding, "server", "notification", method);
    const missing = missingCapability(
      row,
      "server",
      declaredBy("server", this.#binding.capabilities),
    );
    if (missing !== undefined) throw undeclared(method, missing);
    const isSubscription = context.row.role === "listen";
    const isTopic = this.#topics?.members.has(method) ?? false;
    if (isSubscription) {
      const isPart = isTopic || row.role === "acknowledged" || row.role === "cancelled";
      if (isPart) return { row, params: tagged(params, context) };
      throw new CapabilityError(`${method} was not sent: no subscription is about it`);
    }
    if (isTopic) {
      const how = "let the server send it, not the context of a request";
      throw new CapabilityError(`${method} was not sent: it is for subscriptions; ${how}`);
    }
    if (row.role !== undefined && row.role !== "progress") {
      throw new CapabilityError(`${method} was not sent: the engine does that`);
    }
    if (row.capability === LOGGING && !this.#sendsUnaskedLogs) assertWanted(params, context);
    return { row, params };
  }
}

const LOGGING = "server.logging";

/** A client receives what is logged about a request only if the request asks for it (MCP: logging). */
function assertWanted(params: unknown, { method, meta }: RequestContext): void {
  const level = meta?.[META.logLevel];
  const own = isObject(params) ? severityOf(params["level"]) : -1;
  if (level !== undefined && own >= severityOf(level)) return;
  const what = level === undefined ? "no log messages" : `none below ${String(level)}`;
  throw new CapabilityError(`The log message was not sent: ${method} asks for ${what}`);
}

/** Adds the id of the subscription to the parameters of a notification. */
function tagged(params: unknown, { id }: RequestContext): object {
  const given = isObject(params) ? params : {};
  const meta = isObject(given["_meta"]) ? given["_meta"] : {};
  return { ...given, _meta: { ...meta, [META.subscription]: id } };
}
