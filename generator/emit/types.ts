import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { messageMaps, messageUnions } from "./messages.js";
import { type Code, code, EMPTY, identifier, join, literal } from "./printer/code.js";
import { printModule } from "./printer/module.js";
import { proseCodes } from "./package-files.js";
import type { Declaration } from "../model/schema-model.js";
import type { SynthesizedType } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { blockComment, docText, jsDoc } from "./printer/doc.js";
import { objectType, typeExpression } from "./printer/type-expression.js";

export function emitTypes(plan: RevisionPlan): OutputFile {
  const body = code`${declarations({ ...plan.protocol, shapes: plan.shapes })}${proseCodes(plan.protocol)}/* Types by method */

${messageMaps(plan)}/* Messages by side */

${messageUnions(plan)}`;
  return { path: "types.ts", text: printModule(header(plan), body) };
}

interface DeclarationPlan {
  readonly declarations: readonly Declaration[];
  readonly synthesized: readonly SynthesizedType[];
  readonly shapes: Shapes;
}

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
