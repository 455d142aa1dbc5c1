import {
  HandlerError,
  LOG_LEVELS,
  type LogLevel,
  META,
  type Method,
  type Revision,
  describeThrown,
  metaOf,
  severityOf,
} from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import { type ListEvents, listEvents } from "../list-events.js";
import type {
  AnyHandler,
  AnySendMiddleware,
  Feature,
  Send,
  Sending,
  Session,
} from "../../api/index.js";

/** A message of a server's log. */
export interface LogMessage {
  readonly level: LogLevel;
  /** Part of the server that sent it. */
  readonly logger?: string;
  /** Any JSON value. */
  readonly data: unknown;
}

/** Events of every client, with the arguments of their listeners. */
export interface CommonEvents {
  /** A resource that was subscribed to, or one below it, has changed. */
  readonly resourceUpdated: readonly [uri: string];
  /**
   * Stateless servers log for requests that name a level: with a listener, all requests do, with the level `info` unless
   * `setLogLevel` was called.
   */
  readonly log: readonly [message: LogMessage];
  /**
   * Change notifications may have been missed, because the subscription was interrupted: results of lists and reads may be
   * outdated.
   */
  readonly stale: readonly [];
  /** The connection is over; the argument is the error that ended it, if one did. */
  readonly close: readonly [error: Error | undefined];
}

/** All events: those of every client, and one for each list of the newest revision that can change (`toolsChanged`). */
export type ClientEvents<Types extends NeutralTypes = AnyTypes> = CommonEvents & {
  readonly [Event in ListEvents<Types["serverNotifications"]>]: readonly [];
};

export type ClientEvent<Types extends NeutralTypes = AnyTypes> = string & keyof ClientEvents<Types>;

export type ClientListener<Event, Types extends NeutralTypes = AnyTypes> = (
  ...news: Extract<ClientEvents<Types>[Event & keyof ClientEvents<Types>], readonly unknown[]>
) => void;

/** Listener of any event. */
export type Listener = (...values: never) => unknown;

/** Listeners by event. */
export class Listeners {
  readonly #report: (error: Error) => void;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  /** True if there are listeners for anything that a server sends. */
  get needServer(): boolean {
    for (const event of this.#listeners.keys()) if (event !== "close") return true;
    return false;
  }

  has(event: string): boolean {
    return this.#listeners.has(event);
  }

  add(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  delete(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(event);
  }

  /** Calls the listeners of an event. One that fails is reported, and the others are still called. */
  emit(event: string, ...values: readonly unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      callListener(
        event,
        () => (listener as (...given: readonly unknown[]) => unknown)(...values),
        this.#report,
      );
    }
  }
}

/** Calls a listener, and reports it if it throws or its promise rejects. */
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

/** Notification behind an event. */
export interface Source {
  readonly method: string;
  /** Arguments of the listeners. */
  readonly values: (params: unknown) => readonly unknown[];
  /** True if the event is about changes of a list, which a server has to offer. */
  readonly isList: boolean;
}

export type Sources = ReadonlyMap<string, Source>;

/** Notifications that servers of some revisions send, by event. */
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
 * Feature that passes notifications of servers to listeners.
 *
 * @param others - methods that have handlers of their own, which are called after the listeners
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

/** @throws TypeError for an unknown level */
export function assertIsLevel(level: LogLevel): void {
  if (severityOf(level) >= 0) return;
  throw new TypeError(`${String(level)} is not a log level: use ${LOG_LEVELS.join(", ")}`);
}

function concerns({ kind }: Method, { revision }: Session): boolean {
  return kind === "request" && revision.traits.requestMeta === "required";
}

/** Adds the log level to each request, in revisions whose requests have it (MCP: logging). */
export function withLogLevel(levelOf: () => LogLevel | undefined): AnySendMiddleware {
  const ask = ({ params }: Sending, send: Send): unknown => {
    const level = levelOf();
    if (level === undefined) return send();
    const meta = { [META.logLevel]: level, ...metaOf(params) };
    return send({ params: { ...(params as object | undefined), _meta: meta } });
  };
  return Object.assign(ask, { concerns });
}
