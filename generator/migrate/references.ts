import { ts } from "ts-morph";
import { isSdkSpecifier } from "./specifier.js";

export interface Reference {
  readonly specifier: string;
  /** The specifier's offsets, without its quotes. */
  readonly start: number;
  readonly end: number;
  readonly names: readonly ImportedName[];
  /** The statement, if it only lists names, so that some of them can be moved into a separate statement. */
  readonly list?: NameList | undefined;
  /**
   * True if no import, export or call uses the string as a module specifier, in which case it may serve another
   * purpose.
   */
  readonly isLoose: boolean;
}

export interface ImportedName {
  readonly name: string;
  readonly start: number;
}

export interface NameList {
  readonly keyword: "import" | "import type" | "export" | "export type";
  readonly end: number;
  readonly elements: readonly {
    readonly name: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/**
 * Matches calls whose first argument is a module name: `require`, `require.resolve`, `vi.mock`, `jest.requireActual`.
 */
const LOADERS =
  /^(?:require(?:\.resolve)?|import\.meta\.resolve|(?:vi|vitest|jest)\.(?:un|do|dont)?mock|(?:vi|vitest|jest)\.(?:import|require|create)\w*|(?:vi|vitest|jest)\.(?:doUnmock|deepUnmock|setMock|unstable_\w+))$/;

/** Finds the SDK modules that a source names in imports, exports, calls, types, and types in comments. */
export function references(source: ts.SourceFile): Reference[] {
  const found: Reference[] = [];
  const namespaces = new Map<string, ImportedName[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && isSdkSpecifier(node.text)) {
      const use = useOf(node, source, namespaces);
      const { names = [], list } = use ?? {};
      const start = node.getStart(source) + 1;
      const end = node.getEnd() - 1;
      found.push({ specifier: node.text, start, end, names, list, isLoose: use === undefined });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (namespaces.size > 0) addMembers(source, namespaces);
  return [...found, ...inComments(source.text, found)];
}

type Namespaces = Map<string, ImportedName[]>;

function useOf(
  literal: ts.StringLiteralLike,
  source: ts.SourceFile,
  namespaces: Namespaces,
): { names: ImportedName[]; list?: NameList | undefined } | undefined {
  const { parent } = literal;
  const at = (node: ts.Node & { text: string }) => ({
    name: node.text,
    start: node.getStart(source),
  });
  if (ts.isImportDeclaration(parent))
    return {
      names: clauseNames(parent.importClause, at, namespaces),
      list: nameList(parent, source),
    };
  if (ts.isExportDeclaration(parent)) {
    const { exportClause } = parent;
    const isNamed = exportClause !== undefined && ts.isNamedExports(exportClause);
    const elements = isNamed ? exportClause.elements : [];
    const names = elements.map(({ propertyName, name }) => at(propertyName ?? name));
    return { names, list: nameList(parent, source) };
  }
  if (ts.isExternalModuleReference(parent) || ts.isModuleDeclaration(parent)) return { names: [] };
  if (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) {
    const { qualifier } = parent.parent;
    return { names: qualifier === undefined ? [] : [at(leftmost(qualifier))] };
  }
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== literal) return undefined;
  const isImport = parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  if (!isImport && !LOADERS.test(parent.expression.getText(source))) return undefined;
  return { names: bindingNames(parent, at, namespaces) };
}

type At = (node: ts.Node & { text: string }) => ImportedName;

function clauseNames(
  clause: ts.ImportClause | undefined,
  at: At,
  namespaces: Namespaces,
): ImportedName[] {
  const bindings = clause?.namedBindings;
  if (bindings === undefined) return [];
  if (ts.isNamedImports(bindings))
    return bindings.elements.map(({ propertyName, name }) => at(propertyName ?? name));
  const names: ImportedName[] = [];
  namespaces.set(bindings.name.text, names);
  return names;
}

function nameList(
  statement: ts.ImportDeclaration | ts.ExportDeclaration,
  source: ts.SourceFile,
): NameList | undefined {
  if (statement.attributes) return undefined;
  const isImport = ts.isImportDeclaration(statement);
  const clause = isImport ? statement.importClause : statement;
  const bindings = isImport ? statement.importClause?.namedBindings : statement.exportClause;
  if (!clause || !bindings || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
    return undefined;
  if (isImport && statement.importClause?.name) return undefined;
  const kind = isImport ? "import" : "export";
  return {
    keyword: clause.isTypeOnly ? `${kind} type` : kind,
    end: statement.getEnd(),
    elements: [...bindings.elements].map((element) => ({
      name: (element.propertyName ?? element.name).text,
      start: element.getStart(source),
      end: element.getEnd(),
    })),
  };
}

/**
 * Returns the names that a program uses from the module loaded by a call, either by destructuring (`const { Client } =
 * await import(…)`) or by reading a property. A variable that receives the whole module is added to `namespaces`.
 */
function bindingNames(call: ts.CallExpression, at: At, namespaces: Namespaces): ImportedName[] {
  const value = ts.isAwaitExpression(call.parent) ? call.parent : call;
  const outer = ts.isParenthesizedExpression(value.parent) ? value.parent : value;
  const { parent } = outer;
  if (ts.isPropertyAccessExpression(parent)) {
    return value === call && call.expression.kind === ts.SyntaxKind.ImportKeyword
      ? []
      : [at(parent.name)];
  }
  if (!ts.isVariableDeclaration(parent)) return [];
  if (ts.isIdentifier(parent.name)) {
    const names: ImportedName[] = [];
    namespaces.set(parent.name.text, names);
    return names;
  }
  if (!ts.isObjectBindingPattern(parent.name)) return [];
  return parent.name.elements.flatMap(({ propertyName, name, dotDotDotToken }) => {
    const taken = propertyName ?? name;
    return dotDotDotToken === undefined && ts.isIdentifier(taken) ? [at(taken)] : [];
  });
}

/** Adds the members that a program uses from its namespace imports: `types.ListToolsRequestSchema`. */
function addMembers(source: ts.SourceFile, namespaces: Namespaces): void {
  const visit = (node: ts.Node): void => {
    const [object, member] = ts.isPropertyAccessExpression(node)
      ? [node.expression, node.name]
      : ts.isQualifiedName(node)
        ? [node.left, node.right]
        : [];
    if (object && member && ts.isIdentifier(object))
      namespaces.get(object.text)?.push({ name: member.text, start: member.getStart(source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function leftmost(name: ts.EntityName): ts.Identifier {
  return ts.isIdentifier(name) ? name : leftmost(name.left);
}

/** Finds types in JavaScript comments: `@param {import("…").Tool} tool`. */
function inComments(text: string, found: readonly Reference[]): Reference[] {
  const known = new Set(found.map(({ start }) => start));
  const pattern = /^[ \t]*\/?\*.*$/gm;
  return [...text.matchAll(pattern)].flatMap((line) =>
    [...line[0].matchAll(/\bimport\((["'])(@modelcontextprotocol\/[^"']+)\1\)(?:\.(\w+))?/g)]
      .filter(([, , specifier]) => isSdkSpecifier(specifier!))
      .map(([whole, , specifier, name], _index): Reference => {
        const offset = line.index + line[0].indexOf(whole);
        const start = offset + "import(".length + 1;
        const end = start + specifier!.length;
        const names = name === undefined ? [] : [{ name, start: end + ").'".length }];
        return { specifier: specifier!, start, end, names, isLoose: false };
      })
      .filter(({ start }) => !known.has(start)),
  );
}
