const marked = new WeakSet<object>();

/** Marks a result that answers to questions have gone into: it is for nobody who has not given them. */
export function markSingleUse(result: unknown): unknown {
  if (typeof result === "object" && result !== null) marked.add(result);
  return result;
}

export function isSingleUse(result: object): boolean {
  return marked.has(result);
}
