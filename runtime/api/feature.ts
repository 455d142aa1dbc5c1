import type { BusEvent } from "./bus.js";
import type { AnyHandler, HandlerContext, Session } from "./handlers.js";
import type { AnyMiddleware, AnySendMiddleware } from "./middleware.js";
import type { ParamHeader, Revision } from "../wire/index.js";
import type { StepSource } from "./steps.js";

/** Operations that a client or server offers to its features. */
export interface FeatureHost {
  /**
   * Tells every session and every open subscription that may hear it, at all instances that share a bus; those that
   * declared, agreed or asked otherwise are passed over.
   */
  broadcast(method: string, params?: unknown): void;
  /** All parts that it has. */
  readonly features: readonly Feature[];
  /** The revisions that it can speak. */
  readonly revisions: readonly Revision[];
  /** True when the content of messages is checked, see the option `checkContent`. */
  readonly checksContent: boolean;
  /** The sessions that are open now. */
  readonly sessions: Iterable<Session>;
  /** Hands something to `onerror`. */
  report(error: Error): void;
}

/**
 * A part of a client or server that brings its own handlers: the tools, the resources, the log. Given with the
 * option `features`.
 */
export interface Feature {
  /**
   * Handlers by wire method. A handler for a method that a revision lacks is never called under it.
   */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Stands around all handlers, inside the `middleware` of the options. */
  readonly middleware?: readonly AnyMiddleware[] | undefined;
  /**
   * DeclaredCapabilities in addition to what the handlers imply; a function where that depends on the revision. One that is
   * `false` is not declared, and its handlers are not called.
   */
  readonly capabilities?: object | ((revision: Revision) => object) | undefined;
  /** Contributes steps to the routes of messages; a feature without it adds nothing to a call. */
  readonly steps?: StepSource | undefined;
  /** Stands around all that is sent, inside the `sending` of the options. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /**
   * Sessions that receive a broadcast, by method; a method without an entry reaches all of them.
   */
  readonly audiences?: Readonly<Record<string, (params: unknown) => Iterable<Session>>> | undefined;
  /**
   * Called when a client opens a subscription of its own (MCP: `subscriptions/listen`).
   *
   * @param filter - what it asked for, without what the server does not declare
   * @returns what of that it gets, and what is to be done when the subscription is over; undefined for all of it
   */
  listen?(
    filter: Filter,
    context: HandlerContext,
  ): Listening | undefined | Promise<Listening | undefined>;
  /**
   * The arguments that a request to this server repeats in header fields, where it comes by HTTP; undefined for a
   * request that is none of this feature's.
   */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
  /** Called with each received notification that is not for the engine, before its handler, if it has one. */
  notified?(method: string, params: unknown): void;
  /** Broadcasts with parameters that tell everybody to look again, for when some may have been missed. */
  missed?(): readonly BusEvent[];
  /**
   * Requests and notifications of clients that hold for as long as their session does, each with the method that
   * undoes it, if there is one: where several instances share a session, each of them hears of them.
   */
  readonly lasting?: LastingMethods | undefined;
  /** Called once, when the feature becomes part of a client or server. */
  attach?(host: FeatureHost): void;
}

/** Methods of messages that hold for as long as a session does, with the methods that undo them. */
export type LastingMethods = Readonly<Record<string, string | undefined>>;

/** Subject of a subscription, in the members that the protocol defines for it. */
export type Filter = Readonly<Record<string, unknown>>;

/** A feature's part in an open subscription. */
export interface Listening {
  readonly filter: Filter;
  /** True for a notification that the subscription must not receive, although its filter contains it. */
  omits?(event: BusEvent): boolean;
  end?(): void;
}
