import type { Protocol } from "../../link/protocol.js";
import type { Declaration } from "../../model/schema-model.js";
import type { Shapes } from "../../model/shape.js";
import type { Check } from "./check.js";
import { Lowering } from "./lower.js";

type Source = Pick<Protocol, "declarations" | "synthesized" | "formats">;

export interface Subjects {
  /**
   * The checks of the exported validators, in source order. An interface that adds nothing to its base uses the base's
   * check.
   */
  readonly exported: ReadonlyMap<string, Check>;
  /** The checks that have a name only because they are recursive. */
  readonly hidden: ReadonlyMap<string, Check>;
  /** All checks, including formats, for descriptions and content tests. */
  readonly described: ReadonlyMap<string, Check>;
  /** The exported names of types that the schema declares inline. */
  readonly inline: ReadonlySet<string>;
}

export function subjects(protocol: Source, shapes: Shapes): Subjects {
  const found = checksOf(protocol, new Lowering(shapes));
  const described = checksOf(protocol, new Lowering(shapes, protocol.formats ?? []));
  return { ...found, described: new Map([...described.exported, ...described.hidden]) };
}

function checksOf(
  { declarations, synthesized }: Source,
  lowering: Lowering,
): Omit<Subjects, "described"> {
  const checks = new Map<string, Check>();
  for (const declaration of declarations) {
    if (declaration.kind === "const") continue;
    checks.set(declaration.name, lowering.declaration(declaration));
    for (const { name, owner, member } of synthesized) {
      if (owner === declaration.name) checks.set(name, lowering.member(owner, member)!);
    }
  }
  const text = new Map([...checks].map(([name, check]) => [name, JSON.stringify(check)]));
  for (const declaration of declarations) {
    const base = basesOf(declaration).find((name) => text.get(name) === text.get(declaration.name));
    if (base !== undefined) checks.set(declaration.name, { kind: "call", name: base });
  }
  const inline = new Set(synthesized.map(({ name }) => name));
  return { exported: checks, hidden: lowering.hidden, inline };
}

function basesOf(declaration: Declaration): string[] {
  if (declaration.kind !== "interface") return [];
  return declaration.extends.flatMap((base) => (base.kind === "reference" ? [base.name] : []));
}
