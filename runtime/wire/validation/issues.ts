import type { Trace } from "./validator.js";

export type Members = Readonly<Record<string, unknown>>;

type Owner = Members | readonly unknown[];

/** The maximum number of issues in a trace, so that hostile input cannot cause a huge response. */
const MAX_ISSUES = 100;

/** The maximum length of a string that an issue quotes from the input, in UTF-16 units. */
const MAX_ECHO = 40;

/** The maximum length of a name in a path, in UTF-16 units. Longer names are shortened. */
const MAX_TOKEN = 100;

/** The value of {@link Issue.received} if a member is missing. */
export const NOTHING = "nothing";

export function reject(trace: Trace, expected: string, value: unknown): false {
  trace.push({ path: "", expected, received: describe(value) });
  return false;
}

/** Adds an issue about a member or element. Returns true while the trace has room for more. */
export function report(
  trace: Trace,
  owner: Owner,
  name: string | number,
  expected: string,
): boolean {
  return within(trace, owner, name, (value) => reject(trace, expected, value));
}

/**
 * Adds the issues that a check finds in a member or element. Returns true while the trace has room for more.
 *
 * @param check - adds its issues to `trace`, with paths that start at the value that it checks
 */
export function within(
  trace: Trace,
  owner: Owner,
  name: string | number,
  check: (value: unknown) => void,
): boolean {
  const start = trace.length;
  check(ownMember(owner, name));
  const prefix = pointer(name);
  for (let index = start; index < trace.length; index++) {
    const issue = trace[index]!;
    trace[index] = { ...issue, path: prefix + issue.path };
  }
  return trace.length < MAX_ISSUES;
}

/** Returns a member or element; undefined if the owner merely inherits it. */
export function ownMember(owner: Owner, name: string | number): unknown {
  return Object.hasOwn(owner, name) ? (owner as Members)[name] : undefined;
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Members)[name];
  }
  return found;
}

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

function pointer(name: string | number): string {
  if (typeof name === "number") return `/${name}`;
  const token = name.length <= MAX_TOKEN ? name : `${name.slice(0, MAX_TOKEN)}…`;
  return `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the member and element names in a JSON Pointer. */
export function pointerNames(path: string): string[] {
  const tokens = path.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
