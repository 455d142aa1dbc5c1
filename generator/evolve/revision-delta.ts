import { MemberComparison } from "../diff/member-changes.js";
import { methodChanges } from "../diff/method-changes.js";
import type { MethodChange } from "../diff/protocol-diff.js";
import type { Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import type { Evolution, RevisionDelta } from "./evolution.js";
import { typeDelta } from "./type-delta.js";

/**
 * Compares a revision with the neutral definitions.
 *
 * @param names - the types' neutral names, by their names in the revision
 */
export function revisionDelta(
  protocol: Protocol,
  names: ReadonlyMap<string, string>,
  { neutral, methods }: Pick<Evolution, "neutral" | "methods">,
  newest: Protocol,
): RevisionDelta {
  const declarations = neutral.map(({ declaration }) => declaration);
  const comparison = new MemberComparison(
    new Shapes(protocol.declarations),
    new Shapes(declarations),
  );
  const has = new Set(names.values());
  const own = new Set(protocol.methods.map(({ method }) => method));
  const neutralMethods = methods.map(({ method }) => method);
  return {
    revision: protocol.revision,
    lacksMethods: neutralMethods.map(({ method }) => method).filter((method) => !own.has(method)),
    lacksTypes: declarations.map(({ name }) => name).filter((name) => !has.has(name)),
    names: Object.fromEntries([...names].filter(([name, neutralName]) => name !== neutralName)),
    methods: methodDeltas(protocol, { ...newest, methods: neutralMethods }),
    types: [...names].flatMap(([name, neutralName]) => {
      return typeDelta(neutralName, comparison.changes(name, neutralName), names) ?? [];
    }),
  };
}

/**
 * Returns the differences between the methods that both protocols have. The aspects `envelope` and `params` are left
 * out, because they may differ only in how types are written.
 */
function methodDeltas(protocol: Protocol, neutral: Protocol): MethodChange[] {
  return methodChanges(protocol, neutral).flatMap((method) => {
    if (method.change !== "changed") return [];
    const aspects = method.aspects.filter(
      ({ aspect }) => aspect !== "envelope" && aspect !== "params",
    );
    return aspects.length > 0 ? [{ ...method, aspects }] : [];
  });
}
