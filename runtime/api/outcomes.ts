import { RpcError } from "../wire/index.js";
import type { HandlerContext, InputRequest } from "./handlers.js";

/** Input that a handler needs before it can return its result. */
export interface RequiredInput<State = unknown> {
  /** Questions, by names of your choice. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Anything that can be written as JSON; nobody but this server can read or change it on its way. */
  readonly state?: State | undefined;
}

/** Instead of a result: the client has to answer questions first. Made by {@link inputRequired}. */
export class InputRequired {
  readonly resultType = "input_required";
  readonly inputRequests: Readonly<Record<string, InputRequest>> | undefined;
  readonly state: unknown;

  /** @throws TypeError when there is nothing to ask and nothing to remember */
  constructor({ requests, state }: RequiredInput) {
    if (state === undefined && Object.keys(requests ?? {}).length === 0) {
      throw new TypeError("inputRequired() needs requests, a state, or both");
    }
    this.inputRequests = requests;
    this.state = state;
  }
}

/**
 * Builds the value that a handler returns to ask the client first. The handler is called again with
 * the answers in `context.answers` and the state in `context.state`; without requests it is also
 * called again, a little later. At revisions where a server sends requests of its own, the engine
 * sends them and calls the handler again itself (MCP: multi round trips).
 * @throws TypeError when there is nothing to ask and nothing to remember
 */
export function inputRequired(needed: RequiredInput): InputRequired {
  return new InputRequired(needed);
}

/** Result of a handler that asks, in the protocol's form or in ours. */
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

/** Error whose answer depends on the revision and on the client: where the protocol has other ways to say it. */
export abstract class OutcomeError extends RpcError {
  /** Result that answers the request, or the error that does. */
  abstract outcomeFor(context: HandlerContext): unknown;
}
