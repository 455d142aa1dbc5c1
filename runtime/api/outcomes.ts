import { RpcError } from "../wire/index.js";
import type { HandlerContext, InputRequest } from "./handlers.js";

/** Input that a handler needs before it can return its result. */
export interface RequiredInput<State = unknown> {
  /** Questions, by names that you choose. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** State of the handler: any JSON value. The client carries it, but can neither read nor change it. */
  readonly state?: State | undefined;
}

/**
 * Value that replaces a result: the client has to answer questions first. Created by {@link
 * inputRequired}.
 */
export class InputRequired {
  readonly resultType = "input_required";
  readonly inputRequests: Readonly<Record<string, InputRequest>> | undefined;
  readonly state: unknown;

  /**
   * Creates the value.
   * @throws TypeError if it has neither questions nor a state
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
 * Builds the value that a handler returns to send questions to the client. The handler is called again with the
 * answers in `context.answers` and the state in `context.state`; without questions it is also called again, a little
 * later. In revisions in which a server sends requests of its own, the engine sends the questions and calls the
 * handler again itself (MCP: multi round trips).
 * @throws TypeError if it has neither questions nor a state
 */
export function inputRequired(needed: RequiredInput): InputRequired {
  return new InputRequired(needed);
}

/** Handler result that contains questions, in the form of the protocol or in that of this package. */
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

/** Marks a result that depends on the client's answers, so that it is neither cached nor shared. */
export function markSingleUse(result: unknown): unknown {
  if (typeof result === "object" && result !== null) marked.add(result);
  return result;
}

export function isSingleUse(result: object): boolean {
  return marked.has(result);
}

/** Error that some revisions express in a form of their own; the response depends on the revision and on the client. */
export abstract class OutcomeError extends RpcError {
  static override readonly errorName: string = "OutcomeError";

  abstract outcomeFor(context: HandlerContext): unknown;
}
