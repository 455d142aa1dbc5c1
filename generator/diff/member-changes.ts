import type { TypeExpression } from "../model/schema-model.js";
import type { EffectiveMember, EffectiveShape, Shapes } from "../model/shape.js";
import type { MemberChange, MemberChangeDetail } from "./protocol-diff.js";
import { constraintsText, kindText, memberText, typeText } from "./type-text.js";
import { WireComparison } from "./wire-comparison.js";

/** The step in a member's path that stands for an index signature. */
export const INDEX = "[*]";

export class MemberComparison {
  readonly #before: Shapes;
  readonly #after: Shapes;
  readonly #wire: WireComparison;

  constructor(before: Shapes, after: Shapes) {
    this.#before = before;
    this.#after = after;
    this.#wire = new WireComparison(before, after);
  }

  changes(name: string, newName: string = name): MemberChange[] {
    const changes: MemberChange[] = [];
    const report: Report = (path, detail) => changes.push({ type: newName, path, ...detail });
    const [before, after] = [this.#before.named(name), this.#after.named(newName)];
    if (before && after)
      this.#shapes([], { name, shape: before }, { name: newName, shape: after }, report);
    else this.#aliases(name, newName, report);
    return changes;
  }

  #aliases(name: string, newName: string, report: Report): void {
    const [before, after] = [this.#before.declaration(name), this.#after.declaration(newName)];
    if (before?.kind !== "alias" || after?.kind !== "alias") return;
    this.#types([], before, after, report);
  }

  #shapes(path: readonly string[], before: Named, after: Named, report: Report): void {
    for (const [name, member] of before.shape.members) {
      const other = after.shape.members.get(name);
      const at = [...path, name];
      if (other) {
        if (!isInheritedAlike(member, other, before.name)) this.#members(at, member, other, report);
      } else if (!ancestors(after.name, this.#after).has(member.from)) {
        report(at, { change: "removed", ...presence(member, before.name) });
      }
    }
    for (const [name, member] of after.shape.members) {
      if (before.shape.members.has(name)) continue;
      if (ancestors(before.name, this.#before).has(member.from)) continue;
      report([...path, name], { change: "added", ...presence(member, after.name) });
    }
    this.#indexes([...path, INDEX], before.shape, after.shape, report);
  }

  #members(
    path: readonly string[],
    before: EffectiveMember,
    after: EffectiveMember,
    report: Report,
  ): void {
    if (before.optional !== after.optional) {
      report(path, { change: after.optional ? "optional" : "required" });
    }
    if (before.types.length === 1 && after.types.length === 1) {
      this.#types(path, before.types[0]!, after.types[0]!, report);
    } else if (memberText(before) !== memberText(after)) {
      const [from, to] = [memberText(before), memberText(after)];
      report(path, { change: "type", from, to, ...NO_ARMS, sameWire: false });
    }
  }

  #types(
    path: readonly string[],
    before: EffectiveMember["types"][number],
    after: EffectiveMember["types"][number],
    report: Report,
  ): void {
    const [oldLimits, newLimits] = [before, after].map((one) =>
      constraintsText(one.constraints).trim(),
    );
    if (oldLimits !== newLimits) {
      report(path, { change: "constraints", from: oldLimits!, to: newLimits! });
    }
    if (isSameText(before.type, after.type)) return;
    if (this.#goInto(path, before.type, after.type, report)) return;
    report(path, {
      change: "type",
      ...this.#texts(before.type, after.type),
      from: kindText(before),
      to: kindText(after),
      sameWire: this.#wire.same(before, after),
    });
  }

  /**
   * Compares an inline object member by member, even if it has become a declared type. Returns false if the caller
   * has to compare the types in another way.
   */
  #goInto(
    path: readonly string[],
    before: TypeExpression,
    after: TypeExpression,
    report: Report,
  ): boolean {
    if (!isInline(before)) return false;
    const [shape, other] = [this.#before.of(before), this.#after.of(after)];
    if (!shape || !other) return false;
    let found = isInline(after) || shape.members.size > 0;
    this.#shapes(path, { name: "", shape }, { name: "", shape: other }, (at, detail) => {
      found = true;
      report(at, detail);
    });
    return found;
  }

