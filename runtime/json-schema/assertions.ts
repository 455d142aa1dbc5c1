import { format as formats } from "@cfworker/json-schema";
import type { Node } from "./read/index.js";
import { MAX_REGEX } from "./expectation.js";
import type { Run } from "./run.js";

/** A test of a value against one keyword. It returns true if the keyword does not apply to values of this type. */
export type Assertion = (value: unknown, run: Run) => boolean;

export interface StringTests {
  /** @param path - the pattern's place in the schema */
  readonly pattern: (source: string, path: string) => (text: string, run: Run) => boolean;
  readonly checksFormats: boolean;
}

type Keyword = (operand: unknown, node: Node, path: string, strings: StringTests) => Assertion;

/** The formats that `jsonSchemas()` checks. All other formats are annotations. */
export const CHECKED_FORMATS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
]);

const ANYTHING: Assertion = () => true;

const above = /* @__PURE__ */ numeric((value, limit) => value > limit);
const below = /* @__PURE__ */ numeric((value, limit) => value < limit);
const atLeast = /* @__PURE__ */ numeric((value, limit) => value >= limit);
const atMost = /* @__PURE__ */ numeric((value, limit) => value <= limit);

/** The keywords that need no subschema, in the order in which their issues are reported. */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  type: (operand) => {
    const tests = [operand].flat().map((type) => TYPES[type as string]!);
    return tests.length === 1 ? tests[0]! : (value) => tests.some((test) => test(value));
  },
  const: (operand) => (value, run) => isEqual(value, operand, run),
  enum: (operand) => {
    const values = operand as unknown[];
    const simple = new Set(values.filter((value) => !isCompound(value)));
    const compound = values.filter(isCompound);
    return (value, run) =>
      simple.has(value) ||
      (isCompound(value) && compound.some((other) => isEqual(value, other, run)));
  },
  minProperties: (limit) => (value) => !(sizeOf(value) < (limit as number)),
  maxProperties: (limit) => (value) => !(sizeOf(value) > (limit as number)),
  minItems: (limit) => (value) => !Array.isArray(value) || value.length >= (limit as number),
  maxItems: (limit) => (value) => !Array.isArray(value) || value.length <= (limit as number),
  uniqueItems: (isAsserted) =>
    isAsserted === true ? (value, run) => !Array.isArray(value) || isUnique(value, run) : ANYTHING,
  // In draft-04, a flag next to a bound makes it exclusive.
  minimum: (limit, node) => (node["exclusiveMinimum"] === true ? above : atLeast)(limit),
  maximum: (limit, node) => (node["exclusiveMaximum"] === true ? below : atMost)(limit),
  exclusiveMinimum: (limit) => (typeof limit === "boolean" ? ANYTHING : above(limit)),
  exclusiveMaximum: (limit) => (typeof limit === "boolean" ? ANYTHING : below(limit)),
  multipleOf: /* @__PURE__ */ numeric(isMultiple),
  minLength: (limit) => (value, run) =>
    !(lengthOf(value, limit as number, run) < (limit as number)),
  maxLength: (limit) => (value, run) =>
    !(lengthOf(value, limit as number, run) > (limit as number)),
  pattern: (source, _, path, { pattern }) => {
    const matches = pattern(source as string, `${path}/pattern`);
    return (value, run) => typeof value !== "string" || matches(value, run);
  },
  format: (name, _, __, { checksFormats }) => {
    if (!checksFormats || !CHECKED_FORMATS.has(name as string)) return ANYTHING;
    const test = formats[name as string]!;
    const maximum = name === "regex" ? MAX_REGEX : Infinity;
    return (value) => typeof value !== "string" || (value.length <= maximum && test(value));
  },
};

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: (value) => Array.isArray(value),
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  number: (value) => Number.isFinite(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  string: (value) => typeof value === "string",
};

function numeric(
  fits: (value: number, operand: number) => boolean,
): (operand: unknown) => Assertion {
  return (operand) => (value) => typeof value !== "number" || fits(value, operand as number);
}

/** Returns the number of members of an object. Returns NaN for other values, so that they violate no limit. */
function sizeOf(value: unknown): number {
  return isCompound(value) && !Array.isArray(value) ? Object.keys(value).length : Number.NaN;
}

/**
 * Returns the number of code points in a string, or the string's length if that alone shows whether the limit is met.
 * Returns NaN for other values.
 */
function lengthOf(value: unknown, limit: number, run: Run): number {
  if (typeof value !== "string") return Number.NaN;
  if (value.length < limit || value.length > limit * 2) return value.length;
  run.spend(value.length >> 3);
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** True if the value is a multiple in decimal notation: 0.3 is a multiple of 0.1, although it is not in binary. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const [[digits, exponent], [others, otherExponent]] = [decimalOf(value), decimalOf(divisor)];
  const shift = BigInt(Math.abs(exponent - otherExponent));
  return exponent >= otherExponent
    ? (digits * 10n ** shift) % others === 0n
    : digits % (others * 10n ** shift) === 0n;
}

function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const fraction = digits.split(".")[1]?.length ?? 0;
  return [BigInt(digits.replace(".", "")), Number(exponent) - fraction];
}

function isCompound(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEqual(value: unknown, other: unknown, run: Run): boolean {
  if (!isCompound(value) || !isCompound(other)) return value === other;
  run.spend();
  if (Array.isArray(value) !== Array.isArray(other)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isEqual((value as Node)[name], (other as Node)[name], run),
    )
  );
}

/** Takes linear time, because `numberOf` returns the same number for equal values. */
function isUnique(items: readonly unknown[], run: Run): boolean {
  return new Set(items.map((item) => numberOf(item, run))).size === items.length;
}

function numberOf(value: unknown, run: Run): number {
  const { numbers, texts } = run.equality;
  const known = numbers.get(value);
  if (known !== undefined) return known;
  run.spend();
  let number = numbers.size;
  if (isCompound(value)) {
    const text = textOf(value, run);
    number = texts.get(text) ?? numbers.size;
    texts.set(text, number);
  }
  numbers.set(value, number);
  return number;
}

/**
 * Returns a string that is the same for equal arrays and objects. It consists of the numbers assigned to their parts.
 */
function textOf(value: object, run: Run): string {
  if (Array.isArray(value)) return `[${value.map((item) => numberOf(item, run)).join()}`;
  const members = Object.entries(value).map(
    ([name, member]) => `${numberOf(name, run)}:${numberOf(member, run)}`,
  );
  return `{${members.toSorted().join()}`;
}
