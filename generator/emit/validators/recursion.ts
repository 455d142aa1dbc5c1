import type { Check } from "./check.js";

/** Names of the declarations that can contain a value of their own type. */
export function recursiveNames(checks: ReadonlyMap<string, Check>): ReadonlySet<string> {
  const calls = new Map([...checks].map(([name, check]) => [name, callsOf(check)]));
  return new Set([...calls.keys()].filter((name) => reaches(name, name, calls)));
}

/** Names that a check refers to directly. */
export function callsOf(check: Check): string[] {
  switch (check.kind) {
    case "call":
      return [check.name];
    case "array":
      return callsOf(check.element);
    case "anyOf":
      return check.arms.flatMap(callsOf);
    case "allOf":
      return check.parts.flatMap(callsOf);
    case "object":
      return [
        ...check.members.flatMap((member) => callsOf(member.check)),
        ...(check.index ? callsOf(check.index) : []),
      ];
    default:
      return [];
  }
}

/** Names that any of the checks refers to directly. */
export function referencedNames(checks: readonly Check[]): ReadonlySet<string> {
  return new Set(checks.flatMap(callsOf));
}

function reaches(
  from: string,
  target: string,
  calls: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set<string>();
  const queue = [...(calls.get(from) ?? [])];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === target) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(calls.get(name) ?? []));
  }
  return false;
}
