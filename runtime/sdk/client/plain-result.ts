/** Members that only results of stateless requests have on the wire: ours bring every result to the newest shape. */
const OF_STATELESS = ["resultType", "ttlMs", "cacheScope"];

/** Final result as programs of the SDK know it: without `resultType`, and in a session without what only stateless results have. */
export function plainResult<Result>(result: Result, isSession: boolean): Result {
  if (typeof result !== "object" || result === null || !("resultType" in result)) return result;
  if (result.resultType !== "complete") return result;
  const hidden = isSession ? OF_STATELESS : OF_STATELESS.slice(0, 1);
  const members = Object.entries(result).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(members) as Result;
}
