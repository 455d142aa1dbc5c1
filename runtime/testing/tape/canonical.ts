/** Serializes a value as JSON with sorted members, so that equal values have the same text. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([one], [other]) =>
            one < other ? -1 : one > other ? 1 : 0,
          ),
        )
      : inner,
  );
}
