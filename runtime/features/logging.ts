import {
  LOG_LEVELS,
  LocalError,
  type LogLevel,
  META,
  type Revision,
  namesCapability,
  severityOf,
} from "../wire/index.js";
import type {
  AnyHandler,
  Feature,
  FeatureHost,
  HandlerContext,
  LastingMethods,
  Session,
} from "../api/index.js";
import { type RateGate, rateGate } from "../ground/index.js";

export interface LoggingOptions {
  /** The least severe level that is sent to a client that has not requested a level. Default: `info`. */
  readonly initialLevel?: LogLevel | undefined;
  /**
   * True to limit each session to 100 messages at once and 100 per second after that. If messages were dropped, a
   * warning that states how many precedes the next message sent. Default: true.
   */
  readonly limitRate?: boolean | undefined;
}

/**
 * Writes a message to a client's log. `data` is any JSON value; it must not contain credentials or personal data.
 *
 * @param logger - the name of the part of the server that the message comes from
 * @param meta - the notification's `_meta`
 */
export type Log = (
  level: LogLevel,
  data: unknown,
  logger?: string,
  meta?: Readonly<Record<string, unknown>>,
) => void;

/**
 * Sends log messages to clients, each at the level that the client has requested. Pass it in the `features` option
 * (MCP: logging).
 *
 * In a revision in which the level belongs to requests rather than sessions, only {@link Logging.for} sends messages.
 */
export class Logging implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly capabilities = (revision: Revision): object =>
    namesCapability(revision, "server.logging") ? { logging: {} } : {};
  readonly lasting: LastingMethods = { "logging/setLevel": undefined };
  readonly #initial: number;
  readonly #isLimited: boolean;
  readonly #states = new WeakMap<Session, State>();
  #host: FeatureHost | undefined;

  /**
   * Creates the feature.
   *
   * @throws TypeError if the level is unknown
   */
  constructor({ initialLevel = "info", limitRate = true }: LoggingOptions = {}) {
    this.#initial = checkedSeverity(initialLevel);
    this.#isLimited = limitRate;
    this.handlers = {
      "logging/setLevel": (params, { session }) => {
        this.#stateOf(session).threshold = severityOf((params as { level: unknown }).level);
        return {};
      },
    };
  }

  /**
   * Connects the feature to its server.
   *
   * @throws TypeError if the feature is already part of a server
   */
  attach(host: FeatureHost): void {
    if (this.#host) throw new TypeError("This feature already belongs to a server");
    this.#host = host;
  }

  /**
   * Writes to the logs of all sessions. For messages about one request, use {@link for}.
   *
   * @throws TypeError if the level is unknown
   */
  readonly log: Log = (level, data, logger, meta) => {
    const severity = checkedSeverity(level);
    for (const session of this.#host?.sessions ?? []) {
      if (!hasLevel(session)) continue;
      const { threshold } = this.#stateOf(session);
      if (severity < threshold) continue;
      const notify: Notify = (method, params) => session.notify(method, params);
      this.#send(session, threshold, messageOf(level, data, logger, meta), notify);
    }
  };

  /**
   * Returns a log for the client whose message is being handled. Everything that is logged there belongs to that
   * message.
   */
  for(context: HandlerContext): Log {
    const { session } = context;
    const notify = context.notify as Notify;
    return (level, data, logger, meta) => {
      const severity = checkedSeverity(level);
      const threshold = hasLevel(session)
        ? this.#stateOf(session).threshold
        : severityOf(context.meta?.[META.logLevel]);
      if (threshold < 0 || severity < threshold) return;
      this.#send(session, threshold, messageOf(level, data, logger, meta), notify);
    };
  }

  /**
   * Returns true if messages at this level are sent to the client. A session starts at the initial level; a request
   * without a level receives no messages.
   */
  isWanted({ session, meta }: HandlerContext, level: unknown): boolean {
    const threshold = hasLevel(session)
      ? this.#stateOf(session).threshold
      : severityOf(meta?.[META.logLevel]);
    return threshold >= 0 && severityOf(level) >= threshold;
  }

  #send(session: Session, threshold: number, message: object, notify: Notify): void {
    const state = this.#stateOf(session);
    if (this.#isLimited && !state.gate()) {
      state.omitted += 1;
      return;
    }
    if (state.omitted > 0) {
      const text = `${state.omitted} log messages were omitted: there were too many at once`;
      state.omitted = 0;
      const level = LOG_LEVELS[Math.max(threshold, severityOf("warning"))]!;
      this.#notify(notify, messageOf(level, text));
    }
    this.#notify(notify, message);
  }

  #notify(notify: Notify, message: object): void {
    notify("notifications/message", message).catch((error: Error) => {
      if (!(error instanceof LocalError)) this.#host?.report(error);
    });
  }

  #stateOf(session: Session): State {
    let state = this.#states.get(session);
    if (state === undefined) {
      state = { threshold: this.#initial, gate: rateGate(), omitted: 0 };
      this.#states.set(session, state);
    }
    return state;
  }
}

type Notify = (method: string, params: object) => Promise<void>;

interface State {
  /** The index of the least severe level that is sent. */
  threshold: number;
  readonly gate: RateGate;
  omitted: number;
}

function hasLevel({ revision }: Session): boolean {
  return revision.methods.has("logging/setLevel");
}

function checkedSeverity(level: LogLevel): number {
  const severity = severityOf(level);
  if (severity >= 0) return severity;
  throw new TypeError(`${String(level)} is not a log level: use ${LOG_LEVELS.join(", ")}`);
}

/** Builds a log message. An error is sent as its name and message, because it would become an empty object as JSON. */
function messageOf(
  level: LogLevel,
  data: unknown,
  logger?: string,
  meta?: Readonly<Record<string, unknown>>,
): object {
  const value = data instanceof Error ? `${data.name}: ${data.message}` : (data ?? null);
  return {
    level,
    ...(logger === undefined ? {} : { logger }),
    data: value,
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}
