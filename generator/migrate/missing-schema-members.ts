import { ts } from "ts-morph";
import type { Reference } from "./references.js";
import type { Remark } from "./remark.js";

/** The members of our schema constants that return another schema of the same kind. */
const SCHEMAS: ReadonlySet<string> = new Set(["describe", "extend", "nullable", "optional"]);

export const SCHEMA_MEMBERS: ReadonlySet<string> = new Set([
  ...SCHEMAS,
  "_input",
  "_output",
  "_zod",
  "description",
  "method",
  "options",
  "parse",
  "parseAsync",
  "safeParse",
  "safeParseAsync",
  "shape",
  "value",
]);

/** Finds uses of zod members that the SDK's schema constants have and our constants lack. */
export function missingSchemaMembers(
  source: ts.SourceFile,
  references: readonly Reference[],
): Remark[] {
  const imported = references.flatMap(({ names }) => names.map(({ name }) => name));
  const constants = new Set(imported.filter((name) => name.endsWith("Schema")));
  if (constants.size === 0) return [];
  const found: Remark[] = [];
  const isConstant = (node: ts.Expression): boolean => {
    if (ts.isIdentifier(node)) return constants.has(node.text);
    if (ts.isPropertyAccessExpression(node)) return constants.has(node.name.text);
    const callee = ts.isCallExpression(node) ? node.expression : undefined;
    return (
      callee !== undefined &&
      ts.isPropertyAccessExpression(callee) &&
      SCHEMAS.has(callee.name.text) &&
      isConstant(callee.expression)
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) || ts.isBindingElement(node)) {
      const { propertyName, name } = node;
      const isKnown = propertyName && "text" in propertyName && constants.has(propertyName.text);
      if (isKnown && ts.isIdentifier(name)) constants.add(name.text);
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      if (node.initializer && isConstant(node.initializer)) constants.add(node.name.text);
    }
    if (ts.isPropertyAccessExpression(node) && isConstant(node.expression)) {
      const { text } = node.name;
      if (!SCHEMA_MEMBERS.has(text)) found.push(remark(node, source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function remark({ name, expression }: ts.PropertyAccessExpression, source: ts.SourceFile): Remark {
  const schema = ts.isCallExpression(expression) ? "the schema" : expression.getText(source);
  return {
    code: "MCG8004",
    message: `${name.text} is a member of zod's schemas that the schema constants of @mcp-codegen/sdk do not have.`,
    hint: `Compose a schema of zod 4 from ${schema}: z.array(…), z.union([…]), or z.object() with members of its shape.`,
    start: name.getStart(source),
    end: name.getEnd(),
  };
}
