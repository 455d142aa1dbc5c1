import type { Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import { constantChanges, deprecations } from "./changes.js";
import { MemberComparison } from "./member-changes.js";
import { methodChanges } from "./method-changes.js";
import type { ProtocolDiff, ValueChange } from "./protocol-diff.js";
import { heritageChanges, typeChanges } from "./type-changes.js";
import { valueText } from "./type-text.js";

/** Compares two revisions. Ignores the order of declarations, and all documentation except `@deprecated`. */
export function diff(before: Protocol, after: Protocol): ProtocolDiff {
  const shapes = [new Shapes(before.declarations), new Shapes(after.declarations)] as const;
  const members = new MemberComparison(...shapes);
  const shared = before.declarations.filter(({ name }) => shapes[1].declaration(name));
  return {
    from: before.revision,
    to: after.revision,
    traits: valueChanges(before.traits, after.traits),
    conventions: valueChanges(before.conventions, after.conventions),
    constants: constantChanges(before, after),
    methods: methodChanges(before, after),
    types: typeChanges(before, after, shapes),
    heritage: heritageChanges(before, shapes[1]),
    members: shared.flatMap(({ name }) => members.changes(name)),
    deprecated: deprecations(before, after),
  };
}

function valueChanges<T extends object>(before: T, after: T): ValueChange[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const [from, to] = [valueText(value), valueText(after[name as keyof T])];
    return from === to ? [] : [{ name, from, to }];
  });
}