  #texts(before: TypeExpression, after: TypeExpression) {
    const flat = armChanges(flatArmTexts(before, this.#before), flatArmTexts(after, this.#after));
    const written = armChanges(armTexts(before), armTexts(after));
    return { from: typeText(before), to: typeText(after), ...written, flat };
  }

  #indexes(
    path: readonly string[],
    before: EffectiveShape,
    after: EffectiveShape,
    report: Report,
  ): void {
    const [old, now] = [before.indexes[0]?.type, after.indexes[0]?.type];
    if (old && now) {
      if (isSameText(old, now)) return;
      const sameWire = this.#wire.same({ type: old }, { type: now });
      report(path, { change: "index", ...this.#texts(old, now), sameWire });
    } else if (old || now) {
      const [from, to] = [old, now].map((type) => (type ? typeText(type) : "(none)"));
      const only = (old ?? now)!;
      const sameWire = only.kind === "keyword" && (only.name === "unknown" || only.name === "any");
      report(path, { change: "index", from: from!, to: to!, ...NO_ARMS, sameWire });
    }
  }
}

type Report = (path: readonly string[], detail: MemberChangeDetail) => void;

interface Named {
  /** The declaration's name; empty for an inline object. */
  readonly name: string;
  readonly shape: EffectiveShape;
}

/**
 * Returns true if both revisions inherit the member from the same base, in which case the change is reported only for
 * the base.
 */
function isInheritedAlike(before: EffectiveMember, after: EffectiveMember, name: string): boolean {
  return before.from !== "" && before.from !== name && before.from === after.from;
}

function ancestors(name: string, shapes: Shapes): ReadonlySet<string> {
  const found = new Set<string>();
  const open = basesOf(name, shapes);
  for (let type = open.pop(); type; type = open.pop()) {
    if (type.kind === "omit") open.push(type.base);
    if (type.kind === "intersection") open.push(...type.members);
    if (type.kind !== "reference" || found.has(type.name)) continue;
    found.add(type.name);
    open.push(...basesOf(type.name, shapes));
  }
  return found;
}

function basesOf(name: string, shapes: Shapes): TypeExpression[] {
  const declaration = shapes.declaration(name);
  if (declaration?.kind === "interface") return [...declaration.extends];
  return declaration?.kind === "alias" ? [declaration.type] : [];
}

function presence(
  member: EffectiveMember,
  name: string,
): { optional: boolean; text: string; inheritedFrom?: string } {
  const { optional, from } = member;
  const inherited = name !== "" && from !== "" && from !== name;
  return { optional, text: memberText(member), ...(inherited && { inheritedFrom: from }) };
}

function isInline(type: TypeExpression): boolean {
  return type.kind === "object" || type.kind === "record";
}

function isSameText(before: TypeExpression, after: TypeExpression): boolean {
  if (typeText(before) === typeText(after)) return true;
  const { added, removed } = armChanges(armTexts(before), armTexts(after));
  return before.kind === "union" && after.kind === "union" && added.length + removed.length === 0;
}

interface Arms {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const NO_ARMS: Arms & { readonly flat: Arms } = {
  added: [],
  removed: [],
  flat: { added: [], removed: [] },
};

function armChanges(before: readonly string[], after: readonly string[]): Arms {
  if (before.length < 2 && after.length < 2) return NO_ARMS;
  return {
    added: after.filter((arm) => !before.includes(arm)),
    removed: before.filter((arm) => !after.includes(arm)),
  };
}

function armTexts(type: TypeExpression): string[] {
  if (type.kind === "array") return armTexts(type.element);
  return type.kind === "union" ? type.members.map(typeText) : [typeText(type)];
}

function flatArmTexts(type: TypeExpression, shapes: Shapes): string[] {
  if (type.kind === "array") return flatArmTexts(type.element, shapes);
  return shapes.arms(type).map(typeText);
}
