import type {
  Declaration,
  InterfaceDeclaration,
  Member,
  ObjectShape,
  TypeExpression,
} from "../../model/schema-model.js";
import { type EffectiveMember, type EffectiveShape, Shapes } from "../../model/shape.js";

/** A member of a newest definition, with all its declarations: the one in the type itself and those in its bases. */
interface Stated {
  readonly type: TypeExpression;
  readonly places: readonly Member[];
}

/** Compares the newest definitions with older ones, and collects the changes that are needed to accept both. */
export class Comparison {
  /** The members that an older revision does not require. */
  readonly optional = new Set<Member>();
  /** The members that only older revisions have, by the object that lacks them. */
  readonly added = new Map<ObjectShape, Map<string, Member>>();
  readonly #newest: ReadonlyMap<string, Declaration>;
  readonly #shapes: Shapes;
  readonly #seen = new Map<object, Set<object>>();

  constructor(newest: ReadonlyMap<string, Declaration>) {
    this.#newest = newest;
    this.#shapes = new Shapes(newest.values());
  }

  interfaces(now: InterfaceDeclaration, then: Shapes): void {
    const shape = then.named(now.name);
    if (shape) this.#objects(now, this.#stated(now), shape, then, now);
  }

  #objects(
    now: ObjectShape,
    members: ReadonlyMap<string, Stated>,
    shape: EffectiveShape,
    then: Shapes,
    lacking: ObjectShape | undefined,
  ): void {
    for (const [name, { type, places }] of members) {
      const older = shape.members.get(name);
      if (!older || older.optional) for (const place of places) this.optional.add(place);
      if (older) this.#types(type, older.types[0]!.type, then);
    }
    if (!lacking) return;
    for (const [name, older] of shape.members) {
      if (!members.has(name) && !isPinned(older, now, then)) this.#add(lacking, older);
    }
  }

  /**
   * Compares types. Descends only into objects that have no name in the older revision, because declared types are
   * compared by name.
   */
  #types(now: TypeExpression, older: TypeExpression, then: Shapes): void {
    if (now.kind === "array" && older.kind === "array") {
      this.#types(now.element, older.element, then);
    }
    const shape = then.of(older);
    if (!shape || this.#isSeen(now, older)) return;
    if (now.kind === "object") {
      const members = now.members.map((place) => [place.name, stated(place)] as const);
      this.#objects(now, new Map(members), shape, then, now);
    } else if (now.kind === "reference" && !then.declaration(now.name)) {
      const declaration = this.#newest.get(now.name);
      if (declaration?.kind !== "interface") return;
      this.#objects(declaration, this.#stated(declaration), shape, then, undefined);
    }
  }

  #stated(declaration: InterfaceDeclaration): Map<string, Stated> {
    const members = new Map<string, Stated>();
    for (const base of declaration.extends) {
      const inherited = base.kind === "reference" ? this.#newest.get(base.name) : undefined;
      if (inherited?.kind !== "interface") continue;
      for (const [name, member] of this.#stated(inherited)) members.set(name, member);
    }
    for (const place of declaration.members) {
      const places = [...(members.get(place.name)?.places ?? []), place];
      members.set(place.name, { type: place.type, places });
    }
    const all = this.#shapes.named(declaration.name)?.members ?? new Map<string, EffectiveMember>();
    for (const [name, { types }] of all) {
      if (!members.has(name)) members.set(name, { type: types[0]!.type, places: [] });
    }
    return members;
  }

  #add(shape: ObjectShape, { name, types, doc }: EffectiveMember): void {
    const [{ type: own, constraints }] = types as [(typeof types)[number]];
    const type = shape.index ? withoutObjects(own) : own;
    const added = this.added.get(shape) ?? new Map<string, Member>();
    this.added.set(shape, added);
    if (added.has(name)) return;
    const facts = { ...(constraints && { constraints }), ...(doc && { doc }) };
    added.set(name, { name, optional: true, type, ...facts, span: type.span });
  }

  #isSeen(now: object, older: object): boolean {
    const seen = this.#seen.get(now) ?? new Set();
    this.#seen.set(now, seen);
    if (seen.has(older)) return true;
    seen.add(older);
    return false;
  }
}

/**
 * Replaces `object` with `unknown`, even as the type of a map's values, because an open object may have any members.
 */
function withoutObjects(type: TypeExpression): TypeExpression {
  const { span } = type;
  if (type.kind === "keyword" && type.name === "object") {
    return { kind: "keyword", name: "unknown", span };
  }
  if (type.kind !== "object" || !type.index) return type;
  return { ...type, index: { ...type.index, type: withoutObjects(type.index.type) } };
}

function stated(place: Member): Stated {
  return { type: place.type, places: [place] };
}

/**
 * Returns true for a removed member that had a single possible value, if the object now accepts any members. In that
 * object, the member may have any value.
 */
function isPinned(older: EffectiveMember, now: ObjectShape, then: Shapes): boolean {
  return now.index !== undefined && then.memberLiteral(older) !== undefined;
}
