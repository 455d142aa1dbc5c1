import { renames } from "../diff/changes.js";
import type { Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import { Shapes } from "../model/shape.js";
import { kindOf } from "./kind.js";

/** Maps type names to the types' names in the next revision. Types without a successor are missing. */
export type Step = ReadonlyMap<string, string>;

/**
 * Maps each type to its successor in the next revision: the one that the facts state or, without such a fact, the
 * type with the same name or a new type that is the same on the wire.
 */
export function stepInto(before: Protocol, after: Protocol): Step {
  const [old, now] = [new Shapes(before.declarations), new Shapes(after.declarations)];
  const stated = new Map((after.successors ?? []).map(({ from, to }) => [from, to]));
  const step = new Map<string, string>();
  for (const declaration of before.declarations) {
    const { name } = declaration;
    const next = stated.get(name) ?? name;
    const isStated = next !== name;
    if (isStated ? isContinuation(declaration, next, old, now) : now.declaration(name)) {
      step.set(name, next);
    }
  }
  const gone = before.declarations.filter(({ name }) => !step.has(name) && !stated.has(name));
  const come = after.declarations.filter(({ name }) => !old.declaration(name));
  for (const { from, to } of renames(old, now, namesOf(gone), namesOf(come))) step.set(from, to);
  return step;
}

function namesOf(declarations: readonly Declaration[]): string[] {
  return declarations.map(({ name }) => name);
}

/**
 * Returns true if a successor continues a type. A successor that is of a different kind, or has no member in common
 * with the type, merely replaces it.
 */
function isContinuation(
  declaration: Declaration,
  successor: string,
  old: Shapes,
  now: Shapes,
): boolean {
  const other = now.declaration(successor);
  if (!other || kindOf(declaration, old) !== kindOf(other, now)) return false;
  const [shape, next] = [old.named(declaration.name), now.named(successor)];
  if (!shape || !next) return true;
  return [...shape.members.keys()].some((name) => next.members.has(name));
}
