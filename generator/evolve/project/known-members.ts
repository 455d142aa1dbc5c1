import type { Protocol } from "../../link/protocol.js";
import { type EffectiveShape, Shapes } from "../../model/shape.js";

/** Where a member is declared: `Result.resultType`, under neutral names. */
type DeclaredAt = string;

/**
 * All members that any revision gives an object, by place: the neutral name of its type, or `Type.member` for an inline
 * object.
 */
export type KnownMembers = ReadonlyMap<string, ReadonlyMap<string, DeclaredAt>>;

/** @param names - for each protocol, from its type names to the neutral ones */
export function knownMembers(
  protocols: readonly Protocol[],
  names: readonly ReadonlyMap<string, string>[],
): KnownMembers {
  const known = new Map<string, Map<string, DeclaredAt>>();
  for (const [index, { declarations }] of [...protocols.entries()].toReversed()) {
    const collector = new Collector(known, new Shapes(declarations), names[index]!);
    for (const { name } of declarations) collector.named(name);
  }
  return known;
}

class Collector {
  readonly #known: Map<string, Map<string, DeclaredAt>>;
  readonly #shapes: Shapes;
  readonly #names: ReadonlyMap<string, string>;

  constructor(
    known: Map<string, Map<string, DeclaredAt>>,
    shapes: Shapes,
    names: ReadonlyMap<string, string>,
  ) {
    this.#known = known;
    this.#shapes = shapes;
    this.#names = names;
  }

  named(name: string): void {
    const shape = this.#shapes.named(name);
    if (shape) this.#collect(this.#neutral(name), shape);
  }

  #collect(place: string, { members }: EffectiveShape): void {
    const known = this.#known.get(place) ?? new Map<string, DeclaredAt>();
    this.#known.set(place, known);
    for (const { name, from, types } of members.values()) {
      const at = `${from === "" ? place : this.#neutral(from)}.${name}`;
      if (!known.has(name)) known.set(name, at);
      const inline = types.find(({ type }) => type.kind === "object");
      const shape = inline && this.#shapes.of(inline.type);
      if (shape) this.#collect(at, shape);
    }
  }

  #neutral(name: string): string {
    return this.#names.get(name) ?? name;
  }
}
