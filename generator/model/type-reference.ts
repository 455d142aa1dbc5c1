import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { literalValue } from "./literals.js";
import { MAX_PARTS } from "./limits.js";
import type { Member, TypeExpression } from "./schema-model.js";
import { admitsUndefined, readOptionalType, readType } from "./types.js";

const UTILITY_TYPES = new Set(
  (
    "Awaited Capitalize ConstructorParameters Exclude Extract InstanceType Lowercase NoInfer NonNullable " +
    "Parameters Partial Pick Promise Readonly ReadonlyArray Required ReturnType ThisType Uncapitalize Uppercase"
  ).split(" "),
);

type Node = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments;

export function readReference(
  node: Node,
  nameNode: ts.Node,
  typeArguments: readonly ts.TypeNode[] | undefined,
  context: Context,
): TypeExpression | undefined {
  if (!ts.isIdentifier(nameNode)) {
    context.refuse(
      nameNode,
      "MCG2067",
      `\`${context.quote(nameNode)}\` is not the plain name of a declaration.`,
      "Refer to types by a single identifier; a schema has no namespaces.",
    );
    return undefined;
  }
  const name = nameNode.text;
  switch (name) {
    case "Array":
      return readArray(node, typeArguments, context);
    case "Record":
      return readRecord(node, typeArguments, context);
    case "Omit":
      return readOmit(node, typeArguments, context);
  }
  if (!typeArguments) return { kind: "reference", name, span: context.span(node) };
  const utility = UTILITY_TYPES.has(name);
  context.refuse(
    node,
    utility ? "MCG2060" : "MCG2061",
    utility
      ? `A schema cannot use the utility type \`${name}\`.`
      : `\`${name}\` cannot take type arguments.`,
    utility
      ? "Write out the resulting type; `Array`, `Record` and `Omit` are the only ones with arguments."
      : "Declare the concrete type instead; a schema has no generics.",
  );
  return undefined;
}

function readArray(
  node: Node,
  typeArguments: readonly ts.TypeNode[] | undefined,
  context: Context,
): TypeExpression | undefined {
  const [element, ...rest] = typeArguments ?? [];
  if (element && rest.length === 0) {
    return { kind: "array", element: readType(element, context), span: context.span(node) };
  }
  return refuseArguments(node, "Array<T>", context);
}

function readRecord(
  node: Node,
  typeArguments: readonly ts.TypeNode[] | undefined,
  context: Context,
): TypeExpression | undefined {
  const [key, value, ...rest] = typeArguments ?? [];
  if (!key || !value || rest.length > 0) return refuseArguments(node, "Record<string, T>", context);
  const span = context.span(node);
  if (key.kind === ts.SyntaxKind.StringKeyword) {
    return { kind: "record", value: readType(value, context), span };
  }
  const isType = ts.isTypeReferenceNode(node) && !context.declared("Record");
  const names = isType ? literalKeys(key, context) : undefined;
  if (names !== undefined)
    return { kind: "object", members: membersFor(names, value, context), span };
  context.refuse(
    key,
    "MCG2063",
    `The keys of a \`Record\` must be \`string\` or string literals, not \`${context.quote(key)}\`.`,
    "Write `Record<string, T>`, or list the known members in an object type.",
  );
  return undefined;
}

function membersFor(names: readonly string[], value: ts.TypeNode, context: Context): Member[] {
  if (names.length > MAX_PARTS) {
    refuseTooMany(value, context);
    return [];
  }
  const optional = admitsUndefined(value);
  const read = optional ? readOptionalType : readType;
  return names.map((name) => ({
    name,
    optional,
    type: read(value, context),
    span: context.span(value),
  }));
}

function refuseTooMany(node: ts.Node, context: Context): void {
  context.refuse(
    node,
    "MCG2004",
    `A type has more than ${MAX_PARTS} members.`,
    "Split it into several named types.",
  );
}

/**
 * Returns the strings that a key type admits, even through aliases in this file; undefined if the type admits other
 * values.
 */
function literalKeys(
  node: ts.TypeNode,
  context: Context,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] | undefined {
  if (ts.isParenthesizedTypeNode(node)) return literalKeys(node.type, context, seen);
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  if (ts.isUnionTypeNode(node)) {
    const keys = node.types.map((type) => literalKeys(type, context, seen));
    return keys.every((each) => each !== undefined) ? [...new Set(keys.flat())] : undefined;
  }
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return undefined;
  const name = node.typeName.text;
  const alias = context.declared(name);
  if (!alias || !ts.isTypeAliasDeclaration(alias) || seen.has(name)) return undefined;
  return literalKeys(alias.type, context, new Set([...seen, name]));
}

function readOmit(
  node: Node,
  typeArguments: readonly ts.TypeNode[] | undefined,
  context: Context,
): TypeExpression | undefined {
  const [base, keyNode, ...rest] = typeArguments ?? [];
  if (!base || !keyNode || rest.length > 0) return refuseArguments(node, 'Omit<T, "key">', context);
  const keys = (ts.isUnionTypeNode(keyNode) ? keyNode.types : [keyNode]).map((key) =>
    ts.isLiteralTypeNode(key) ? literalValue(key.literal, context) : undefined,
  );
  if (!keys.every((key) => typeof key === "string")) {
    context.refuse(
      keyNode,
      "MCG2064",
      "The keys of an `Omit` must be string literals.",
      'Write them out: `Omit<T, "a" | "b">`.',
    );
    return undefined;
  }
  return { kind: "omit", base: readType(base, context), keys, span: context.span(node) };
}

function refuseArguments(node: Node, form: string, context: Context): undefined {
  context.refuse(
    node,
    "MCG2062",
    `\`${context.quote(node)}\` has the wrong type arguments.`,
    `Write \`${form}\`.`,
  );
}
