/**
 * The boolean test in a generated validator. `depth` is the number of remaining nesting levels for a value of a
 * recursive type.
 */
export type Test = (value: unknown, depth?: number) => boolean;

/** The maximum number of nesting levels of arrays and objects in a message and in a value of a recursive type. */
export const MAX_DEPTH = 256;

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isOptionalObject(value: unknown): boolean {
  return value === undefined || isObject(value);
}

export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

export function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** True for any number that JSON can express. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Returns false: the test for members and elements that must be absent. */
export function isNever(_value: unknown): boolean {
  return false;
}

/** True for a number within inclusive bounds. */
export function isBetween(value: unknown, minimum: number, maximum: number): boolean {
  return (value as number) >= minimum && (value as number) <= maximum;
}

/** True for a string whose length in code points is within inclusive bounds. */
export function hasLength(value: unknown, minimum: number, maximum: number): boolean {
  if (typeof value !== "string") return false;
  let length = value.length;
  for (let index = 1; index < value.length; index++) {
    const low = value.charCodeAt(index) & 0xfc00;
    if (low === 0xdc00 && (value.charCodeAt(index - 1) & 0xfc00) === 0xd800) length--;
  }
  return length >= minimum && length <= maximum;
}

const patterns = new Map<string, RegExp>();

/** True for a string that contains a match for a schema's pattern. Each pattern is compiled once, on first use. */
export function matches(value: unknown, pattern: string): boolean {
  if (typeof value !== "string") return false;
  let expression = patterns.get(pattern);
  if (expression === undefined) patterns.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression.test(value);
}

/** True for an array whose length is within inclusive bounds. */
export function hasItems(value: unknown, minimum: number, maximum: number): boolean {
  return Array.isArray(value) && value.length >= minimum && value.length <= maximum;
}

/**
 * True for an array whose elements all pass the test. `depth` is the number of remaining nesting levels of a recursive
 * type, including this array.
 */
export function isArrayOf(value: unknown, test: Test, depth?: number): boolean {
  if (!Array.isArray(value) || (depth !== undefined && depth < 1)) return false;
  const below = depth && depth - 1;
  for (let index = 0; index < value.length; index++) {
    if (!test(value[index], below)) return false;
  }
  return true;
}

/**
 * True for an object whose members all pass the test, except undefined ones and those in `except`. `depth` is the
 * number of remaining nesting levels of a recursive type, including this object.
 */
export function isMapOf(
  value: unknown,
  test: Test,
  depth?: number,
  except?: readonly string[],
): boolean {
  if (!isObject(value) || (depth !== undefined && depth < 1)) return false;
  const below = depth && depth - 1;
  for (const name in value) {
    const member = value[name];
    if (member === undefined || except?.includes(name) || test(member, below)) continue;
    return false;
  }
  return true;
}
