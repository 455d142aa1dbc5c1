import { isAnyJson } from "../../link/any-json.js";
import type { ConstrainedType, EffectiveMember, EffectiveShape } from "../../model/shape.js";
import type { Comparison } from "./comparison.js";
import type { Draft } from "./draft.js";

interface ObjectPair {
  readonly neutral: EffectiveShape;
  readonly own: EffectiveShape;
}

/** Compares the members of an object. */
export function compareObjects(comparison: Comparison, draft: Draft, pair: ObjectPair): void {
  lacking(comparison, draft, pair);
  for (const member of pair.own.members.values()) {
    if (!member.optional) required(comparison, draft, pair, member);
  }
  for (const member of pair.neutral.members.values()) {
    const place = placeOfMember(draft.place, member);
    if (comparison.facts.is(place, "engine")) continue;
    const own = pair.own.members.get(member.name);
    if (own) {
      const sides = { neutral: typeOf(member), own: typeOf(own) };
      draft.members[member.name] = comparison.compare({ place, ...sides });
    } else if (!member.optional) missing(comparison, place);
  }
  const [index, ownIndex] = [pair.neutral.indexes[0], pair.own.indexes[0]];
  if (!index || !ownIndex || isAnyJson(ownIndex.type, comparison.own)) return;
  draft.each = comparison.compare({
    place: `${draft.place}[*]`,
    neutral: { type: index.type },
    own: { type: ownIndex.type },
  });
}

/** Several objects as one with the members of all; a member that one of them lacks or does not require is optional. */
export function mergeShapes(shapes: readonly EffectiveShape[]): EffectiveShape {
  const members = new Map<string, EffectiveMember>();
  for (const shape of shapes) {
    for (const member of shape.members.values()) {
      const optional = !shapes.every((one) => one.members.get(member.name)?.optional === false);
      if (!members.has(member.name)) members.set(member.name, { ...member, optional });
    }
  }
  return { members, indexes: shapes.flatMap(({ indexes }) => indexes).slice(0, 1) };
}

function lacking(comparison: Comparison, draft: Draft, { neutral, own }: ObjectPair): void {
  const { facts } = comparison;
  for (const member of neutral.members.values()) {
    const { name } = member;
    const place = placeOfMember(draft.place, member);
    if (own.members.has(name) || facts.is(place, "engine") || facts.is(place, "keep")) continue;
    if (facts.is(place, "refuse")) draft.refuse.push(name);
    else if (facts.is(place, "strip")) draft.strip.push(name);
    else draft.drop.push(name);
  }
}

/** Reports a member that the older revision requires and a message of the newer one may lack. */
function required(
  comparison: Comparison,
  draft: Draft,
  { neutral }: ObjectPair,
  { name }: EffectiveMember,
): void {
  const counterpart = neutral.members.get(name);
  draft.requires.push(name);
  const place = `${draft.place}.${name}`;
  if (comparison.facts.is(place, "engine") || (counterpart && !counterpart.optional)) return;
  draft.needsRule = true;
  if (draft.fact === undefined) {
    const what = counterpart ? "optional in the newest revision" : "unknown to the newest revision";
    comparison.clash(place, `is required by this revision and ${what}`);
  }
}

/** Warns of a member that the newer revision requires and a message of the older one lacks. */
function missing(comparison: Comparison, place: string): void {
  if (comparison.facts.rule(place)) return;
  const problem = "is required by the newest revision and unknown to this one";
  comparison.clash(place, `${problem}: what comes from it has none`, true);
}

function placeOfMember(place: string, { from, name }: EffectiveMember): string {
  return `${from === "" ? place : from}.${name}`;
}

function typeOf({ types }: EffectiveMember): ConstrainedType {
  const [first, ...rest] = types;
  if (rest.length === 0) return first!;
  const type = {
    kind: "intersection",
    members: types.map((one) => one.type),
    span: first!.type.span,
  } as const;
  return { type };
}
