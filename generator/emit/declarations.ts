import type { Declaration } from "../model/schema-model.js";
import type { SynthesizedType } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { type Code, code, EMPTY, join } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { blockComment, docText, jsDoc } from "./printer/js-doc.js";
import { literal } from "./printer/literal.js";
import { objectType, typeExpression } from "./printer/type-expression.js";

/** Declarations to print, and what they amount to. */
interface DeclarationPlan {
  readonly declarations: readonly Declaration[];
  readonly synthesized: readonly SynthesizedType[];
  readonly shapes: Shapes;
}

/** Every declaration of the schema in source order, each with the names of its inline parameters. */
export function declarations(plan: DeclarationPlan): Code {
  return join(
    plan.declarations.map((declaration, index) => {
      const previous = plan.declarations[index - 1];
      const names = plan.synthesized.filter(({ owner }) => owner === declaration.name);
      return code`${sectionHeading(declaration, previous)}${jsDoc(declaration.doc)}${statement(declaration)}\n\n${names.map(
        (name) => synthesized(name, plan),
      )}`;
    }),
  );
}

function sectionHeading({ section }: Declaration, previous: Declaration | undefined): Code {
  if (section === undefined || section === previous?.section) return EMPTY;
  return code`${blockComment(section)}\n`;
}

function statement(declaration: Declaration): Code {
  const name = identifier(declaration.name);
  switch (declaration.kind) {
    case "interface": {
      const bases = join(declaration.extends.map(typeExpression), code`, `);
      const heritage = declaration.extends.length === 0 ? EMPTY : code` extends ${bases}`;
      return code`export interface ${name}${heritage} ${objectType(declaration)}`;
    }
    case "alias":
      return code`export type ${name} = ${typeExpression(declaration.type)};`;
    case "const":
      return code`export const ${name} = ${literal(declaration.value)};`;
  }
}

function synthesized(
  { name, owner, member }: SynthesizedType,
  { shapes }: Pick<DeclarationPlan, "shapes">,
): Code {
  const access = code`${identifier(owner)}[${literal(member)}]`;
  const optional = shapes.named(owner)?.members.get(member)?.optional === true;
  const type = optional ? code`NonNullable<${access}>` : access;
  return code`${docText(`Parameters of {@link ${owner}}.`)}export type ${identifier(name)} = ${type};\n\n`;
}
