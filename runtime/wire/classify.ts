/**
 * Kind of JSON-RPC message that a JSON value is, judged by its members before their contents are
 * validated.
 */
export type MessageKind = "request" | "notification" | "result" | "error" | "batch" | "invalid";

/**
 * Sorts a message by the members of its envelope. Never throws, allocates nothing, reads own
 * members only. A request with an unusable `id` is `invalid`, not a notification; so is what has
 * both `result` and `error`. An error may have the `id` null, or none.
 */
export function classify(message: unknown): MessageKind {
  if (typeof message !== "object" || message === null) return "invalid";
  if (Array.isArray(message)) return "batch";
  if (own(message, "jsonrpc") !== "2.0") return "invalid";
  const method = own(message, "method");
  const id = own(message, "id");
  if (method !== undefined) {
    if (typeof method !== "string") return "invalid";
    if (id === undefined) return "notification";
    return isId(id) ? "request" : "invalid";
  }
  const isResult = own(message, "result") !== undefined;
  const isError = own(message, "error") !== undefined;
  if (isResult === isError) return "invalid";
  if (isResult) return isId(id) ? "result" : "invalid";
  return id === undefined || id === null || isId(id) ? "error" : "invalid";
}

function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isInteger(id);
}

/** Inherited members are rare, so that only what is there has to be looked up twice. */
function own(message: object, name: string): unknown {
  const value = (message as Record<string, unknown>)[name];
  return value !== undefined && Object.hasOwn(message, name) ? value : undefined;
}
