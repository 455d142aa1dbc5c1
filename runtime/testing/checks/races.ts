import type { RequestId } from "@mcp-codegen/runtime";
import { canonicalText } from "../tape/index.js";
import { member } from "../tape/json-value.js";
import {
  type Cancellation,
  otherSide,
  type ResponseParts,
  type SentRequest,
} from "./conversation.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";

/** The maximum time during which a response and its request's cancellation may cross, in milliseconds. */
const CROSSING = 500;
/**
 * The maximum crossing time once the side has answered a later request, and thus has read the cancellation, in
 * milliseconds.
 */
const AFTER_READING = 120;

/**
 * True if a message that a cancellation has made unnecessary arrives too late to have crossed the cancellation, given
 * how fast the side usually responds.
 */
export function isLate({ line, conversation, from }: Scope, cancelled: Cancellation): boolean {
  const { quickest = 0 } = conversation.sides[from];
  const { n, t, isAccepted, read } = cancelled;
  if (!isAccepted) return false;
  if (read !== undefined) return line.t - read.t > Math.max(AFTER_READING, 2 * read.took);
  // A side that has not answered any later request may be busy and may not have read the cancellation.
  const later = [...conversation.sides[otherSide(from)].inFlight.values()];
  const isBusy = later.some((one) => one.n > n);
  return !isBusy && line.t - t > Math.max(CROSSING, 4 * quickest);
}

/** True if the side cancels a request so long after its response that the two cannot have crossed. */
export function isLongAnswered({ line, conversation, from }: Scope, id: RequestId): boolean {
  const { answeredAt, quickest = 0 } = conversation.sides[from];
  const at = answeredAt.get(keyOf(id));
  return at !== undefined && line.t - at > Math.max(CROSSING, 4 * quickest);
}

/** The minimum duration of a request for which it can be determined what ended it, in milliseconds. */
const LONG = 200;

/**
 * True if a cancellation has apparently caused the response that follows it. This is the case if an earlier, equal
 * request took much longer and succeeded, whereas this response is an error or a different result.
 */
export function isCaused(
  { line, conversation, from }: Scope,
  { t, request }: Cancellation,
  message: ResponseParts,
): boolean {
  const before = conversation.sides[from].outcomes.findLast(
    (one) => textOf(one.request) === textOf(request),
  );
  if (before === undefined || before.took < LONG || hasFailed(before.message)) return false;
  const { took } = before;
  const isAwaited = t - request.t >= Math.min(took / 5, 800) && line.t - request.t < took / 2;
  const isOther = canonicalText(message.result) !== canonicalText(before.message.result);
  return isAwaited && (hasFailed(message) || (isOther && line.t - t < took / 50));
}

function textOf({ method, params }: SentRequest): string {
  return canonicalText({ ...params, _meta: method });
}

function hasFailed({ error, result }: ResponseParts): boolean {
  return error !== undefined || member(result, "isError") === true;
}
