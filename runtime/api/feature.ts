import type { BusEvent } from "./bus.js";
import type { AnyHandler, HandlerContext, Session } from "./handlers.js";
import type { AnyMiddleware, AnySendMiddleware } from "./middleware.js";
import type { Revision } from "../wire/index.js";
import type { ParamHeader } from "../wire/param-headers/index.js";
import type { StepSource } from "./steps.js";

/** Operations that a client or server offers to its features. */
export interface FeatureHost {
  /**
   * Sends a notification to every session and every open subscription that may receive it, at all
   * instances that share a bus. Clients whose capabilities, revision or filter exclude it are
   * skipped.
   */
  broadcast(method: string, params?: unknown): void;
  /** All features of the client or server. */
  readonly features: readonly Feature[];
  /** Supported revisions. */
  readonly revisions: readonly Revision[];
  /** True if the content of messages is checked; see the option `checkContent`. */
  readonly checksContent: boolean;
  /** Open sessions. */
  readonly sessions: Iterable<Session>;
  /** Passes an error to `onerror`. */
  report(error: Error): void;
}

/**
 * Part of a client or server with its own handlers, such as the tools, the resources or the log.
 * Passed with the option `features`.
 */
export interface Feature {
  /** Handlers by wire method. A handler is never called under a revision that lacks its method. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Middleware around all handlers, inside the `middleware` of the options. */
  readonly middleware?: readonly AnyMiddleware[] | undefined;
  /**
   * Capabilities in addition to what the handlers imply; a function if they depend on the revision.
   * One that is `false` is not declared, and its handlers are not called.
   */
  readonly capabilities?: object | ((revision: Revision) => object) | undefined;
  /**
   * Source of the steps that the feature adds to the routes of messages. Without it, the feature adds nothing to the
   * cost of a call.
   */
  readonly steps?: StepSource | undefined;
  /** Middleware around all sent messages, inside the `sending` of the options. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /** Sessions that receive a broadcast, by method; a broadcast of any other method is sent to all sessions. */
  readonly audiences?: Readonly<Record<string, (params: unknown) => Iterable<Session>>> | undefined;
  /**
   * Called when a client opens a subscription of its own (MCP: `subscriptions/listen`).
   *
   * @param filter - topics that the client requested, except those that the server does not declare
   * @returns the topics that the client is notified of, and the cleanup for the end of the subscription; undefined
   *   to accept all topics
   */
  listen?(
    filter: Filter,
    context: HandlerContext,
  ): Listening | undefined | Promise<Listening | undefined>;
  /**
   * Returns the arguments that an HTTP request to this server mirrors in header fields; undefined for a request that
   * this feature does not handle.
   */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
  /**
   * Called with each received notification that the engine does not handle itself, before the handler of the
   * notification.
   */
  notified?(method: string, params: unknown): void;
  /** Returns the broadcasts that make clients fetch everything again; they are sent if events may have been missed. */
  missed?(): readonly BusEvent[];
  /**
   * Client requests and notifications that take effect for the whole session, each with the method
   * that reverts it, if there is one. If several instances share a session, each of them receives
   * these messages.
   */
  readonly lasting?: LastingMethods | undefined;
  /** Called once, when the feature becomes part of a client or server. */
  attach?(host: FeatureHost): void;
}

export type LastingMethods = Readonly<Record<string, string | undefined>>;

/** Topics of a subscription, in the members that the protocol defines for them. */
export type Filter = Readonly<Record<string, unknown>>;

/** A feature's part in an open subscription. */
export interface Listening {
  readonly filter: Filter;
  /**
   * True for a notification that the subscription may not receive, although its filter contains it.
   */
  omits?(event: BusEvent): boolean;
  end?(): void;
}
