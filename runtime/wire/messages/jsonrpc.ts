/** The id of a request, unique on its connection. `1` and `"1"` are two different ids. */
export type RequestId = string | number;

export interface RequestMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export interface NotificationMessage {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

export interface ResultMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: unknown;
}

export interface ErrorMessage {
  readonly jsonrpc: "2.0";
  /** The id of the request; null or absent if the id could not be read. */
  readonly id?: RequestId | null;
  readonly error: ErrorObject;
}

/** The error in a response, as it is sent. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type ResponseMessage = ResultMessage | ErrorMessage;
export type Message = RequestMessage | NotificationMessage | ResponseMessage;
/** A unit that is sent as one text: a message, or the responses to a batch. */
export type Frame = Message | readonly ResponseMessage[];

/** The error code for input that is not JSON. */
export const PARSE_ERROR = -32700;
/** The error code for input that is JSON but is not an acceptable message at this time. */
export const INVALID_REQUEST = -32600;
/** The error code for a method that does not exist, that the sender may not use, or that is not offered. */
export const METHOD_NOT_FOUND = -32601;
/** The error code for parameters that are invalid for the method. */
export const INVALID_PARAMS = -32602;
/** The error code for a valid request that could not be answered. */
export const INTERNAL_ERROR = -32603;

/** The maximum length of a string used as an id or progress token, in UTF-16 units. */
export const MAX_ID_LENGTH = 1024;

/**
 * True for an id that can be sent back unchanged: a string of limited length, or an integer that JSON represents
 * exactly.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}

/** Quotes a string from a peer as JSON and shortens it, because a name can be a megabyte long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

export type MessageKind = "request" | "notification" | "result" | "error" | "batch" | "invalid";

/**
 * Classifies a message by the members of its envelope. Never throws, allocates nothing, and reads only own members. A
 * request with an unusable `id` is `invalid`, not a notification, as is a message with both `result` and `error`. An
 * error's `id` may be null or absent.
 */
export function classify(message: unknown): MessageKind {
  if (typeof message !== "object" || message === null) return "invalid";
  if (Array.isArray(message)) return "batch";
  const { jsonrpc, method, id, result, error } = message as Record<string, unknown>;
  // Inherited members are rare, so only members that exist are looked up twice.
  if (jsonrpc !== "2.0" || !Object.hasOwn(message, "jsonrpc")) return "invalid";
  const hasId = id !== undefined && Object.hasOwn(message, "id");
  const isId = hasId && (typeof id === "string" || Number.isInteger(id));
  if (method !== undefined && Object.hasOwn(message, "method")) {
    if (typeof method !== "string") return "invalid";
    if (!hasId) return "notification";
    return isId ? "request" : "invalid";
  }
  const isResult = result !== undefined && Object.hasOwn(message, "result");
  const isError = error !== undefined && Object.hasOwn(message, "error");
  if (isResult === isError) return "invalid";
  if (isResult) return isId ? "result" : "invalid";
  return !hasId || id === null || isId ? "error" : "invalid";
}
