import {
  HandlerError,
  LOG_LEVELS,
  type LogLevel,
  META,
  type Revision,
  describeThrown,
  metaOf,
  severityOf,
} from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import { type ListEvents, listEvents } from "../list-events.js";
import type { AnyHandler, Feature, RouteSteps, StepSource } from "../../api/index.js";

/** A server log message. */
export interface LogMessage {
  readonly level: LogLevel;
  /** The part of the server that sent the message. */
  readonly logger?: string;
  /** The content of the message, which can be any JSON value. */
  readonly data: unknown;
}

/** The events that every client has, with the arguments passed to their listeners. */
export interface CommonEvents {
  /** A resource that was subscribed to, or one below it, has changed. */
  readonly resourceUpdated: readonly [uri: string];
  /**
   * A log message. A stateless server sends log messages only for requests that name a level. If this event has a
   * listener, every request names one: `info` unless `setLogLevel` was called.
   */
  readonly log: readonly [message: LogMessage];
  /**
   * Change notifications may have been missed, because the subscription was interrupted: results of lists and reads
   * may be outdated.
   */
  readonly stale: readonly [];
  /** The connection is over. The argument is the error that ended it, if there was one. */
  readonly close: readonly [error: Error | undefined];
}

/**
 * All events: those that every client has, and one for each list in the newest revision that can change
 * (`toolsChanged`).
 */
export type ClientEvents<Types extends NeutralTypes = AnyTypes> = CommonEvents & {
  readonly [Event in ListEvents<Types["serverNotifications"]>]: readonly [];
};

export type ClientEvent<Types extends NeutralTypes = AnyTypes> = string & keyof ClientEvents<Types>;

export type ClientListener<Event, Types extends NeutralTypes = AnyTypes> = (
  ...values: Extract<ClientEvents<Types>[Event & keyof ClientEvents<Types>], readonly unknown[]>
) => void;

export type Listener = (...values: never) => unknown;

/** Listeners by event. An event without listeners has no entry. */
export type Listeners = Map<string, Set<Listener>>;

export function addListener(listeners: Listeners, event: string, listener: Listener): void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all.add(listener));
}

export function removeListener(listeners: Listeners, event: string, listener: Listener): void {
  const all = listeners.get(event);
  if (all?.delete(listener) && all.size === 0) listeners.delete(event);
}

export function callListener(
  what: string,
  call: () => unknown,
  report: (error: Error) => void,
): void {
  const failed = (error: unknown): void =>
    report(new HandlerError(what, `failed: ${describeThrown(error)}`, error));
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

export interface Source {
  readonly method: string;
  readonly values: (params: unknown) => readonly unknown[];
  /** True if the event reports that a list has changed; a server without that list never sends the notification. */
  readonly isList: boolean;
}

export type Sources = ReadonlyMap<string, Source>;

export function sourcesOf(revisions: readonly Revision[]): Sources {
  const lists = [...listEvents(revisions)].map(
    ([event, method]) => [event, { method, values: () => [], isList: true }] as const,
  );
  return new Map<string, Source>([
    ...lists,
    [
      "resourceUpdated",
      {
        method: "notifications/resources/updated",
        values: (params) => [(params as { readonly uri: string }).uri],
        isList: false,
      },
    ],
    ["log", { method: "notifications/message", values: (params) => [params], isList: false }],
  ]);
}

/**
 * Creates the feature that passes servers' notifications to listeners.
 *
 * @param others - the methods that have handlers of their own, which are called after the listeners
 */
export function notificationEvents(
  sources: Sources,
  emit: (event: string, values: readonly unknown[]) => void,
  others: object,
): Feature {
  const handlers: Record<string, AnyHandler> = {};
  const beside = new Map<string, (params: unknown) => void>();
  for (const [event, { method, values }] of sources) {
    const forward = (params: unknown): void => emit(event, values(params));
    if (Object.hasOwn(others, method)) beside.set(method, forward);
    else handlers[method] = forward;
  }
  return { handlers, notified: (method, params) => beside.get(method)?.(params) };
}

export function assertIsLevel(level: LogLevel): void {
  if (severityOf(level) >= 0) return;
  throw new TypeError(`${String(level)} is not a log level: use ${LOG_LEVELS.join(", ")}`);
}

/** Adds the log level to each request, in revisions whose requests carry one (MCP: logging). */
export function logLevelSteps(levelOf: () => LogLevel | undefined): StepSource {
  return ({ revision, direction, row }): RouteSteps | undefined => {
    const isRequest = direction === "out" && row.kind === "request" && row.role === undefined;
    if (!isRequest || revision.traits.requestMeta !== "required") return undefined;
    return {
      writeParams(params) {
        const level = levelOf();
        if (level === undefined) return params;
        const meta = { [META.logLevel]: level, ...metaOf(params) };
        return { ...(params as object | undefined), _meta: meta };
      },
    };
  };
}
