const marked = new WeakSet<object>();

/** Marks a result that depends on the client's answers, so that it is not cached or shared. */
export function markSingleUse(result: unknown): unknown {
  if (typeof result === "object" && result !== null) marked.add(result);
  return result;
}

export function isSingleUse(result: object): boolean {
  return marked.has(result);
}
