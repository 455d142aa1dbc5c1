import { RpcError } from "../wire/index.js";
import type { HandlerContext, InputRequest } from "./handlers.js";

/** The input that a handler needs before it can return its result. */
export interface RequiredInput<State = unknown> {
  /** The questions, by names that you choose. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** The handler's state: any JSON value. The client carries it but can neither read nor change it. */
  readonly state?: State | undefined;
}

/**
 * A value returned in place of a result when the client has to answer questions first. Created by {@link
 * inputRequired}.
 */
export class InputRequired {
  readonly resultType = "input_required";
  readonly inputRequests: Readonly<Record<string, InputRequest>> | undefined;
  readonly state: unknown;

  /**
   * Creates the value.
   *
   * @throws TypeError if there are neither questions nor a state
   */
  constructor({ requests, state }: RequiredInput) {
    if (state === undefined && Object.keys(requests ?? {}).length === 0) {
      throw new TypeError("inputRequired() needs requests, a state, or both");
    }
    this.inputRequests = requests;
    this.state = state;
  }
}

/**
 * Builds the value that a handler returns to send questions to the client. The handler is called again with the answers
 * in `context.answers` and the state in `context.state`. Without questions, it is also called again, a little later. In
 * revisions in which a server sends its own requests, the engine itself sends the questions and calls the handler again
 * (MCP: multi round trips).
 *
 * @throws TypeError if there are neither questions nor a state
 */
export function inputRequired(needed: RequiredInput): InputRequired {
  return new InputRequired(needed);
}

/** A handler result that contains questions, in either the protocol's form or this package's. */
export interface InputQuestions {
  readonly resultType: "input_required";
  readonly inputRequests?: unknown;
  readonly requestState?: unknown;
  readonly state?: unknown;
}

export function isInputRequired(result: unknown): result is InputQuestions {
  return (
    typeof result === "object" &&
    result !== null &&
    (result as { readonly resultType?: unknown }).resultType === "input_required"
  );
}

const marked = /* @__PURE__ */ new WeakSet<object>();

/** Marks a result as dependent on the client's answers, so that it is neither cached nor shared. */
export function markSingleUse(result: unknown): unknown {
  if (typeof result === "object" && result !== null) marked.add(result);
  return result;
}

export function isSingleUse(result: object): boolean {
  return marked.has(result);
}

/** An error that some revisions express in their own form. The response depends on the revision and the client. */
export abstract class OutcomeError extends RpcError {
  static override readonly errorName: string = "OutcomeError";

  abstract outcomeFor(context: HandlerContext): unknown;
}
