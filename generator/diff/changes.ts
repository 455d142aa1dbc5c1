import type { Declaration, Doc, Member, TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Pair, ConstantChange } from "./protocol-diff.js";
import { WireComparison } from "./wire-comparison.js";
import type { Protocol } from "../link/protocol.js";

/** The classes of changes, from the most to the least serious. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/**
 * The effect of a change:
 * - `breaking`: a previously correct program may fail.
 * - `dangerous`: nothing fails, but a host should ask its user for consent again.
 * - `prose`: text that a model or a user reads has changed.
 * - `additive`: every correct program remains correct.
 */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

export function isAtLeast(change: ChangeClass, limit: ChangeClass): boolean {
  return CHANGE_CLASSES.indexOf(change) <= CHANGE_CLASSES.indexOf(limit);
}

/**
 * Finds renamed types: pairs of a removed and an added type that are the same on the wire. Types that are not
 * distinctive are skipped, because two of them may be equal by coincidence.
 */
export function renames(before: Shapes, after: Shapes, gone: Names, come: Names): Pair[] {
  const wire = new WireComparison(before, after);
  return gone.flatMap((from) => {
    if (!isDistinctive(from, before)) return [];
    const to = come.find((name) => isDistinctive(name, after) && wire.sameNamed(from, name));
    return to === undefined ? [] : [{ from, to }];
  });
}

type Names = readonly string[];

/**
 * Returns true if a type is specific enough that two such types are unlikely to have the same structure by coincidence.
 */
function isDistinctive(name: string, shapes: Shapes): boolean {
  const declaration: Declaration | undefined = shapes.declaration(name);
  if (!declaration || declaration.kind === "const") return false;
  const shape = shapes.named(name);
  if (shape) return [...shape.members.values()].some(({ optional }) => !optional);
  return declaration.kind === "alias" && shapes.arms(declaration.type).length > 1;
}

/** Finds types and members that exist in both revisions and are newly deprecated. */
export function deprecations(before: Protocol, after: Protocol): string[] {
  const [old, now] = [before, after].map(
    ({ declarations }) => new Map(declarations.flatMap(places)),
  );
  return [...now!].flatMap(([place, deprecated]) =>
    deprecated && old!.get(place) === false ? [place] : [],
  );
}

type Place = readonly [path: string, deprecated: boolean];

function places(declaration: Declaration): Place[] {
  const { name, doc } = declaration;
  const self: Place = [name, isDeprecated(doc)];
  if (declaration.kind === "interface") return [self, ...inMembers(name, declaration.members)];
  return declaration.kind === "alias" ? [self, ...inType(name, declaration.type)] : [self];
}

function inMembers(path: string, members: readonly Member[]): Place[] {
  return members.flatMap(({ name, type, doc }): Place[] => {
    const place = `${path}.${name}`;
    return [[place, isDeprecated(doc)], ...inType(place, type)];
  });
}

function inType(path: string, type: TypeExpression): Place[] {
  if (type.kind === "object") return inMembers(path, type.members);
  return type.kind === "intersection" ? type.members.flatMap((one) => inType(path, one)) : [];
}

function isDeprecated(doc: Doc | undefined): boolean {
  return doc?.tags.some(({ name }) => name === "deprecated") ?? false;
}

/** Finds the constants that have changed, including error codes that are stated only in the prose. */
export function constantChanges(before: Protocol, after: Protocol): ConstantChange[] {
  const [old, now] = [constants(before), constants(after)];
  const gone = [...old].flatMap(([name, { value, origin }]): ConstantChange[] => {
    const other = now.get(name);
    if (other?.value === value) return [];
    return [
      { name, from: value, ...(other && { to: other.value }), origin: other?.origin ?? origin },
    ];
  });
  const come = [...now].flatMap(([name, { value, origin }]): ConstantChange[] =>
    old.has(name) ? [] : [{ name, to: value, origin }],
  );
  return [...gone, ...come];
}

interface Constant {
  readonly value: string | number;
  readonly origin: ConstantChange["origin"];
}

function constants({ declarations, errorCodes }: Protocol): Map<string, Constant> {
  const all = new Map<string, Constant>();
  for (const declaration of declarations) {
    if (declaration.kind !== "const") continue;
    all.set(declaration.name, { value: declaration.value, origin: "schema" });
  }
  for (const { name, code, origin } of errorCodes) {
    if (origin === "prose") all.set(name, { value: code, origin });
  }
  return all;
}
