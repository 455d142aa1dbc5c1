/** True for two values of JSON that mean the same: the order of members does not count. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      sameJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  );
}
