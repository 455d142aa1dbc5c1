import { isAnyJson } from "../../link/any-json.js";
import type { ConstrainedType, EffectiveMember, EffectiveShape } from "../../model/shape.js";
import type { Comparison } from "./comparison.js";
import type { Draft } from "./draft.js";
import { KEPT, OF_THE_ENGINE, REFUSED, RULES, STRIPPED, SUPPLIED } from "./projection-facts.js";

interface ObjectPair {
  readonly neutral: EffectiveShape;
  readonly own: EffectiveShape;
}

/** What is different about the members of an object. */
export function compareObjects(comparison: Comparison, draft: Draft, pair: ObjectPair): void {
  lacking(comparison, draft, pair);
  for (const member of pair.own.members.values()) {
    if (!member.optional) required(comparison, draft, pair, member);
  }
  for (const member of pair.neutral.members.values()) {
    const place = placeOfMember(draft.place, member);
    const own = pair.own.members.get(member.name);
    if (own) {
      const sides = { neutral: typeOf(member), own: typeOf(own) };
      draft.members[member.name] = comparison.compare({ place, ...sides });
    } else if (!member.optional) missing(comparison, draft, place, member.name);
  }
  const [index, ownIndex] = [pair.neutral.indexes[0], pair.own.indexes[0]];
  if (!index || !ownIndex || isAnyJson(ownIndex.type, comparison.own)) return;
  draft.each = comparison.compare({
    place: `${draft.place}[*]`,
    neutral: { type: index.type },
    own: { type: ownIndex.type },
  });
}

/** Several objects as one that has the members of all; what one of them lacks or leaves open is optional. */
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
  const known = new Map(comparison.known.get(draft.place));
  for (const member of neutral.members.values()) {
    known.set(member.name, placeOfMember(draft.place, member));
  }
  for (const [name, place] of known) {
    if (own.members.has(name) || KEPT.some((pattern) => pattern.test(place))) continue;
    if (REFUSED.has(place)) draft.refuse.push(name);
    else if (STRIPPED.some((pattern) => pattern.test(place))) draft.strip.push(name);
    else draft.drop.push(name);
  }
}

/** The revision requires a member that a message of the newest may not have. */
function required(
  comparison: Comparison,
  draft: Draft,
  { neutral }: ObjectPair,
  { name }: EffectiveMember,
): void {
  const counterpart = neutral.members.get(name);
  draft.requires.push(name);
  const place = `${draft.place}.${name}`;
  const isOfEngine = OF_THE_ENGINE.some((pattern) => pattern.test(place));
  if (isOfEngine || (counterpart && !counterpart.optional)) return;
  draft.needsRule = true;
  if (draft.fact === undefined) {
    const what = counterpart ? "optional in the newest revision" : "unknown to the newest revision";
    comparison.clash(place, `is required by this revision and ${what}`);
  }
}

/** The newest revision requires a member that a message of this one does not have. */
function missing(comparison: Comparison, draft: Draft, place: string, name: string): void {
  const supplied = SUPPLIED[place];
  if (supplied !== undefined) draft.supply[name] = supplied;
  else if (!Object.hasOwn(RULES, place) && !OF_THE_ENGINE.some((pattern) => pattern.test(place))) {
    const problem = "is required by the newest revision and unknown to this one";
    comparison.clash(place, `${problem}: what comes from it has none`, true);
  }
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
