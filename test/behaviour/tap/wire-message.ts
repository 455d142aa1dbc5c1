/** Any sent or received value, to be inspected. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export type Kind = "request" | "notification" | "result" | "error";

/** Returns the kind of message that a value is, decided independently of the runtime; undefined for anything else. */
export function kindOf(value: Wire): Kind | undefined {
  if (typeof value !== "object" || value === null || value.jsonrpc !== "2.0") return undefined;
  const hasId = typeof value.id === "string" || Number.isInteger(value.id);
  const outcomes = ["result", "error"].filter((name) => name in value);
  if (typeof value.method === "string" && outcomes.length === 0) {
    if (hasId) return "request";
    return "id" in value ? undefined : "notification";
  }
  if ("method" in value || outcomes.length !== 1) return undefined;
  if (outcomes[0] === "result") return hasId ? "result" : undefined;
  return hasId || value.id === null || value.id === undefined ? "error" : undefined;
}
