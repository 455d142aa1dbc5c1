import { canonicalMember, canonicalType } from "../canonical.js";
import type { Context } from "../context.js";
import type { InterfaceDeclaration } from "../schema-model.js";
import type { EffectiveShape } from "../shape.js";
import type { Scope } from "./scope.js";

export function checkHeritage(
  declaration: InterfaceDeclaration,
  scope: Scope,
  context: Context,
): void {
  const bases: EffectiveShape[] = [];
  for (const base of declaration.extends) {
    if (!scope.sound(base)) continue;
    const shape = scope.shapes.of(base);
    if (shape) bases.push(shape);
    else {
      context.refuse(
        base.span,
        "MCG2073",
        `\`${declaration.name}\` extends a type that is not an object type.`,
        "Extend an interface, an alias of one object type, a `Record` or an `Omit`.",
      );
    }
  }
  if (bases.length > 1) checkAgreement(declaration, bases, scope, context);
}

function checkAgreement(
  declaration: InterfaceDeclaration,
  bases: readonly EffectiveShape[],
  scope: Scope,
  context: Context,
): void {
  const restated = new Set(declaration.members.map(({ name }) => name));
  const stated = new Map<string, string>();
  for (const base of bases) {
    for (const member of base.members.values()) {
      if (restated.has(member.name)) continue;
      const text = canonicalMember(member, scope.declarations);
      const previous = stated.get(member.name) ?? text;
      stated.set(member.name, text);
      if (previous !== text) refuseDisagreement(declaration, `\`${member.name}\``, context);
    }
  }
  const indexes = bases.flatMap((base) =>
    base.indexes.map(({ type }) => canonicalType(type, scope.declarations)),
  );
  if (!declaration.index && new Set(indexes).size > 1) {
    refuseDisagreement(declaration, "the index signature", context);
  }
}

function refuseDisagreement(
  declaration: InterfaceDeclaration,
  what: string,
  context: Context,
): void {
  context.refuse(
    declaration.span,
    "MCG2074",
    `The bases of \`${declaration.name}\` disagree about ${what}.`,
    `Declare it again in \`${declaration.name}\`, to state which one applies.`,
  );
}
