import { ts } from "ts-morph";
import type { Context } from "./context.js";
import type { Import } from "./schema-model.js";

/** Reads `import type { Name as Local } from "…";`. */
export function readImport(node: ts.ImportDeclaration, context: Context): readonly Import[] {
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  if (clause) noteRefused(clause, context);
  const plain =
    clause?.phaseModifier === ts.SyntaxKind.TypeKeyword && !clause.name && !node.attributes;
  if (!plain || !bindings || !ts.isNamedImports(bindings)) {
    context.refuse(
      node,
      "MCG2015",
      `A schema cannot import by \`${context.quote(node)}\`.`,
      'Write `import type { Name } from "…"`.',
    );
    return [];
  }
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  return bindings.elements.map((element) => ({
    name: (element.propertyName ?? element.name).text,
    as: element.name.text,
    from,
    span: context.span(element),
  }));
}

/** Records imported names as refused until a model is found for them. */
function noteRefused(clause: ts.ImportClause, context: Context): void {
  if (clause.name) context.refused.add(clause.name.text);
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) context.refused.add(bindings.name.text);
  else for (const { name } of bindings.elements) context.refused.add(name.text);
}
