/** A value that is the structured content of a tool's result, whatever its members are called. */
export class Structured<Value = unknown> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * Makes a value the structured content of a tool's result. Only needed for one that could be taken for a result itself,
 * because it has a member `content`, `structuredContent`, `isError` or `resultType`.
 */
export function structured<Value>(value: Value): Structured<Value> {
  return new Structured(value);
}
