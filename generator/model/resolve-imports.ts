import { ts } from "ts-morph";
import type { Context } from "./context.js";
import type { Import, Declaration, SchemaModel } from "./schema-model.js";
import type { Span } from "../diagnostics.js";
import { relocate } from "./relocate.js";
import { namesIn } from "./walk.js";

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

/** Records imported names as rejected until a model has been found for them. */
function noteRefused(clause: ts.ImportClause, context: Context): void {
  if (clause.name) context.refused.add(clause.name.text);
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) context.refused.add(bindings.name.text);
  else for (const { name } of bindings.elements) context.refused.add(name.text);
}

/** The schemas from which this one may import, by module specifier as written. */
export type ImportableModels = Pick<ReadonlyMap<string, SchemaModel>, "get">;

export function resolveImports(
  imports: readonly Import[],
  models: ImportableModels,
  own: readonly Declaration[],
  context: Context,
): readonly Declaration[] {
  const taken = new Set(own.map(({ name }) => name));
  const brought: Declaration[] = [];
  for (const from of new Set(imports.map((item) => item.from))) {
    const items = imports.filter((item) => item.from === from);
    const model = models.get(from);
    if (!model) {
      refuseUnresolved(items[0]!, context);
      continue;
    }
    for (const declaration of bring(items, model, context)) {
      if (!taken.has(declaration.name)) brought.push(declaration);
      else refuseCollision(declaration, context);
      taken.add(declaration.name);
    }
  }
  return brought;
}

function bring(items: readonly Import[], model: SchemaModel, context: Context): Declaration[] {
  const declarations = new Map(
    model.declarations.map((declaration) => [declaration.name, declaration]),
  );
  const localNames = new Map<string, string>();
  const aliases: Declaration[] = [];
  const needed = new Map<string, Span>();
  for (const { name, as, from, span } of items) {
    if (!declarations.has(name)) {
      refuseMissing(name, from, span, context);
      continue;
    }
    context.refused.delete(as);
    const first = localNames.get(name);
    if (first === undefined) {
      localNames.set(name, as);
      needed.set(name, span);
    } else aliases.push(secondName(declarations.get(name)!, first, as, from, span));
  }
  for (const [name, span] of needed) {
    for (const next of namesIn(declarations.get(name)!)) {
      if (!needed.has(next) && declarations.has(next)) needed.set(next, span);
    }
  }
  const rename = (name: string) => localNames.get(name) ?? name;
  const relocated = model.declarations.flatMap((declaration) => {
    const span = needed.get(declaration.name);
    if (!span) return [];
    const imported = { from: items[0]!.from, name: declaration.name };
    return [{ ...relocate(declaration, rename, span), imported }];
  });
  return [...relocated, ...aliases];
}

function secondName(
  declaration: Declaration,
  first: string,
  name: string,
  from: string,
  span: Span,
): Declaration {
  const imported = { from, name: declaration.name };
  if (declaration.kind === "const") return { ...declaration, name, span, imported };
  return { kind: "alias", name, type: { kind: "reference", name: first, span }, span, imported };
}

function refuseUnresolved({ from, span }: Import, context: Context): void {
  context.refuse(
    span,
    "MCG2016",
    `There is no schema for the import from ${JSON.stringify(from)}.`,
    "Name the schema that this module specifier stands for.",
  );
}

function refuseMissing(name: string, from: string, span: Span, context: Context): void {
  context.refuse(
    span,
    "MCG2017",
    `The schema for ${JSON.stringify(from)} does not declare \`${name}\`.`,
    "Correct the name, or import from the revision that declares it.",
  );
}

function refuseCollision({ name, span }: Declaration, context: Context): void {
  context.refuse(
    span,
    "MCG2018",
    `The import declares \`${name}\`, which is already declared.`,
    "Rename the declaration here, or import the other one under another name: `A as B`.",
  );
}
