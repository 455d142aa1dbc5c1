import { ts } from "ts-morph";
import { readConstants } from "./constants.js";
import type { Context } from "./context.js";
import { readConstrainingDoc, readDoc } from "./doc.js";
import { checkExported } from "./exported.js";
import { readImport } from "./resolve-imports.js";
import { readShape } from "./members.js";
import type { Declaration, Import } from "./schema-model.js";
import { readHeritage, readType } from "./types.js";
import { refuseStatement } from "./unsupported.js";

export interface Statements {
  readonly declarations: readonly Declaration[];
  readonly imports: readonly Import[];
}

export function readStatements(context: Context): Statements {
  const declarations: Declaration[] = [];
  const imports: Import[] = [];
  for (const statement of context.sourceFile.statements) {
    if (ts.isImportDeclaration(statement)) imports.push(...readImport(statement, context));
    else declarations.push(...readDeclarations(statement, context));
  }
  return { declarations, imports };
}

function readDeclarations(statement: ts.Statement, context: Context): readonly Declaration[] {
  if (ts.isInterfaceDeclaration(statement)) return [readInterface(statement, context)];
  if (ts.isTypeAliasDeclaration(statement)) return [readAlias(statement, context)];
  if (ts.isVariableStatement(statement)) return readConstants(statement, context);
  if (!ts.isEmptyStatement(statement)) refuseStatement(statement, context);
  return [];
}

function readInterface(node: ts.InterfaceDeclaration, context: Context): Declaration {
  checkExported(node, context);
  checkNotGeneric(node, context);
  const heritage = readBases(node, context);
  return {
    kind: "interface",
    name: node.name.text,
    extends: heritage.flatMap((base) => readHeritage(base, context) ?? []),
    ...readShape(node, context),
    ...readDoc(node, context),
    ...context.section(node),
    span: context.span(node),
  };
}

function readBases(
  node: ts.InterfaceDeclaration,
  context: Context,
): readonly ts.ExpressionWithTypeArguments[] {
  const [clause, ...others] = node.heritageClauses ?? [];
  if (!clause) return [];
  const isPlain = clause.token === ts.SyntaxKind.ExtendsKeyword && clause.types.length > 0;
  if (isPlain && others.length === 0) return clause.types;
  context.refuse(
    node,
    "MCG2026",
    `\`${node.name.text}\` does not say plainly what it extends.`,
    "Write one `extends` with the names of the bases, or none.",
  );
  return [];
}

function readAlias(node: ts.TypeAliasDeclaration, context: Context): Declaration {
  checkExported(node, context);
  checkNotGeneric(node, context);
  const type = readType(node.type, context);
  return {
    kind: "alias",
    name: node.name.text,
    type,
    ...readConstrainingDoc(node, type, context),
    ...context.section(node),
    span: context.span(node),
  };
}

function checkNotGeneric(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
  context: Context,
): void {
  if (!node.typeParameters) return;
  for (const { name } of node.typeParameters) context.refused.add(name.text);
  context.refuse(
    node.typeParameters[0] ?? node.name,
    "MCG2024",
    `\`${node.name.text}\` cannot be generic.`,
    "Declare one type for each use; a schema has no generics.",
  );
}
