import { typeText } from "../../diff/type-text.js";
import { WireComparison } from "../../diff/wire-comparison.js";
import { isAnyJson, isAnyObject } from "../../link/type-tests.js";
import type { TypeExpression } from "../../model/schema-model.js";
import type {
  ConstrainedType,
  EffectiveShape,
  Shapes,
  EffectiveMember,
} from "../../model/shape.js";
import { type Clash, kindsOf, scalarClash, kindOfValue } from "./clash.js";
import { type Draft, newDraft } from "./draft.js";
import type { PlaceFacts } from "./place-facts.js";

export interface ComparisonInput {
  readonly own: Shapes;
  readonly neutral: Shapes;
  readonly names: ReadonlyMap<string, string>;
  readonly facts: PlaceFacts;
  readonly onClash: (clash: Clash) => void;
}

/** The types at one place in a message, in the newer revision (`neutral`) and in the older one (`own`). */
export interface Pair {
  readonly place: string;
  readonly neutral: ConstrainedType;
  readonly own: ConstrainedType;
}

const EMPTY: EffectiveShape = { members: new Map(), indexes: [] };

export class Comparison {
  readonly drafts: Map<string, Draft> = new Map();
  readonly own: Shapes;
  readonly neutral: Shapes;
  readonly facts: PlaceFacts;
  readonly #names: ReadonlyMap<string, string>;
  readonly #wire: WireComparison;
  readonly #onClash: (clash: Clash) => void;

  constructor({ own, neutral, names, facts, onClash }: ComparisonInput) {
    this.own = own;
    this.neutral = neutral;
    this.facts = facts;
    this.#names = names;
    this.#onClash = onClash;
    this.#wire = new WireComparison(own, neutral);
  }

  /**
   * Compares two types. Each pair is compared only once.
   *
   * @returns the id of the draft that describes the difference
   */
  compare(pair: Pair): string {
    const place = placeOf(pair, this.facts);
    const id = `${place} ${typeText(pair.neutral.type)} ${typeText(pair.own.type)}`;
    if (this.drafts.has(id)) return id;
    const draft = newDraft(id, place, this.facts.rule(place));
    draft.isIndivisible = this.facts.is(place, "indivisible");
    this.drafts.set(id, draft);
    if (!this.facts.is(pair.place, "opaque") || draft.fact) this.#fill(draft, { ...pair, place });
    return id;
  }

  compareObjects(place: string, neutral: EffectiveShape, own: EffectiveShape): string {
    const id = `${place} object`;
    if (this.drafts.has(id)) return id;
    const draft = newDraft(id, place, this.facts.rule(place));
    this.drafts.set(id, draft);
    compareObjects(this, draft, { neutral, own });
    return id;
  }

  compareMerged(
    place: string,
    neutral: readonly EffectiveShape[],
    own: readonly EffectiveShape[],
  ): string {
    return this.compareObjects(place, mergeShapes(neutral), mergeShapes(own));
  }

  clash(place: string, problem: string, isWarning = false): void {
    this.#onClash({ place, problem, isWarning });
  }

  neutralName(type: TypeExpression): string {
    const name = typeText(type);
    return this.#names.get(name) ?? name;
  }

