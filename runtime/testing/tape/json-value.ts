/** Value at a JSON Pointer (RFC 6901), by own members; undefined if there is none. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
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
const MOST = 100;

/** Places where a received value differs from the expected one, in the order of the expected one. */
export function differencesOf(
  expected: unknown,
  received: unknown,
  options: DifferenceOptions = {},
): readonly Difference[] {
  const found: Difference[] = [];
  compare("", expected, received, { options, found });
  return found;
}

function compare(
  pointer: string,
  expected: unknown,
  received: unknown,
  work: { readonly options: DifferenceOptions; readonly found: Difference[] },
): void {
  const { options, found } = work;
  const isEqual = options.isEqual?.(expected, received);
  if (found.length >= MOST || isEqual === true || Object.is(expected, received)) return;
  const isPair =
    typeof expected === "object" &&
    typeof received === "object" &&
    expected !== null &&
    received !== null &&
    Array.isArray(expected) === Array.isArray(received);
  if (!isPair || isEqual === false) {
    found.push({ pointer, expected, received });
    return;
  }
  const others = options.subset ? [] : Object.keys(received);
  for (const name of new Set([...Object.keys(expected), ...others])) {
    const next = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    compare(`${pointer}${next}`, at(expected, next), at(received, next), work);
  }
}
