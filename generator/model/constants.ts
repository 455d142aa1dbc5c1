import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { readDoc } from "./doc.js";
import { checkExported } from "./exported.js";
import { literalValue } from "./literals.js";
import type { ConstDeclaration, TypeExpression } from "./schema-model.js";
import { readType } from "./types.js";

export function readConstants(
  statement: ts.VariableStatement,
  context: Context,
): readonly ConstDeclaration[] {
  checkExported(statement, context);
  const list = statement.declarationList;
  if ((list.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Const) {
    context.refuse(
      list,
      "MCG2030",
      "A schema cannot declare a variable.",
      "Declare a constant: `export const NAME = …`.",
    );
  }
  const shared = { ...readDoc(statement, context), ...context.section(statement) };
  return list.declarations.flatMap((declaration, index) => {
    const constant = readConstant(declaration, context);
    if (!constant) return [];
    return [{ ...constant, ...shared, span: context.span(index === 0 ? statement : declaration) }];
  });
}

function readConstant(
  node: ts.VariableDeclaration,
  context: Context,
): Pick<ConstDeclaration, "kind" | "name" | "value"> | undefined {
  const value = node.initializer && literalValue(node.initializer, context);
  checkAnnotation(node, value, context);
  if (ts.isIdentifier(node.name) && (typeof value === "string" || typeof value === "number")) {
    return { kind: "const", name: node.name.text, value };
  }
  if (ts.isIdentifier(node.name)) context.refused.add(node.name.text);
  context.refuse(
    node.initializer ?? node.name,
    "MCG2032",
    `\`${context.quote(node.name)}\` has no literal value.`,
    "Write a string in quotes or a number; nothing is evaluated.",
  );
  return undefined;
}

/** Checks that a type annotation only repeats the constant's value, such as `Ask["method"]`. */
function checkAnnotation(
  { type, exclamationToken }: ts.VariableDeclaration,
  value: string | number | boolean | undefined,
  context: Context,
): void {
  const annotation = type ?? exclamationToken;
  if (!annotation) return;
  const stated = type && ts.isIndexedAccessTypeNode(type) ? readType(type, context) : undefined;
  if (stated && (context.standIns.has(stated) || isLiteral(stated, value))) return;
  context.refuse(
    annotation,
    "MCG2031",
    "A constant cannot have a type annotation other than the member type that has its value.",
    "Remove it, so that `typeof` stands for the value.",
  );
}

function isLiteral(type: TypeExpression, value: unknown): boolean {
  return type.kind === "literal" && type.value === value;
}
