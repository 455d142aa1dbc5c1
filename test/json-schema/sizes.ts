/** Milliseconds: far more than anything takes, and far less than it would take without limits. */
export const LONG = 10_000;

/** Milliseconds: more than the time limits, because machines can be busy. */
export const SHORT = 2000;

export function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function nested(levels: number, wrap: (inner: object) => object): object {
  let value = {};
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}
