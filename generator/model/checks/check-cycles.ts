import type { Context } from "../context.js";
import { MAX_CHAIN, MAX_PARTS } from "../limits.js";
import type { Declaration, TypeExpression } from "../schema-model.js";

interface Visit {
  readonly declaration: Declaration;
  readonly next: Iterator<string | undefined>;
  open: boolean;
  sound: boolean;
  /** The length of the longest chain of declarations that starts here. */
  height: number;
  /** The number of members or alternatives, including inherited ones. */
  parts: number;
}

/**
 * Rejects declarations that are defined only in terms of themselves, and returns the names of those that can be fully
 * evaluated. The function is not recursive, because chains may be long.
 */
export function checkCycles(
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): ReadonlySet<string> {
  const visits = new Map<string, Visit>();
  const enter = (declaration: Declaration): Visit => {
    const next = basis(declaration, declarations, context);
    const parts = ownParts(declaration);
    const visit = { declaration, next, open: true, sound: true, height: 1, parts };
    visits.set(declaration.name, visit);
    return visit;
  };
  for (const declaration of declarations.values()) {
    if (visits.has(declaration.name)) continue;
    const stack = [enter(declaration)];
    while (stack.length > 0) {
      const current = stack.at(-1)!;
      const { value: name, done } = current.next.next();
      if (done) {
        leave(stack, context);
        continue;
      }
      const target = name === undefined ? undefined : declarations.get(name);
      const visited = target && visits.get(target.name);
      if (!target) current.sound = false;
      else if (!visited) stack.push(enter(target));
      else if (visited.open) {
        current.sound = false;
        refuseCycle(visited.declaration, context);
      } else rest(current, visited);
    }
  }
  return new Set([...visits].flatMap(([name, { sound }]) => (sound ? [name] : [])));
}

function leave(stack: Visit[], context: Context): void {
  const visit = stack.pop()!;
  visit.open = false;
  if (visit.height === MAX_CHAIN + 1) {
    context.refuse(
      visit.declaration.span,
      "MCG2076",
      `\`${visit.declaration.name}\` builds on more than ${MAX_CHAIN} declarations, one upon another.`,
      "Shorten the chain of bases and aliases.",
    );
  }
  if (visit.height > MAX_CHAIN) visit.sound = false;
  if (visit.parts > MAX_PARTS) {
    visit.sound = false;
    context.refuse(
      visit.declaration.span,
      "MCG2004",
      `\`${visit.declaration.name}\` has more than ${MAX_PARTS} parts, those of what it builds on included.`,
      "Split it into several named types.",
    );
  }
  const parent = stack.at(-1);
  if (parent) rest(parent, visit);
}

function rest(upper: Visit, lower: Visit): void {
  upper.height = Math.max(upper.height, lower.height + 1);
  upper.sound &&= lower.sound;
  if (lower.sound) upper.parts += lower.parts;
}

function refuseCycle({ kind, name, span }: Declaration, context: Context): void {
  const heritage = kind === "interface";
  context.refuse(
    span,
    heritage ? "MCG2072" : "MCG2071",
    heritage ? `\`${name}\` extends itself.` : `\`${name}\` is defined by nothing but itself.`,
    "Break the circle; a type may contain itself only as a member or an array element.",
  );
}

/** Yields the names that must be known to evaluate a declaration, or undefined for a rejected part. */
function* basis(
  declaration: Declaration,
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): Generator<string | undefined> {
  if (declaration.kind === "const") return;
  const types = declaration.kind === "alias" ? [declaration.type] : declaration.extends;
  for (const type of types) {
    for (const { leaf, lazy } of leaves(type, false)) {
      if (leaf.kind !== "reference") {
        if (context.standIns.has(leaf)) yield undefined;
      } else if (!lazy || declarations.get(leaf.name)?.kind !== "interface") yield leaf.name;
    }
  }
}

function ownParts(declaration: Declaration): number {
  if (declaration.kind === "const") return 0;
  if (declaration.kind === "interface") return declaration.members.length;
  let parts = 0;
  for (const { leaf } of leaves(declaration.type, false)) {
    parts += leaf.kind === "object" ? leaf.members.length : 1;
  }
  return parts;
}

interface Leaf {
  readonly leaf: TypeExpression;
  /**
   * True if an interface need not be known yet, because the type is in an alternative of a union or in the value of a
   * map.
   */
  readonly lazy: boolean;
}

/** Yields the parts of a type that are needed in order to evaluate it. Members and elements can be evaluated later. */
export function* leaves(type: TypeExpression, lazy: boolean): Generator<Leaf> {
  switch (type.kind) {
    case "union":
      for (const member of type.members) yield* leaves(member, true);
      break;
    case "record":
      yield* leaves(type.value, true);
      break;
    case "intersection":
      for (const member of type.members) yield* leaves(member, lazy);
      break;
    case "omit":
      yield* leaves(type.base, lazy);
      break;
    default:
      yield { leaf: type, lazy };
  }
}
