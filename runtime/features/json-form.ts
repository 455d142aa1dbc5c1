/** Deeper values are not looked into. */
const MAX_DEPTH = 256;

/**
 * A value as its receiver will see it: itself when it is nothing but JSON data, else what becomes of it on the way.
 * @throws TypeError for what has no JSON form: a `bigint`, a cycle
 */
export function jsonForm(value: unknown): unknown {
  if (isJson(value, MAX_DEPTH)) return value;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth > 0 && isPlain(value, depth));
    default:
      return false;
  }
}

function isPlain(value: object, depth: number): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name of Object.keys(value)) {
    if (!isJson((value as Record<string, unknown>)[name], depth - 1)) return false;
  }
  return true;
}
