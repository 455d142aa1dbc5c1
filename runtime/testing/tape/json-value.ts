/** JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Value of an own member. */
export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Messages of a batch; otherwise the one message. */
export function messagesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Value of a JSON text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Value at a JSON Pointer (RFC 6901), by own members; undefined if there is none. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isContainer(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** JSON Pointer extended by one name. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Text of a value for a finding or an error, cut. */
export function shown(value: unknown, longest = 120): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Place where two values differ. */
export interface Difference {
  readonly pointer: string;
  readonly expected: unknown;
  readonly received: unknown;
}

export interface DifferenceOptions {
  /** True if the received value may have further members. */
  readonly subset?: boolean;
  /** True if a value is equal to the expected one by a rule; undefined if the two have to be compared. */
  readonly isEqual?: (expected: unknown, received: unknown) => boolean | undefined;
}

/** Maximum number of differences to find. */
const MOST = 1_000;

/** Places where a received value differs from the expected one, in the order of the expected one. Values may be deep. */
export function differencesOf(
  expected: unknown,
  received: unknown,
  { subset = false, isEqual }: DifferenceOptions = {},
): readonly Difference[] {
  const found: Difference[] = [];
  const waiting: Difference[] = [{ pointer: "", expected, received }];
  for (let one = waiting.pop(); one && found.length < MOST; one = waiting.pop()) {
    const { expected: before, received: after, pointer } = one;
    const isSame = isEqual?.(before, after);
    if (isSame === true || Object.is(before, after)) continue;
    const isPair =
      isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after);
    if (!isPair || isSame === false) found.push(one);
    else {
      const names = new Set([...Object.keys(before), ...(subset ? [] : Object.keys(after))]);
      for (const name of [...names].toReversed()) {
        const place = below("", name);
        waiting.push({
          pointer: `${pointer}${place}`,
          expected: at(before, place),
          received: at(after, place),
        });
      }
    }
  }
  return found;
}

/** True for an object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
