import type { Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { HeritageChange, TypeChanges, ValueChange } from "./protocol-diff.js";
import { renames } from "./changes.js";
import { typeText } from "./type-text.js";

export function typeChanges(
  before: Protocol,
  after: Protocol,
  [oldShapes, newShapes]: readonly [Shapes, Shapes],
): TypeChanges {
  const gone = missing(before.declarations, newShapes);
  const come = missing(after.declarations, oldShapes);
  const renamed = renames(oldShapes, newShapes, gone, come);
  const successors = (after.successors ?? []).filter(
    ({ from, to }) => oldShapes.declaration(from) && !oldShapes.declaration(to),
  );
  return {
    added: come.filter((name) => !renamed.some(({ to }) => to === name)),
    removed: gone.filter((name) => !renamed.some(({ from }) => from === name)),
    renamed,
    successors,
    kinds: kindChanges(before, newShapes),
  };
}

function missing(declarations: readonly Declaration[], shapes: Shapes): string[] {
  return declarations.flatMap(({ kind, name }) =>
    kind !== "const" && !shapes.declaration(name) ? [name] : [],
  );
}

function kindChanges({ declarations }: Protocol, newShapes: Shapes): ValueChange[] {
  return declarations.flatMap((declaration) => {
    const other = newShapes.declaration(declaration.name);
    if (!other || other.kind === declaration.kind) return [];
    return [{ name: declaration.name, from: kindText(declaration), to: kindText(other) }];
  });
}

function kindText(declaration: Declaration): string {
  return declaration.kind === "alias" ? `type = ${typeText(declaration.type)}` : declaration.kind;
}

export function heritageChanges(before: Protocol, newShapes: Shapes): HeritageChange[] {
  return before.declarations.flatMap((declaration) => {
    const other = newShapes.declaration(declaration.name);
    if (declaration.kind !== "interface" || other?.kind !== "interface") return [];
    const [from, to] = [declaration, other].map((one) => one.extends.map(typeText));
    const same = from!.join() === to!.join();
    return same ? [] : [{ name: declaration.name, from: from!, to: to! }];
  });
}
