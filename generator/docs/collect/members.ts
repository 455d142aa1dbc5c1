import { constraintsText } from "../../diff/type-text.js";
import type { Constraints, Doc, TypeExpression } from "../../model/schema-model.js";
import type { ConstrainedType, EffectiveShape, Shapes } from "../../model/shape.js";

export interface MemberRow {
  /**
   * The names from the declaration down to the member. `[]` stands for an array's elements, and `[key]` for unnamed
   * members.
   */
  readonly path: readonly string[];
  readonly optional: boolean;
  readonly types: readonly ConstrainedType[];
  readonly doc?: Doc;
  /** The declaration that states the member, if the member is inherited. */
  readonly inheritedFrom?: string;
}

/** The path step that stands for members without names. */
export const ANY_KEY = "[key]";
const ITEMS = "[]";

/**
 * Returns the members of a declared object: its own members before inherited ones, with `_meta` and unnamed members
 * last. Empty for other types.
 */
export function memberRows(name: string, shapes: Shapes): readonly MemberRow[] {
  const shape = shapes.named(name);
  if (!shape) return [];
  const rows = rowsOf(shape, name, [], shapes);
  // Readers first look for the members that the declaration itself states.
  const bases = new Set(
    rows.flatMap(({ inheritedFrom, path }) => (inheritedFrom === undefined ? [] : path[0]!)),
  );
  const isInherited = ({ path }: MemberRow): boolean => bases.has(path[0]!);
  const isGeneral = ({ path }: MemberRow): boolean => path[0] === "_meta" || path[0] === ANY_KEY;
  const rank = (row: MemberRow): number => (isGeneral(row) ? 2 : Number(isInherited(row)));
  return rows.toSorted((one, other) => rank(one) - rank(other));
}

function rowsOf(
  { members, indexes }: EffectiveShape,
  owner: string,
  path: readonly string[],
  shapes: Shapes,
): readonly MemberRow[] {
  const rows = [...members.values()].flatMap((member): readonly MemberRow[] => {
    const at = [...path, member.name];
    const { optional, types, from, doc } = member;
    const isInherited = path.length === 0 && from !== "" && from !== owner;
    return [
      {
        path: at,
        optional,
        types,
        ...(doc && { doc }),
        ...(isInherited && { inheritedFrom: from }),
      },
      ...types.flatMap(({ type }) => inner(type, at, shapes)),
    ];
  });
  const others = indexes.flatMap(({ type, doc }): readonly MemberRow[] => {
    const at = [...path, ANY_KEY];
    return [
      { path: at, optional: true, types: [{ type }], ...(doc && { doc }) },
      ...inner(type, at, shapes),
    ];
  });
  return [...rows, ...others];
}

/** Returns the members of an object that a type states inline, including one inside an array or a union. */
function inner(
  type: TypeExpression,
  path: readonly string[],
  shapes: Shapes,
): readonly MemberRow[] {
  if (type.kind === "array") return inner(type.element, [...path, ITEMS], shapes);
  if (type.kind === "union") return type.members.flatMap((one) => inner(one, path, shapes));
  if (type.kind !== "object") return [];
  const shape = shapes.of(type);
  const isOpen = shape?.members.size === 0;
  return shape && !isOpen ? rowsOf(shape, "", path, shapes) : [];
}

/** Returns a member's path as text, such as `sampling.tools` or `content[].text`. */
export function pathText(path: readonly string[]): string {
  return path.join(".").replaceAll(`.${ITEMS}`, ITEMS).replaceAll(`.${ANY_KEY}`, ANY_KEY);
}

/** Describes a value's limits in words: `minimum 0, maximum 1`. */
export function limitsText(constraints: Constraints | undefined): string {
  const { number, ...others } = constraints ?? {};
  const kind = number === undefined ? [] : [number === "number" ? "fractions allowed" : "integers"];
  const limits = constraintsText(others).trim().replace(/^@/, "").split(" @").filter(Boolean);
  return [...kind, ...limits].join(", ");
}

export function tagText(doc: Doc | undefined, name: string): string | undefined {
  return doc?.tags.find((tag) => tag.name === name)?.text.trim();
}
