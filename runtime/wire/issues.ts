import type { Issue, Trace } from "./validation.js";

// The validator of a recursive type also gets the number of levels that are left.
export type Check = (value: unknown, trace?: Trace, depth?: number) => boolean;

// A validator, or the one literal that a value may be.
export type Expected = Check | string | number | boolean;

export type Members = Readonly<Record<string, unknown>>;

type Owner = Members | readonly unknown[];

/** A trace stops growing here, so that hostile input cannot turn into a huge answer. */
const MAX_ISSUES = 100;

/** Longest string of the input that an issue repeats, in UTF-16 units. */
const MAX_ECHO = 40;

/** Longest name in a path; longer ones are cut. */
const MAX_TOKEN = 100;

// How many levels of arrays and objects a value of a recursive type may have.
export const MAX_DEPTH = 256;

const TOO_DEEP = `at most ${MAX_DEPTH} levels`;

// Adds an issue about the value itself. Always false.
export function reject(trace: Trace | undefined, expected: string, value: unknown): false {
  trace?.push({ path: "", expected, received: describe(value) });
  return false;
}

// Adds an issue about a value of a recursive type that goes on below the last permitted level.
export function rejectDepth(trace: Trace | undefined, value: unknown): false {
  return reject(trace, TOO_DEEP, value);
}

// Adds an issue about a member that should have told which alternative of a union this is.
export function rejectTag(
  trace: Trace | undefined,
  owner: Members,
  name: string,
  expected: string,
): false {
  if (trace !== undefined) report(trace, owner, name, expected);
  return false;
}

// Adds the issues of the one alternative that the value seems to be meant for: of the right JSON
// type, with all required members. Without one, adds a single issue that names the alternatives.
export function rejectUnion(
  trace: Trace,
  expected: string,
  value: unknown,
  alternatives: readonly Check[],
  depth?: number,
): false {
  const close = alternatives.map((check) => issuesOf(check, value, depth)).filter(isClose);
  if (close.length !== 1) return reject(trace, expected, value);
  trace.push(...close[0]!);
  return false;
}

// Adds the issues of a member or an element. True when validation goes on to find further issues.
export function within(
  trace: Trace | undefined,
  owner: Owner,
  name: string | number,
  expected: Expected,
  depth?: number,
): boolean {
  if (trace === undefined) return false;
  if (typeof expected !== "function") return report(trace, owner, name, JSON.stringify(expected));
  const start = trace.length;
  expected(own(owner, name), trace, depth);
  const prefix = pointer(name);
  for (let index = start; index < trace.length; index++) {
    const issue = trace[index]!;
    trace[index] = { ...issue, path: prefix + issue.path };
  }
  return trace.length < MAX_ISSUES;
}

// Like {@link within}, for a member of a map: what is inherited does not count.
export function withinOwn(
  trace: Trace | undefined,
  owner: Members,
  name: string,
  expected: Expected,
  depth?: number,
): boolean {
  return own(owner, name) === undefined || within(trace, owner, name, expected, depth);
}

// Adds an issue about a member or an element. True when validation goes on to find further issues.
export function report(
  trace: Trace,
  owner: Owner,
  name: string | number,
  expected: string,
): boolean {
  trace.push({ path: pointer(name), expected, received: describe(own(owner, name)) });
  return trace.length < MAX_ISSUES;
}

function own(owner: Owner, name: string | number): unknown {
  return Object.hasOwn(owner, name) ? (owner as Members)[name] : undefined;
}

function issuesOf(check: Check, value: unknown, depth: number | undefined): Trace {
  const issues: Trace = [];
  check(value, issues, depth);
  return issues;
}

function isClose(issues: readonly Issue[]): boolean {
  return issues.every(({ path, expected, received }) => {
    if (path === "") return expected === TOO_DEEP;
    const isMissing = received === NOTHING && path.lastIndexOf("/") === 0;
    return !isMissing;
  });
}

const NOTHING = "nothing";

function describe(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return NOTHING;
    case "string":
      return value.length <= MAX_ECHO ? JSON.stringify(value) : "string";
    case "number":
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "array" : "object";
    default:
      return typeof value;
  }
}

// One token of a JSON Pointer.
function pointer(name: string | number): string {
  if (typeof name === "number") return `/${name}`;
  const token = name.length <= MAX_TOKEN ? name : `${name.slice(0, MAX_TOKEN)}…`;
  return `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
