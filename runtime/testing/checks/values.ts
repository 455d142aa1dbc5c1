import type { Trace, Validator } from "@mcp-codegen/runtime";
import { isMasked } from "../tape/index.js";
import { at } from "../tape/json-value.js";

/** Maximum number of issues that are reported for one value; further issues usually have the same cause. */
const MOST_ISSUES = 10;

/** Issue of a value: the path, what the type requires there, and the value that is there. */
export interface ValueIssue {
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

/** Returns the issues that a validator finds, except those about masked values. */
export function issuesOf(validator: Validator, value: unknown): readonly ValueIssue[] {
  if (validator(value)) return [];
  const trace: Trace = [];
  validator(value, trace);
  return withValues(trace, value);
}

/**
 * Adds to each issue the value at its path, removes issues about masked values, and keeps at most {@link MOST_ISSUES}.
 */
export function withValues(
  issues: readonly { readonly path: string; readonly expected: string }[],
  value: unknown,
): readonly ValueIssue[] {
  return issues
    .map(({ path, expected }) => ({ path, expected, value: at(value, path) }))
    .filter((issue) => !isMasked(issue.value))
    .slice(0, MOST_ISSUES);
}
