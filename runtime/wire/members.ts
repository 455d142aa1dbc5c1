import { type Expected, rejectDepth, within } from "./issues.js";
import { isObject } from "./validate.js";
import type { Trace } from "./validation.js";

// Before the name of a member that may be absent.
export const maybe = 0;

// Goes through the elements of an array of which some are not right.
export function elements(
  trace: Trace | undefined,
  value: readonly unknown[],
  expected: Expected,
  depth?: number,
): boolean {
  if (trace === undefined) return false;
  const start = trace.length;
  for (let index = 0; index < value.length; index++) {
    if (passes(value[index], expected, depth)) continue;
    if (!within(trace, value, index, expected, depth)) return false;
  }
  return trace.length === start;
}

// Goes through members of a value that is not right as a plain object: to tell what is wrong, or whether it is right
// when only its own members count.
//
// @param list - gives in turn a name and what is under it; before the name {@link maybe}, where it may be absent
// @param depth - how many levels are left to a type that can contain itself
export function ownMembers(
  trace: Trace | undefined,
  value: unknown,
  list: () => readonly Expected[],
  depth?: number,
): boolean {
  if (!isObject(value, trace)) return false;
  if (depth !== undefined && depth < 1) return rejectDepth(trace, value);
  const expected = list();
  const below = depth && depth - 1;
  const start = trace?.length;
  for (let index = 0; index < expected.length; index += 2) {
    const isOptional = expected[index] === maybe;
    if (isOptional) index++;
    const name = expected[index] as string;
    const wanted = expected[index + 1]!;
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if ((isOptional && member === undefined) || passes(member, wanted, below)) continue;
    if (!within(trace, value, name, wanted, below)) return false;
  }
  return trace?.length === start;
}

function passes(value: unknown, expected: Expected, depth: number | undefined): boolean {
  return typeof expected === "function" ? expected(value, undefined, depth) : value === expected;
}
