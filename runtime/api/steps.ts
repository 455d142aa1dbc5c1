import type { Issue, Method, Revision, RpcError, Side, Validator } from "../wire/index.js";
import type { AnyHandler, HandlerContext } from "./handlers.js";

/** The facts about a message that are known once one side is bound to a revision. */
export interface RouteFacts {
  readonly revision: Revision;
  /** The side that is bound. */
  readonly side: Side;
  /** `in` if the side receives the message, `out` if it sends the message. */
  readonly direction: "in" | "out";
  readonly row: Method;
  /** The capabilities that the side declares. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/**
 * The steps that a {@link StepSource} adds to the handling of one message type in one direction. They are composed
 * once, when a side is bound to a revision; absent steps cost nothing when a message is handled. Parameters and results
 * are in the revision's form, except those of handlers and of `conclude`.
 */
export interface RouteSteps {
  /**
   * Checks or changes a received message's parameters after they have been validated and before the handler receives
   * them.
   *
   * @throws RpcError if the message is refused
   */
  readonly readParams?: ((params: unknown, context: HandlerContext) => unknown) | undefined;
  /** Parameter members that only this side adds. They are removed from messages that the peer sends. */
  readonly reservedParams?: readonly string[] | undefined;
  /** Wraps the handler and its middleware. */
  readonly handle?: ((handler: AnyHandler) => AnyHandler) | undefined;
  /**
   * Completes a result that requires input, and each result of a request that has gone through rounds.
   *
   * @returns undefined if the result is final
   */
  readonly conclude?:
    ((result: unknown, context: HandlerContext) => Promise<unknown> | undefined) | undefined;
  /** Called with the error that answers a request, before it is sent. */
  readonly failing?: ((error: RpcError, context: HandlerContext) => void) | undefined;
  /** Completes a handler's result before it is validated and sent. */
  readonly writeResult?: ((result: unknown, context: HandlerContext) => unknown) | undefined;
  /**
   * Checks or completes parameters before this side sends them.
   * @throws TypeError if they must not be sent
   */
  readonly writeParams?: ((params: unknown) => unknown) | undefined;
  /** Completes a received result before it is validated. */
  readonly readResult?: ((result: unknown) => unknown) | undefined;
  /**
   * Creates an additional check for received or sent results that the validator has accepted. The check returns issues
   * for a result that it refuses.
   */
  readonly checkResult?:
    ((validator: Validator) => (result: unknown) => readonly Issue[] | undefined) | undefined;
  /** Repairs an invalid received result. Returns undefined if that is impossible. */
  readonly rescue?: ((result: unknown, params: unknown) => Reading | undefined) | undefined;
}

/** A result that was invalid and has been repaired, and the revision that its form belongs to. */
export interface Reading {
  readonly result: unknown;
  readonly revision: Revision;
}

/** Returns the steps to add, or undefined for none. Called once for each message type, direction and binding. */
export type StepSource = (facts: RouteFacts) => RouteSteps | undefined;
