import type { AnyHandler } from "./handlers.js";
import type { AnyMiddleware } from "./middleware.js";
import type { Revision } from "./revision.js";
import type { Session } from "./session.js";

/** What a feature may do with the client or server that it is a part of. */
export interface FeatureHost {
  /** Tells every session that may hear it; sessions that declared or agreed otherwise are passed over. */
  broadcast(method: string, params?: unknown): void;
  /** All parts that it has. */
  readonly features: readonly Feature[];
  /** The revisions that it can speak. */
  readonly revisions: readonly Revision[];
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
  /** By wire method. Those that a revision does not have are never called under it. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Stands around all handlers, inside the `middleware` of the options. */
  readonly middleware?: readonly AnyMiddleware[] | undefined;
  /**
   * Declared in addition to what the handlers imply; a function where that depends on the revision. One that is
   * `false` is not declared, and its handlers are not called.
   */
  readonly capabilities?: object | ((revision: Revision) => object) | undefined;
  /** Called once, when the feature becomes part of a client or server. */
  attach?(host: FeatureHost): void;
}
