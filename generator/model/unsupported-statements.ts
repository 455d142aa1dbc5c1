import { ts } from "ts-morph";
import type { Context } from "./context.js";

/** Rejects a statement that declares neither a type nor a constant. */
export function refuseStatement(node: ts.Statement, context: Context): void {
  const { name } = node as { name?: ts.Node };
  if (name && ts.isIdentifier(name)) context.refused.add(name.text);
  const { code, message, hint } = describe(node, context);
  context.refuse(name ?? node, code, message, hint);
}

function describe(node: ts.Statement, context: Context) {
  switch (node.kind) {
    case ts.SyntaxKind.EnumDeclaration:
      return {
        code: "MCG2011",
        message: "A schema cannot declare an enum.",
        hint: 'Write a union of literals: `type Color = "red" | "green"`.',
      };
    case ts.SyntaxKind.ModuleDeclaration:
      return {
        code: "MCG2012",
        message: "A schema cannot declare a namespace or module.",
        hint: "Declare its types at the top level.",
      };
    case ts.SyntaxKind.ExportAssignment:
      return {
        code: "MCG2013",
        message: "A schema has no default export.",
        hint: "Export every declaration by its name.",
      };
    case ts.SyntaxKind.ExportDeclaration:
      return {
        code: "MCG2014",
        message: "A schema cannot export what is declared elsewhere.",
        hint: "Write `export` before each declaration.",
      };
    case ts.SyntaxKind.ImportEqualsDeclaration:
      return {
        code: "MCG2015",
        message: `A schema cannot import by \`${context.quote(node)}\`.`,
        hint: 'Write `import type { Name } from "…"`.',
      };
    default:
      return {
        code: "MCG2010",
        message: `A schema cannot contain \`${context.quote(node)}\`.`,
        hint: "Only interfaces, type aliases and constants are read; nothing is executed.",
      };
  }
}
