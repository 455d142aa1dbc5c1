import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-6";
import type { CompilerError } from "./errors.js";

/** A range of lines, counted from 1; both ends are included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Returns the lines of a region in a file, without its markers. */
export function regionLines(text: string, region: string): Lines | undefined {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() === `//#region ${region}`);
  const last = lines.findIndex((line) => line.trim() === `//#endregion ${region}`);
  return first < 0 || last < 0 ? undefined : { first: first + 2, last };
}

/**
 * Returns the errors that break a region: those in it, and those in the declarations it uses. A value whose declaration
 * is invalid has the type `any`, so its uses look correct to the compiler.
 */
export function regionErrors(
  folder: string,
  file: string,
  { first, last }: Lines,
  errors: readonly CompilerError[],
): CompilerError[] {
  const text = readFileSync(join(folder, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const within = errors.filter(({ line }) => line >= first && line <= last);
  const outside = errors.filter((error) => !within.includes(error));
  const wrong = new Map<string, CompilerError>();
  for (const error of outside)
    for (const name of declaredAt(source, error)) if (!wrong.has(name)) wrong.set(name, error);
  spread(source, wrong);
  const lineOf = (node: ts.Node) =>
    source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const used = new Set<CompilerError>();
  visit(source, (node) => {
    if (!ts.isIdentifier(node) || isMemberName(node)) return;
    const line = lineOf(node);
    const error = line >= first && line <= last ? wrong.get(node.text) : undefined;
    if (error) used.add(error);
  });
  return [...within, ...used];
}

/** Returns the names that an invalid statement declares. */
function declaredAt(source: ts.SourceFile, error: CompilerError): string[] {
  const position = source.getPositionOfLineAndCharacter(error.line - 1, error.column - 1);
  let found: ts.Node | undefined;
  visit(source, (node) => {
    const encloses = node.getStart(source) <= position && position < node.getEnd();
    const declares =
      ts.isImportSpecifier(node) ||
      ts.isImportDeclaration(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node);
    if (encloses && declares) found = node;
  });
  return found ? namesOf(found) : [];
}

/** Adds the names whose declarations mention an invalid name, until there are no further ones. */
function spread(source: ts.SourceFile, wrong: Map<string, CompilerError>): void {
  for (let size = -1; size !== wrong.size;) {
    size = wrong.size;
    visit(source, (node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer) return;
      const names = namesOf(node);
      if (names.every((name) => wrong.has(name))) return;
      visit(node.initializer, (inner) => {
        const error = ts.isIdentifier(inner) && !isMemberName(inner) && wrong.get(inner.text);
        if (error) for (const name of names) if (!wrong.has(name)) wrong.set(name, error);
      });
    });
  }
}

function namesOf(declaration: ts.Node): string[] {
  const names: string[] = [];
  const add = (name: ts.Node | undefined) => {
    if (name === undefined) return;
    if (ts.isIdentifier(name)) names.push(name.text);
    else
      visit(name, (node) => {
        if (ts.isBindingElement(node)) add(node.name);
        if (ts.isImportSpecifier(node)) add(node.name);
      });
  };
  if (ts.isImportDeclaration(declaration)) {
    add(declaration.importClause?.name);
    add(declaration.importClause?.namedBindings);
  } else add((declaration as ts.NamedDeclaration).name);
  return names;
}

/** Returns true for the name after a dot or before a colon. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}