  #fill(draft: Draft, pair: Pair): void {
    const { neutral, own, place } = pair;
    if (draft.fact?.extent === "always") draft.needsRule = true;
    if (draft.fact?.extent === "whole") {
      draft.needsRule = !this.#wire.same(own, neutral);
      return;
    }
    if (isAnyJson(own.type, this.own)) return;
    if (isAnyJson(neutral.type, this.neutral)) {
      return this.clash(place, `can be any JSON, but not in this revision`);
    }
    const [left, right] = [this.neutral.arms(neutral.type), this.own.arms(own.type)];
    if (left.length > 1 || right.length > 1) compareUnions(this, draft, pair);
    else
      this.#one(draft, {
        place,
        neutral: resolve(neutral, this.neutral),
        own: resolve(own, this.own),
      });
  }

  #one(draft: Draft, { place, neutral, own }: Pair): void {
    if (neutral.type.kind === "array" && own.type.kind === "array") {
      const [item, other] = [{ type: neutral.type.element }, { type: own.type.element }];
      draft.items = this.compare({ place: `${place}[]`, neutral: item, own: other });
      return;
    }
    const shape = this.neutral.of(neutral.type);
    const other = this.own.of(own.type) ?? (isAnyObject(own.type, this.own) ? EMPTY : undefined);
    if (shape && other) return compareObjects(this, draft, { neutral: shape, own: other });
    if (isAnyObject(neutral.type, this.neutral) && other) return;
    const [is, was] = [kindsOf(neutral, this.neutral), kindsOf(own, this.own)];
    const problem =
      is.join() === was.join()
        ? scalarClash(neutral, own, this)
        : `is ${is.join(" or ")}, and ${was.join(" or ")} in this revision`;
    if (problem !== undefined) this.clash(place, problem);
  }
}

/**
 * Returns the name by which rules and shapes refer to a place. It is the name of the place's type, unless a fact
 * concerns only the member.
 */
function placeOf({ place, neutral }: Pair, facts: PlaceFacts): string {
  if (neutral.type.kind !== "reference") return place;
  const { name } = neutral.type;
  return facts.has(place) && !facts.has(name) ? place : name;
}

function resolve({ type, constraints }: ConstrainedType, shapes: Shapes): ConstrainedType {
  let [current, bounds] = [type, constraints];
  while (current.kind === "reference") {
    const declaration = shapes.declaration(current.name);
    if (declaration?.kind !== "alias") break;
    bounds = { ...declaration.constraints, ...bounds };
    current = declaration.type;
  }
  return { type: current, ...(bounds && { constraints: bounds }) };
}

interface ObjectPair {
  readonly neutral: EffectiveShape;
  readonly own: EffectiveShape;
}

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

/** Merges several objects into one. A member is required only if all objects require it. */
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

