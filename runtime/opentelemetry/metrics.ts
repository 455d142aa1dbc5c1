import type { Attributes, Histogram } from "@opentelemetry/api";
import { SuspendedError } from "../wire/index.js";
import type {
  AnyCall,
  AnyMiddleware,
  AnySendMiddleware,
  Feature,
  Next,
  Send,
  Sending,
  Session,
} from "../api/index.js";
import { errorTypeOf, failureOf, statusCodeOf, type Target, targetOf } from "./attributes.js";
import { Durations, type MeterOptions, OPERATION_BOUNDS, secondsSince } from "./meter.js";

export interface MetricsOptions extends MeterOptions {
  /** Additional attributes of all measurements. Default: none. */
  readonly attributes?: Attributes | undefined;
}

/** Feature that measures both directions; passed with the option `features`. */
export interface Metrics extends Feature {
  readonly middleware: readonly AnyMiddleware[];
  readonly sending: readonly AnySendMiddleware[];
}

/** Maximum number of names that metrics distinguish; further ones count as {@link OTHER}. */
const MOST_NAMES = 1000;

/** Name of anything that has never returned a result, as callers can request names that do not exist. */
const OTHER = "_OTHER";

/**
 * Measures the durations of sent and handled messages, and of sessions (OpenTelemetry: semantic
 * conventions for MCP). They include the numbers of requests and of errors: failed ones have
 * `error.type`.
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  const meter = new OperationMeter(options);
  return {
    handlers: {},
    middleware: [(call, next) => meter.handle(call, next)],
    sending: [(message, send) => meter.send(message, send)],
  };
}

/** Role in one message. */
type Role = "sender" | "receiver";

/** Side of a session. */
type Side = "client" | "server";

class OperationMeter {
  readonly #durations: Durations;
  readonly #attributes: Attributes;
  readonly #names = new Set<string>();
  readonly #sessions = new WeakSet<Session>();

  constructor(options: MetricsOptions) {
    this.#durations = new Durations(options, OPERATION_BOUNDS);
    this.#attributes = options.attributes ?? {};
  }

  handle({ method, params, context }: AnyCall, next: Next): Promise<unknown> {
    const { session, signal } = context;
    const record = this.#started("receiver", method, params, session);
    const abandoned = (): void => {
      const reason: unknown = signal.reason;
      record(undefined, reason instanceof SuspendedError ? undefined : reason);
    };
    // A handler may never return after its caller has gone.
    signal.addEventListener("abort", abandoned, { once: true });
    return next().then(
      (result) => {
        signal.removeEventListener("abort", abandoned);
        record(result);
        return result;
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abandoned);
        record(undefined, error);
        throw error;
      },
    );
  }

  send({ method, params, session }: Sending, send: Send): Promise<unknown> {
    const record = this.#started("sender", method, params, session);
    return send().then(
      (result) => {
        record(result);
        return result;
      },
      (error: unknown) => {
        record(undefined, error);
        throw error;
      },
    );
  }

  /** Starts a measurement; only the first call of the returned function counts. */
  #started(
    role: Role,
    method: string,
    params: unknown,
    session: Session,
  ): (result: unknown, thrown?: unknown) => void {
    const start = performance.now();
    this.#follow(session, sideIn(session, method, role), start);
    const target = targetOf(session, method, params);
    let isOver = false;
    return (result, thrown) => {
      if (isOver) return;
      isOver = true;
      const attributes: Attributes = {
        ...this.#attributes,
        "mcp.method.name": method,
        "mcp.protocol.version": session.revision.id,
        ...this.#targetAttributes(target, thrown === undefined && result !== undefined),
        ...outcomeAttributes(result, thrown),
      };
      this.#operations(role).record(secondsSince(start), attributes);
    };
  }

  #targetAttributes(target: Target | undefined, isThere: boolean): Attributes {
    if (target === undefined) return {};
    const { attribute, operation, name } = target;
    const key = `${attribute} ${name}`;
    if (isThere && this.#names.size < MOST_NAMES) this.#names.add(key);
    return {
      [attribute]: this.#names.has(key) ? name : OTHER,
      ...(operation !== undefined && { "gen_ai.operation.name": operation }),
    };
  }

  #operations(role: Role): Histogram {
    return role === "receiver"
      ? this.#durations.histogram(
          "mcp.server.operation.duration",
          "Time from a received message to its result",
        )
      : this.#durations.histogram(
          "mcp.client.operation.duration",
          "Time from a sent message to its result",
        );
  }

  /** Measures a session from its first message on; stateless requests have no session. */
  #follow(session: Session, side: Side | undefined, start: number): void {
    if (side === undefined || session.revision.traits.lifecycle !== "initialize") return;
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    void session.closed.then((error) => {
      const attributes: Attributes = {
        ...this.#attributes,
        "mcp.protocol.version": session.revision.id,
        ...(error && { "error.type": errorTypeOf(error) }),
      };
      this.#durations
        .histogram(
          `mcp.${side}.session.duration`,
          "Time from the first message of a session to its end",
        )
        .record(secondsSince(start), attributes);
    });
  }
}

/** The side that sends or receives a message; undefined if both sides can. */
function sideIn({ revision }: Session, method: string, role: Role): Side | undefined {
  const from = revision.methods.get(method)?.from;
  if (from === undefined || from === "both") return undefined;
  return (role === "sender") === (from === "client") ? "client" : "server";
}

function outcomeAttributes(result: unknown, thrown: unknown): Attributes {
  const type = thrown === undefined ? failureOf(result) : errorTypeOf(thrown);
  const code = statusCodeOf(thrown);
  return {
    ...(type !== undefined && { "error.type": type }),
    ...(code !== undefined && { "rpc.response.status_code": code }),
  };
}
