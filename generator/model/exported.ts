import { ts } from "ts-morph";
import type { Context } from "./context.js";

export function checkExported(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableStatement,
  context: Context,
): void {
  const modifiers = node.modifiers ?? [];
  const standard = modifiers.find(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  if (standard) {
    context.refuse(
      standard,
      "MCG2013",
      "A schema has no default export.",
      "Export every declaration by its name.",
    );
  }
  const other = modifiers.find(
    ({ kind }) => kind !== ts.SyntaxKind.ExportKeyword && kind !== ts.SyntaxKind.DefaultKeyword,
  );
  if (other) {
    context.refuse(
      other,
      "MCG2021",
      `A declaration cannot be \`${context.quote(other)}\`.`,
      "Remove everything but `export`.",
    );
  }
  if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return;
  context.refuse(
    ts.isVariableStatement(node) ? node.declarationList : node.name,
    "MCG2020",
    "Every declaration of a schema must be exported.",
    "Write `export` before it, or remove it; generated code exports every name.",
  );
}
