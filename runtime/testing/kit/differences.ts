/** Longest text of a value in a difference. */
const LONGEST = 120;

/**
 * Differences between two JSON values, each as a line with pointer, expected and received value. A pattern in the expected
 * value stands for the texts that it matches.
 *
 * @param options - `subset`: the received value may have further members
 */
export function differences(
  received: unknown,
  expected: unknown,
  { subset = false }: { readonly subset?: boolean } = {},
  pointer = "",
): readonly string[] {
  if (expected instanceof RegExp) {
    const fits = typeof received === "string" && expected.test(received);
    return fits ? [] : [line(pointer, String(expected), received)];
  }
  if (
    !isStructure(received) ||
    !isStructure(expected) ||
    Array.isArray(received) !== Array.isArray(expected)
  ) {
    return Object.is(received, expected) ? [] : [line(pointer, show(expected), received)];
  }
  const own = received as Readonly<Record<string, unknown>>;
  const other = expected as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(other), ...(subset ? [] : Object.keys(own))]);
  return [...names].flatMap((name) =>
    differences(
      own[name],
      other[name],
      { subset },
      `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    ),
  );
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function line(pointer: string, expected: string, received: unknown): string {
  return `${pointer === "" ? "/" : pointer}: expected ${expected}, received ${show(received)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
