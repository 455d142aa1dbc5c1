import type { Trace, Validator } from "@mcp-codegen/runtime";
import { isMasked } from "../tape/index.js";
import { at } from "../tape/json-value.js";

/** The maximum number of issues reported for one value. Further issues usually have the same cause. */
const MOST_ISSUES = 10;

export interface ValueIssue {
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

export function issuesOf(validator: Validator, value: unknown): readonly ValueIssue[] {
  if (validator(value)) return [];
  const trace: Trace = [];
  validator(value, trace);
  return withValues(trace, value);
}

export function withValues(
  issues: readonly { readonly path: string; readonly expected: string }[],
  value: unknown,
): readonly ValueIssue[] {
  return issues
    .map(({ path, expected }) => ({ path, expected, value: at(value, path) }))
    .filter((issue) => !isMasked(issue.value))
    .slice(0, MOST_ISSUES);
}
