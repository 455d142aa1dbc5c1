import { ts } from "ts-morph";
import type { Context } from "./context.js";
import { MAX_PARTS } from "./limits.js";
import { literalValue } from "./literals.js";
import { readIndexedAccess } from "./indexed-access.js";
import { readShape } from "./members.js";
import { readReference } from "./type-reference.js";
import type { KeywordType, TypeExpression } from "./schema-model.js";
import { refuseType } from "./unsupported-types.js";

const KEYWORDS = new Map<ts.SyntaxKind, KeywordType["name"]>([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.NeverKeyword, "never"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
]);

/** Reads a type; returns `unknown` for a rejected one, so that reading can continue. */
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

/** Reads the types that an interface extends. */
export function readHeritage(
  node: ts.ExpressionWithTypeArguments,
  context: Context,
): TypeExpression | undefined {
  return context.nested(node, () => {
    return readReference(node, node.expression, node.typeArguments, context);
  });
}

/** Reads the type of an optional value: `undefined` among its alternatives is redundant, and is removed. */
export function readOptionalType(node: ts.TypeNode, context: Context): TypeExpression {
  if (!admitsUndefined(node)) return readType(node, context);
  const others = armsOf(node).filter((type) => !isUndefined(type));
  if (others.length === 1) return readType(others[0]!, context);
  return { kind: "union", members: readParts(others, context), span: context.span(node) };
}

/** True for a union that contains `undefined` beside other types. */
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
