/** JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value of an own member; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the messages of a batch, or a list with the only message. */
export function messagesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Parses JSON text; returns undefined if it is invalid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if there is none. Only own members count. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isContainer(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Appends a name to a JSON pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the JSON text of a value for a finding or an error message, shortened. */
export function shown(value: unknown, longest = 120): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Place where two values differ, and the values there. */
export interface Difference {
  readonly pointer: string;
  readonly expected: unknown;
  readonly received: unknown;
}

export interface DifferenceOptions {
  /** True if the received value may have further members. */
  readonly subset?: boolean;
  /**
   * Returns true or false if a special rule decides whether two values are equal; undefined to compare them as usual.
   */
  readonly isEqual?: (expected: unknown, received: unknown) => boolean | undefined;
}

/** Maximum number of differences that are found. */
const MOST = 1_000;

/**
 * Returns the places where a received value differs from the expected one, in the order of the expected one. Works
 * without recursion, because values may be nested deeply.
 */
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

/** True if a value is an object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
