/** Asserts that options are an object without unknown names, so that a misspelt one is not silently ignored. */
export function assertKnownOptions(
  options: object,
  known: ReadonlySet<string>,
  caller: string,
): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`${caller}: the options must be an object`);
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const names = [...known].join(", ");
    throw new TypeError(`${caller}: unknown option "${name}"; the options are ${names}`);
  }
}
