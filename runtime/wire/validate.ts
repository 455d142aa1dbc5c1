import { type Members, reject } from "./issues.js";
import type { Trace } from "./validation.js";

// A JSON object: no array, not null.
export function isObject(value: unknown, trace?: Trace): value is Record<string, unknown> {
  return (
    (typeof value === "object" && value !== null && !Array.isArray(value)) ||
    reject(trace, "object", value)
  );
}

export function isOptionalObject(value: unknown): boolean {
  return value === undefined || isObject(value);
}

export function isArray(value: unknown, trace?: Trace): value is unknown[] {
  return Array.isArray(value) || reject(trace, "array", value);
}

export function isString(value: unknown, trace?: Trace): value is string {
  return typeof value === "string" || reject(trace, "string", value);
}

export function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

export function isBoolean(value: unknown, trace?: Trace): value is boolean {
  return typeof value === "boolean" || reject(trace, "boolean", value);
}

export function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

export function isInteger(value: unknown, trace?: Trace): value is number {
  return Number.isInteger(value) || reject(trace, "integer", value);
}

// Any number that JSON can express.
export function isNumber(value: unknown, trace?: Trace): value is number {
  return Number.isFinite(value) || reject(trace, "number", value);
}

// Whether a number is within inclusive bounds.
export function isBetween(value: unknown, minimum: number, maximum: number): boolean {
  return (value as number) >= minimum && (value as number) <= maximum;
}

// Whether a string has so many characters (code points); bounds inclusive.
export function hasLength(value: string, minimum: number, maximum: number): boolean {
  let length = value.length;
  for (let index = 1; index < value.length; index++) {
    const low = value.charCodeAt(index) & 0xfc00;
    if (low === 0xdc00 && (value.charCodeAt(index - 1) & 0xfc00) === 0xd800) length--;
  }
  return length >= minimum && length <= maximum;
}

// Anything, if only it is there.
export function isDefined(value: unknown, trace?: Trace): boolean {
  return value !== undefined || reject(trace, "any value", value);
}

// Whether an object inherits no members: everything that comes from JSON is such an object.
//
// @param prototype - `value.__proto__`, read by the caller: only there does the engine know the
//   object's shape. A missing or shadowed accessor just leads to the slower way.
export function isPlain(prototype: unknown): boolean {
  return prototype === Object.prototype && !isPolluted();
}

// Reads a member whose name also is that of something that every object inherits.
export function ownMember(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

// Whether plain objects inherit anything that can be enumerated.
function isPolluted(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}
