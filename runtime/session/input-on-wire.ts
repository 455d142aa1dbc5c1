import {
  type AnyHandler,
  type InputQuestions,
  type InputRequest,
  isInputRequired,
} from "../api/index.js";
import type { RequestContext } from "../engine/index.js";
import { pause } from "../ground/index.js";
import { CapabilityError, INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "../wire/index.js";

const MAX_ROUNDS = 20;
/**
 * The pause before the first repeated call of a handler that returned a state without questions, in milliseconds. It
 * doubles with each round.
 */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;

type Requests = Readonly<Record<string, InputRequest>>;
type Send = (method: string, params: unknown) => Promise<unknown>;

/**
 * Sends questions to the client and calls the handler again with the answers, until its result requires no more input.
 * If a result has a state but no questions, the handler is called again after a pause. Returns undefined if the request
 * has ended in the meantime.
 */
export async function requestInput(
  first: InputQuestions,
  own: object,
  handler: AnyHandler,
  context: RequestContext,
): Promise<unknown> {
  let result: unknown = first;
  for (let round = 0; isInputRequired(result); round++) {
    if (round === MAX_ROUNDS) throw new Error(`still needs input after ${MAX_ROUNDS} rounds`);
    const { inputRequests = {}, requestState, state } = result;
    const requests = inputRequests as Requests;
    const isWaiting = Object.keys(requests).length === 0;
    if (isWaiting && (state ?? requestState) === undefined) {
      throw new Error("needs input, with neither requests nor state");
    }
    const answers = isWaiting ? {} : await requestAll(requests, context);
    if (isWaiting) await pause(Math.min(FIRST_PAUSE * 2 ** round, LONGEST_PAUSE));
    if (!context.isOpen) return undefined;
    context.round = { isSuspended: false, answers, state: remembered(state) };
    const params = { ...own, inputResponses: answers };
    result = await handler(
      requestState === undefined ? params : { ...params, requestState },
      context,
    );
  }
  return result;
}

async function requestAll(
  requests: Requests,
  context: RequestContext,
): Promise<Record<string, unknown>> {
  const send = context.request as unknown as Send;
  const pending = Object.entries(requests).map(async ([name, { method, params }]) => {
    try {
      return [name, await send(method, params)] as const;
    } catch (error) {
      throw unanswered(method, error);
    }
  });
  return Object.fromEntries(await Promise.all(pending));
}

/**
 * Returns the error with which the client's request fails if a question could not be sent, or was answered with an
 * error.
 */
function unanswered(method: string, error: unknown): unknown {
  if (error instanceof CapabilityError) return new RpcError(INVALID_PARAMS, error.message);
  if (error instanceof RpcError) return new RpcError(INTERNAL_ERROR, `${method} was not answered`);
  return error;
}

/** Converts a state to JSON and back, as if the client had carried it. */
function remembered(state: unknown): unknown {
  const text = JSON.stringify(state) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}
