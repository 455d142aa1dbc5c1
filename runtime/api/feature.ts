import type { BusEvent } from "./bus.js";
import type { AnyHandler, HandlerContext, Session } from "./handlers.js";
import type { AnyMiddleware, AnySendMiddleware } from "./middleware.js";
import type { Revision } from "../wire/index.js";
import type { ParamHeader } from "../wire/param-headers/index.js";
import type { StepSource } from "./steps.js";

/** The operations that a client or server offers to its features. */
export interface FeatureHost {
  /**
   * Sends a notification to every session and open subscription that may receive it, at all instances that share a bus.
   * Skips clients whose capabilities, revision or filter exclude it.
   */
  broadcast(method: string, params?: unknown): void;
  /** All of the client's or server's features. */
  readonly features: readonly Feature[];
  /** Supported revisions. */
  readonly revisions: readonly Revision[];
  /** True if message content is checked; see the `checkContent` option. */
  readonly checksContent: boolean;
  /** Open sessions. */
  readonly sessions: Iterable<Session>;
  /** Passes an error to `onerror`. */
  report(error: Error): void;
}

/**
 * A part of a client or server with its own handlers, such as the tools, the resources or the log. Passed in the
 * `features` option.
 */
export interface Feature {
  /** Handlers by method name on the wire. A handler is never called under a revision that lacks its method. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Middleware around all handlers. It runs inside the `middleware` from the options. */
  readonly middleware?: readonly AnyMiddleware[] | undefined;
  /**
   * Capabilities in addition to those that the handlers imply, or a function if they depend on the revision. A
   * capability that is `false` is not declared, and its handlers are not called.
   */
  readonly capabilities?: object | ((revision: Revision) => object) | undefined;
  /** Supplies the steps that the feature adds to message routes. Without it, the feature adds no cost to a call. */
  readonly steps?: StepSource | undefined;
  /** Middleware around all sent messages. It runs inside the `sending` middleware from the options. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /** The sessions that receive a broadcast, by method. A broadcast of any other method goes to all sessions. */
  readonly audiences?: Readonly<Record<string, (params: unknown) => Iterable<Session>>> | undefined;
  /**
   * Called when a client opens its own subscription (MCP: `subscriptions/listen`).
   *
   * @param filter - the topics that the client requested, except those that the server does not declare
   * @returns the topics that the client is notified of and the cleanup to run when the subscription ends, or undefined
   *   to accept all topics
   */
  listen?(
    filter: Filter,
    context: HandlerContext,
  ): Listening | undefined | Promise<Listening | undefined>;
  /**
   * Returns the arguments that an HTTP request to this server mirrors in header fields, or undefined if this feature
   * does not handle the request.
   */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
  /**
   * Called for each received notification that the engine does not handle itself, before the notification's handler.
   */
  notified?(method: string, params: unknown): void;
  /**
   * Returns the broadcasts that make clients fetch everything again. They are sent when events may have been missed.
   */
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

/** A subscription's topics, in the members that the protocol defines for them. */
export type Filter = Readonly<Record<string, unknown>>;

/** A feature's part in an open subscription. */
export interface Listening {
  readonly filter: Filter;
  /** Returns true if the subscription may not receive the notification, even though its filter includes it. */
  omits?(event: BusEvent): boolean;
  end?(): void;
}
