/** JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function messagesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value at a JSON pointer (RFC 6901). Only own members count. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isContainer(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function shown(value: unknown, longest = 120): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export interface Difference {
  readonly pointer: string;
  readonly expected: unknown;
  readonly received: unknown;
}

export interface DifferenceOptions {
  /** True if the received value may have further members. */
  readonly subset?: boolean;
  /** Returns undefined if two values are to be compared in the usual way. */
  readonly isEqual?: (expected: unknown, received: unknown) => boolean | undefined;
}

const MOST = 1_000;

/**
 * Returns the places where two values differ, in the order of the expected value. Does not use recursion, because
 * values may be deeply nested.
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

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
