import {
  INVALID_PARAMS,
  type RequestId,
  type ResponseMessage,
  isObject,
  isRequestId,
} from "../../wire/index.js";
import type { MessageSink } from "./response-reader.js";

/**
 * Passes on what comes on the stream of a session, but for requests: they belong to no request of this client, and are
 * refused.
 *
 * @param refuse - sends the refusal
 */
export function withoutRequests(
  sink: MessageSink,
  refuse: (answer: ResponseMessage) => void,
): MessageSink {
  const isRefused = (value: unknown): boolean => {
    const id = requestId(value);
    if (id === undefined) return false;
    const message = "Invalid params: a request has to belong to one of the client";
    refuse({ jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message } });
    return true;
  };
  return {
    malformed: (problem) => sink.malformed(problem),
    message: (value) => {
      if (!Array.isArray(value)) return isRefused(value) ? undefined : sink.message(value);
      const rest = value.filter((one) => !isRefused(one));
      if (rest.length > 0) sink.message(rest);
    },
  };
}

function requestId(value: unknown): RequestId | undefined {
  if (!isObject(value) || typeof value["method"] !== "string") return undefined;
  return isRequestId(value["id"]) ? value["id"] : undefined;
}
