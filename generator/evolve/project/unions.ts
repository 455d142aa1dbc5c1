import type { TypeExpression } from "../../model/schema-model.js";
import type { EffectiveShape, Shapes } from "../../model/shape.js";
import { kindOfValue } from "./clash.js";
import type { Comparison, Pair } from "./comparison.js";
import type { Draft } from "./draft.js";

interface Arms {
  readonly literals: readonly unknown[];
  /** Kinds that are not limited to literals. */
  readonly scalars: readonly string[];
  readonly arrays: readonly TypeExpression[];
  readonly objects: readonly TypeExpression[];
}

/** Compares the arms of two unions; arms that only the older revision has are irrelevant to the newer one. */
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
  const of = (wanted: string): TypeExpression[] =>
    arms.filter(({ kind }) => kind === wanted).map(({ arm }) => arm);
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

/** A member with a different constant in each of the objects. */
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

/** Objects, distinguished by the names of their types if a rule supports that, else compared as one. */
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
    const problem = `can be ${names.join(" or ")}, which this revision lacks and no member tells`;
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
