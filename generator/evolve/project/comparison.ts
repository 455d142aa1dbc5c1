import { typeText } from "../../diff/type-text.js";
import { WireComparison } from "../../diff/wire-comparison.js";
import { isAnyJson, isAnyObject } from "../../link/any-json.js";
import type { TypeExpression } from "../../model/schema-model.js";
import type { ConstrainedType, EffectiveShape, Shapes } from "../../model/shape.js";
import { type Clash, kindsOf, scalarClash } from "./clash.js";
import { type Draft, newDraft } from "./draft.js";
import { compareObjects, mergeShapes } from "./objects.js";
import type { PlaceFacts } from "./place-facts.js";
import { compareUnions } from "./unions.js";

export interface ComparisonInput {
  readonly own: Shapes;
  readonly neutral: Shapes;
  /** Neutral names by the revision's type names. */
  readonly names: ReadonlyMap<string, string>;
  readonly facts: PlaceFacts;
  readonly onClash: (clash: Clash) => void;
}

/** One place of a message, in the newer revision and in the older one. */
export interface Pair {
  readonly place: string;
  readonly neutral: ConstrainedType;
  readonly own: ConstrainedType;
}

const EMPTY: EffectiveShape = { members: new Map(), indexes: [] };

/** Compares, place by place, the messages of an older revision with those of the next one. */
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

  /** Compares two types once; returns the id of the draft that describes the difference. */
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

  /** Compares two objects that have no types of their own. */
  compareObjects(place: string, neutral: EffectiveShape, own: EffectiveShape): string {
    const id = `${place} object`;
    if (this.drafts.has(id)) return id;
    const draft = newDraft(id, place, this.facts.rule(place));
    this.drafts.set(id, draft);
    compareObjects(this, draft, { neutral, own });
    return id;
  }

  /** Compares a union of indistinguishable objects as if it were a single object with all of their members. */
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

  /** Neutral name of one of the revision's types. */
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

/** Name of a place for rules and shapes: the name of its type, unless a fact concerns only the member. */
function placeOf({ place, neutral }: Pair, facts: PlaceFacts): string {
  if (neutral.type.kind !== "reference") return place;
  const { name } = neutral.type;
  return facts.has(place) && !facts.has(name) ? place : name;
}

/** The type behind aliases; constraints on the way are merged. */
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
