import type { Attributes, Histogram } from "@opentelemetry/api";
import type { AnyMiddleware, AnySendMiddleware, Feature, Session } from "../api/index.js";
import {
  errorTypeOf,
  failureOf,
  fewValues,
  OTHER,
  statusCodeOf,
  type Target,
  targetOf,
} from "./attributes.js";
import { durationsOf, type MeterOptions, OPERATION_BOUNDS, secondsSince } from "./meter.js";
import { type RecordEnd, untilDone } from "./until-done.js";

export interface MetricsOptions extends MeterOptions {
  /** Additional attributes of all measurements. Default: none. */
  readonly attributes?: Attributes | undefined;
}

/** A feature that measures messages in both directions. Pass it in the `features` option. */
export interface Metrics extends Feature {
  readonly middleware: readonly AnyMiddleware[];
  readonly sending: readonly AnySendMiddleware[];
}

/**
 * The maximum number of names that metrics distinguish. Further names count as {@link OTHER}. So do names that have
 * never returned a result, because callers can request names that do not exist.
 */
const MOST_NAMES = 1000;

/**
 * Measures how long messages take to send and to handle, and how long sessions last (OpenTelemetry: semantic
 * conventions for MCP). The durations also yield the numbers of requests and errors, because failed requests have an
 * `error.type`.
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  const started = measurements(options);
  return {
    handlers: {},
    middleware: [
      ({ method, params, context: { session, signal } }, next) =>
        untilDone(next, started("receiver", method, params, session), signal),
    ],
    sending: [
      ({ method, params, session }, send) =>
        untilDone(send, started("sender", method, params, session)),
    ],
  };
}

type Role = "sender" | "receiver";

type Side = "client" | "server";

type Start = (role: Role, method: string, params: unknown, session: Session) => RecordEnd;

function measurements({ attributes: own = {}, ...options }: MetricsOptions): Start {
  const durations = durationsOf(options, OPERATION_BOUNDS);
  const names = new Set<string>();
  const sessions = new WeakSet<Session>();
  const few = fewValues();

  const operations = (role: Role): Histogram =>
    role === "receiver"
      ? durations("mcp.server.operation.duration", "Time from a received message to its result")
      : durations("mcp.client.operation.duration", "Time from a sent message to its result");

  const targetAttributes = (target: Target | undefined, isThere: boolean): Attributes => {
    if (target === undefined) return {};
    const { attribute, operation, name } = target;
    const key = `${attribute} ${name}`;
    if (isThere && names.size < MOST_NAMES) names.add(key);
    return {
      [attribute]: names.has(key) ? name : OTHER,
      ...(operation !== undefined && { "gen_ai.operation.name": operation }),
    };
  };

  /** Measures a session from its first message to its end. */
  const follow = (session: Session, side: Side | undefined, start: number): void => {
    if (side === undefined || session.revision.traits.lifecycle !== "initialize") return;
    if (sessions.has(session)) return;
    sessions.add(session);
    void session.closed.then((error) => {
      const attributes: Attributes = {
        ...own,
        "mcp.protocol.version": session.revision.id,
        ...(error && { "error.type": few(errorTypeOf(error)) }),
      };
      const description = "Time from the first message of a session to its end";
      durations(`mcp.${side}.session.duration`, description).record(
        secondsSince(start),
        attributes,
      );
    });
  };

  return (role, method, params, session) => {
    const start = performance.now();
    follow(session, sideIn(session, method, role), start);
    const target = targetOf(session, method, params);
    return (result, thrown) => {
      const attributes: Attributes = {
        ...own,
        "mcp.method.name": method,
        "mcp.protocol.version": session.revision.id,
        ...targetAttributes(target, thrown === undefined && result !== undefined),
        ...outcomeAttributes(result, thrown, few),
      };
      operations(role).record(secondsSince(start), attributes);
    };
  };
}

/** Returns the side that has this role, if only one side can send the message. */
function sideIn({ revision }: Session, method: string, role: Role): Side | undefined {
  const from = revision.methods.get(method)?.from;
  if (from === undefined || from === "both") return undefined;
  return (role === "sender") === (from === "client") ? "client" : "server";
}

function outcomeAttributes(
  result: unknown,
  thrown: unknown,
  few: (value: string) => string,
): Attributes {
  const type = thrown === undefined ? failureOf(result) : errorTypeOf(thrown);
  const code = statusCodeOf(thrown);
  return {
    ...(type !== undefined && { "error.type": few(type) }),
    ...(code !== undefined && { "rpc.response.status_code": few(code) }),
  };
}
