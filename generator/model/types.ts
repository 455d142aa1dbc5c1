import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { MAX_PARTS } from "./limits.js";
import { literalValue } from "./literals.js";
import { readShape } from "./members.js";
import { readReference } from "./type-reference.js";
import type { KeywordType, TypeExpression, IndexSignature } from "./schema-model.js";
import { refuseType } from "./unsupported.js";
import { readDoc } from "./doc.js";

const KEYWORDS = new Map<ts.SyntaxKind, KeywordType["name"]>([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.NeverKeyword, "never"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
]);

/** Reads a type. Returns `unknown` for a rejected type, so that reading can continue. */
export function readType(node: ts.TypeNode, context: Context): TypeExpression {
  const type = context.nested(node, () => readTypeNode(node, context));
  if (type) return type;
  const standIn: TypeExpression = { kind: "keyword", name: "unknown", span: context.span(node) };
  context.standIns.add(standIn);
  return standIn;
}

function readTypeNode(node: ts.TypeNode, context: Context): TypeExpression | undefined {
  const span = context.span(node);
  const keyword = KEYWORDS.get(node.kind);
  if (keyword) return { kind: "keyword", name: keyword, span };
  if (ts.isParenthesizedTypeNode(node)) return readType(node.type, context);
  if (ts.isLiteralTypeNode(node)) return readLiteral(node, context);
  if (ts.isTypeQueryNode(node)) return readTypeof(node, context);
  if (ts.isArrayTypeNode(node)) {
    return { kind: "array", element: readType(node.elementType, context), span };
  }
  if (ts.isUnionTypeNode(node)) {
    return { kind: "union", members: readParts(node.types, context), span };
  }
  if (ts.isIntersectionTypeNode(node)) {
    return { kind: "intersection", members: readParts(node.types, context), span };
  }
  if (ts.isIndexedAccessTypeNode(node)) return readIndexedAccess(node, context);
  if (ts.isTypeLiteralNode(node)) return { kind: "object", ...readShape(node, context), span };
  if (ts.isTypeReferenceNode(node)) {
    return readReference(node, node.typeName, node.typeArguments, context);
  }
  refuseType(node, context);
  return undefined;
}

export function readHeritage(
  node: ts.ExpressionWithTypeArguments,
  context: Context,
): TypeExpression | undefined {
  return context.nested(node, () => {
    return readReference(node, node.expression, node.typeArguments, context);
  });
}

/** Reads the type of an optional value. `undefined` is redundant as an alternative, so it is removed. */
export function readOptionalType(node: ts.TypeNode, context: Context): TypeExpression {
  if (!admitsUndefined(node)) return readType(node, context);
  const others = armsOf(node).filter((type) => !isUndefined(type));
  if (others.length === 1) return readType(others[0]!, context);
  return { kind: "union", members: readParts(others, context), span: context.span(node) };
}

export function admitsUndefined(node: ts.TypeNode): boolean {
  const types = armsOf(node);
  return types.some(isUndefined) && !types.every(isUndefined);
}

function armsOf(node: ts.TypeNode): readonly ts.TypeNode[] {
  if (ts.isParenthesizedTypeNode(node)) return armsOf(node.type);
  return ts.isUnionTypeNode(node) ? node.types : [node];
}

function isUndefined({ kind }: ts.TypeNode): boolean {
  return kind === ts.SyntaxKind.UndefinedKeyword;
}

function readParts(types: readonly ts.TypeNode[], context: Context): TypeExpression[] {
  if (types.length > MAX_PARTS) {
    context.refuse(
      context.span(types[MAX_PARTS]!),
      "MCG2004",
      `A type has more than ${MAX_PARTS} parts.`,
      "Split it into several named types.",
    );
    return [];
  }
  return types.map((type) => readType(type, context));
}

function readLiteral(node: ts.LiteralTypeNode, context: Context): TypeExpression | undefined {
  const span = context.span(node);
  if (node.literal.kind === ts.SyntaxKind.NullKeyword) {
    return { kind: "keyword", name: "null", span };
  }
  const value = literalValue(node.literal, context);
  if (value !== undefined) return { kind: "literal", value, span };
  refuseType(node, context);
  return undefined;
}

function readTypeof(node: ts.TypeQueryNode, context: Context): TypeExpression | undefined {
  if (ts.isIdentifier(node.exprName) && !node.typeArguments) {
    return { kind: "typeof", name: node.exprName.text, span: context.span(node) };
  }
  context.refuse(
    node,
    "MCG2068",
    `\`${context.quote(node)}\` does not name a constant of the schema.`,
    "Use `typeof` only with the plain name of an exported constant.",
  );
  return undefined;
}

export function readIndexSignature(
  node: ts.IndexSignatureDeclaration,
  context: Context,
): IndexSignature | undefined {
  const [parameter, ...others] = node.parameters;
  if (!parameter || others.length > 0 || !isPlain(parameter) || node.modifiers || !node.type) {
    context.refuse(
      node,
      "MCG2048",
      `\`${context.quote(node)}\` is not a plain index signature.`,
      "Write `[key: string]: T`: one key, not optional, without modifiers, with a type.",
    );
    return undefined;
  }
  if (parameter.type?.kind !== ts.SyntaxKind.StringKeyword) {
    const key = parameter.type ?? parameter;
    context.refuse(
      key,
      "MCG2047",
      `The keys of an index signature must be \`string\`, not \`${context.quote(key)}\`.`,
      "Write `[key: string]: T`.",
    );
  }
  return {
    keyName: (parameter.name as ts.Identifier).text,
    type: readType(node.type, context),
    ...readDoc(node, context),
    span: context.span(node),
  };
}

function isPlain(parameter: ts.ParameterDeclaration): boolean {
  return (
    ts.isIdentifier(parameter.name) &&
    !parameter.questionToken &&
    !parameter.dotDotDotToken &&
    !parameter.initializer &&
    !parameter.modifiers
  );
}

/** Reads `X["y"]`: the type of a member that is stated directly by a declaration in the file. */
export function readIndexedAccess(
  node: ts.IndexedAccessTypeNode,
  context: Context,
): TypeExpression | undefined {
  const member = memberOf(node, context);
  if (member?.type && !member.questionToken) return readType(member.type, context);
  context.refuse(
    node,
    "MCG2054",
    member
      ? `\`${context.quote(node)}\` may be \`undefined\`, as the member is optional.`
      : `A schema cannot use the indexed access type \`${context.quote(node)}\`.`,
    member
      ? "Declare the member's type with a name and refer to that."
      : "The object must be an interface or an object type of this file that states the member itself; else declare the member's type with a name and refer to that.",
  );
  return undefined;
}

function memberOf(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  context: Context,
): ts.PropertySignature | undefined {
  if (!ts.isTypeReferenceNode(objectType) || objectType.typeArguments) return undefined;
  if (!ts.isIdentifier(objectType.typeName) || !ts.isLiteralTypeNode(indexType)) return undefined;
  const { literal } = indexType;
  const owner = context.declared(objectType.typeName.text);
  if (!owner || !ts.isStringLiteral(literal)) return undefined;
  return membersOf(owner)
    .filter((each) => ts.isPropertySignature(each))
    .find(
      ({ name }) =>
        (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === literal.text,
    );
}

function membersOf(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): readonly ts.TypeElement[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  return ts.isTypeLiteralNode(node.type) ? node.type.members : [];
}
