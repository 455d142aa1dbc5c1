import type { Method } from "../../link/protocol.js";
import type { Revision, Step } from "./reference.js";

/** Feature of a method: the outermost name of the capability that it needs; undefined if it needs none. */
export function featureOf({ capability }: Method): string | undefined {
  return capability?.split(".")[1];
}

/**
 * Features that a name of a change belongs to: those of the methods that lead to it. Empty if some of these methods belong to
 * none.
 */
export function featuresOf(name: string, { from, to }: Step): ReadonlySet<string> {
  const own = [to, from].map((revision) => methodsOf(name, revision)).find(({ size }) => size > 0);
  const features = [...(own ?? [])].map(featureOf);
  return new Set(features.includes(undefined) ? [] : features.map(String));
}

/** Methods that a method, a part of it, a type or an error code leads to. */
export function methodsOf(name: string, { methods, uses, facts }: Revision): ReadonlySet<Method> {
  const found = new Set<Method>();
  const own = methods.get(name.split(" ")[0]!);
  const codes = facts.errorCodes?.find((code) => code.name === name)?.methods ?? [];
  for (const method of [own, ...codes.map((code) => methods.get(code))]) {
    if (method) found.add(method);
  }
  const seen = new Set([name]);
  for (const type of seen) {
    const all = uses.get(type) ?? [];
    const direct = all.filter(({ kind }) => kind === "params" || kind === "result");
    for (const use of direct) found.add(methods.get(use.name)!);
    // Types of a method may also occur in others, which is not what they are for.
    if (direct.length > 0) continue;
    for (const use of all) if (use.kind === "type") seen.add(use.name);
  }
  return found;
}
