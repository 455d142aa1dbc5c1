import type { Protocol } from "../link/protocol.js";
import type { AliasDeclaration, Declaration } from "../model/schema-model.js";
import { Shapes } from "../model/shape.js";

/**
 * Returns a protocol in which the types of inline parameters are declared under their assigned names, as in
 * generated code.
 */
export function withSynthesized(protocol: Protocol): Protocol {
  const shapes = new Shapes(protocol.declarations);
  const aliases = new Map<string, AliasDeclaration>();
  for (const { name, owner, member } of protocol.synthesized) {
    const types =
      shapes
        .named(owner)
        ?.members.get(member)
        ?.types.map(({ type }) => type) ?? [];
    const span = shapes.declaration(owner)?.span;
    const [first] = types;
    if (!first || !span) continue;
    const type =
      types.length > 1 ? ({ kind: "intersection", members: types, span } as const) : first;
    aliases.set(owner, { kind: "alias", name, type, span });
  }
  const declarations = protocol.declarations.flatMap((declaration): Declaration[] => {
    const alias = aliases.get(declaration.name);
    return alias ? [alias, declaration] : [declaration];
  });
  return { ...protocol, declarations };
}