function missing(comparison: Comparison, place: string): void {
  if (comparison.facts.rule(place)) return;
  const problem = "is required by the newest revision and unknown to this one";
  comparison.clash(place, `${problem}, whose messages lack it`, true);
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

interface Arms {
  readonly literals: readonly unknown[];
  /** The kinds of scalars that the union accepts with any value, rather than only as literals. */
  readonly scalars: readonly string[];
  readonly arrays: readonly TypeExpression[];
  readonly objects: readonly TypeExpression[];
}

/**
 * Compares the alternatives of two unions. Those that only the older revision has do not matter, because the newer
 * revision never sends them.
 */
export function compareUnions(comparison: Comparison, draft: Draft, pair: Pair): void {
  const neutral = armsOf(pair.neutral.type, comparison.neutral);
  const own = armsOf(pair.own.type, comparison.own);
  for (const value of neutral.literals) {
    if (typeof value !== "string" || own.scalars.includes("string")) continue;
    if (!own.literals.includes(value)) draft.lacks.push(value);
  }
  for (const kind of neutral.scalars) {
    if (own.scalars.includes(kind)) continue;
    const hasLiterals = own.literals.some((value) => typeof value === kind);
    if (hasLiterals) comparison.clash(draft.place, `is limited to a few values in this revision`);
    else draft.kinds[kind] = null;
  }
  compareArrays(comparison, draft, neutral, own);
  compareObjectArms(comparison, draft, neutral.objects, own.objects);
}

function armsOf(type: TypeExpression, shapes: Shapes): Arms {
  const arms = shapes.arms(type).map((arm) => ({ arm, kind: kindOfValue(arm, shapes) }));
  const literals = arms.map(({ arm }) => shapes.literal(arm)).filter((one) => one !== undefined);
  const of = (name: string): TypeExpression[] =>
    arms.filter(({ kind }) => kind === name).map(({ arm }) => arm);
  const scalars = arms
    .filter(
      ({ arm, kind }) => !["array", "object"].includes(kind) && shapes.literal(arm) === undefined,
    )
    .map(({ kind }) => kind);
  return { literals, scalars, arrays: of("array"), objects: of("object") };
}

function compareArrays(comparison: Comparison, draft: Draft, neutral: Arms, own: Arms): void {
  const [first, ...rest] = neutral.arrays;
  if (first === undefined) return;
  const [other] = own.arrays;
  if (other === undefined) draft.kinds["array"] = null;
  else if (rest.length > 0) comparison.clash(draft.place, "has several kinds of arrays");
  else {
    const place = `${draft.place}[]`;
    const sides = { neutral: { type: first }, own: { type: other } };
    draft.kinds["array"] = comparison.compare({ place, ...sides });
  }
}

function compareObjectArms(
  comparison: Comparison,
  draft: Draft,
  neutral: readonly TypeExpression[],
  own: readonly TypeExpression[],
): void {
  if (neutral.length === 0) return;
  if (own.length === 0) {
    draft.kinds["object"] = null;
  } else if (neutral.length === 1 && own.length === 1) {
    draft.kinds["object"] = compareArm(comparison, draft, neutral[0]!, own[0]!);
  } else {
    const tag = tagOf(neutral, comparison.neutral);
    if (tag !== undefined) compareTagged(comparison, draft, tag, neutral, own);
    else compareUntagged(comparison, draft, neutral, own);
  }
}

function tagOf(arms: readonly TypeExpression[], shapes: Shapes): string | undefined {
  const [first, ...rest] = arms.map((one) => shapes.of(one));
  if (!first || rest.includes(undefined)) return undefined;
  return [...first.members.keys()].find((name) => {
    const values = [first, ...rest].map((shape) => shapes.memberLiteral(shape?.members.get(name)));
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
}

function compareTagged(
  comparison: Comparison,
  draft: Draft,
  tag: string,
  neutral: readonly TypeExpression[],
  own: readonly TypeExpression[],
): void {
  draft.tag = tag;
  const valueIn = (type: TypeExpression, shapes: Shapes): unknown =>
    shapes.memberLiteral(shapes.of(type)?.members.get(tag));
  for (const one of neutral) {
    const value = valueIn(one, comparison.neutral);
    const other =
      own.find((candidate) => valueIn(candidate, comparison.own) === value) ??
      own.find((candidate) => comparison.neutralName(candidate) === comparison.neutralName(one));
    const id = other ? compareArm(comparison, draft, one, other) : null;
    draft.arms[String(value)] = id;
    if (comparison.neutral.of(one)?.members.get(tag)?.optional) draft.untagged = id;
  }
}

/**
 * Compares objects that have no distinguishing member. If there is a rule, they are compared by their types' names;
 * otherwise, they are merged into one object, provided that the older revision has all the types.
 */
function compareUntagged(
  comparison: Comparison,
  draft: Draft,
  neutral: readonly TypeExpression[],
  own: readonly TypeExpression[],
): void {
  const pairs = neutral.map((one) => {
    const name = comparison.neutralName(one);
    return { one, name, other: own.find((each) => comparison.neutralName(each) === name) };
  });
  if (draft.fact) {
    for (const { one, name, other } of pairs) {
      draft.arms[name] = other ? compareArm(comparison, draft, one, other) : null;
    }
  } else if (pairs.every(({ other }) => other !== undefined)) {
    const [left, right] = [
      neutral.map(shapesOf(comparison.neutral)),
      own.map(shapesOf(comparison.own)),
    ];
    draft.kinds["object"] = comparison.compareMerged(`${draft.place}{}`, left, right);
  } else {
    const names = pairs.filter(({ other }) => !other).map(({ name }) => name);
    const problem = `can be ${names.join(" or ")}, which this revision lacks and no member identifies`;
    comparison.clash(draft.place, problem);
  }
}

function shapesOf(shapes: Shapes): (type: TypeExpression) => EffectiveShape {
  return (type) => shapes.of(type) ?? { members: new Map(), indexes: [] };
}

function compareArm(
  comparison: Comparison,
  draft: Draft,
  neutral: TypeExpression,
  own: TypeExpression,
): string {
  const place = `${draft.place}{}`;
  return comparison.compare({ place, neutral: { type: neutral }, own: { type: own } });
}
