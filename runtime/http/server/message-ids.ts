import { type RequestId, classify, isRequestId } from "../../wire/index.js";

const NONE: readonly RequestId[] = [];

/** Ids of the requests in what was received, be it one message or an array of them. */
export function requestIds(value: unknown): readonly RequestId[] {
  if (!Array.isArray(value)) return isRequest(value) ? [value.id] : NONE;
  return value.filter(isRequest).map(({ id }) => id);
}

export function isRequest(value: unknown): value is { id: RequestId; method: string } {
  return classify(value) === "request" && isRequestId((value as { id: unknown }).id);
}

/** Id of a request; null for anything else. */
export function requestIdOf(value: unknown): RequestId | null {
  return isRequest(value) ? value.id : null;
}
