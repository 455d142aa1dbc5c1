import type { Trace, Validator } from "@mcp-codegen/runtime";
import { isMasked } from "../tape/index.js";

/** Longest text of a value in a finding, in characters. */
const SHOWN = 120;
/** Number of issues that are reported for one value: more of them have one cause. */
const MOST_ISSUES = 10;

/** Issue of a value: its place, what the type requires, and the value there. */
export interface ValueIssue {
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

/** Issues that a validator finds, without those about masked values. */
export function issuesOf(validator: Validator, value: unknown): readonly ValueIssue[] {
  if (validator(value)) return [];
  const trace: Trace = [];
  validator(value, trace);
  return withValues(trace, value);
}

/** Adds to each issue the value that it is about. */
export function withValues(
  issues: readonly { readonly path: string; readonly expected: string }[],
  value: unknown,
): readonly ValueIssue[] {
  return issues
    .map(({ path, expected }) => ({ path, expected, value: at(value, path) }))
    .filter((issue) => !isMarked(issue.value))
    .slice(0, MOST_ISSUES);
}

/** Value at a JSON Pointer, by own members; undefined if there is none. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** True for a masked value: its type and content are not known. */
export function isMarked(value: unknown): boolean {
  return isMasked(value);
}

/** Text of a value for a finding, shortened. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** JSON Pointer of one more name. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
