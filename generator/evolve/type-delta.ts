import type { MemberChange } from "../diff/protocol-diff.js";
import type { ArmsDelta, Path, TypeDelta } from "./evolution.js";

/**
 * Returns the visible differences that result from a type's changes; undefined if none of them is visible on the wire.
 *
 * @param names - the types' neutral names, by their names in the revision
 */
export function typeDelta(
  name: string,
  changes: readonly MemberChange[],
  names: ReadonlyMap<string, string>,
): TypeDelta | undefined {
  const having = (type: MemberChange["change"]): Path[] =>
    changes.filter(({ change }) => change === type).map(({ path }) => ({ path }));
  const delta: TypeDelta = {
    name,
    lacks: having("added"),
    extra: changes.flatMap((one) =>
      one.change === "removed" ? [{ path: one.path, optional: one.optional }] : [],
    ),
    requires: having("optional"),
    relaxes: having("required"),
    arms: changes.flatMap((change) => armsDelta(change, names)),
    types: changes.flatMap(otherType),
  };
  const { name: _name, ...lists } = delta;
  return Object.values(lists).some((list) => list.length > 0) ? delta : undefined;
}

function armsDelta(change: MemberChange, names: ReadonlyMap<string, string>): ArmsDelta[] {
  if (!isVisibleType(change)) return [];
  const own = change.flat.removed.map((arm) => names.get(arm) ?? arm);
  const lacks = change.flat.added.filter((arm) => !own.includes(arm));
  const extra = own.filter((arm) => !change.flat.added.includes(arm));
  return lacks.length + extra.length > 0 ? [{ path: change.path, lacks, extra }] : [];
}

function otherType(change: MemberChange): TypeDelta["types"][number][] {
  const { path } = change;
  if (change.change === "constraints") return [{ path, own: change.from, neutral: change.to }];
  if (!isVisibleType(change)) return [];
  const { added, removed } = change.flat;
  return added.length + removed.length > 0 ? [] : [{ path, own: change.from, neutral: change.to }];
}

type TypeChange = Extract<MemberChange, { change: "type" | "index" }>;

function isVisibleType(change: MemberChange): change is MemberChange & TypeChange {
  return (change.change === "type" || change.change === "index") && !change.sameWire;
}
