import type { Method } from "../../link/protocol.js";
import type { Revision, Step } from "./reference.js";

/** Returns the feature that a method belongs to, such as `tools` if it requires the capability `server.tools`. */
export function featureOf({ capability }: Method): string | undefined {
  return capability?.split(".")[1];
}

/**
 * Returns the features that a changed name belongs to: the features of the methods that use it. Empty if any of these
 * methods belongs to no feature.
 */
export function featuresOf(name: string, { from, to }: Step): ReadonlySet<string> {
  const own = [to, from].map((revision) => methodsOf(name, revision)).find(({ size }) => size > 0);
  const features = [...(own ?? [])].map(featureOf);
  return new Set(features.includes(undefined) ? [] : features.map(String));
}

/**
 * Returns the methods that a name refers to, and those that use it. The name can be a method, a part of a method, a
 * type or an error code.
 */
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
    // Types that belong directly to a method are not followed to the other methods in which they occur.
    if (direct.length > 0) continue;
    for (const use of all) if (use.kind === "type") seen.add(use.name);
  }
  return found;
}
