import { Node, type TypeNode, SyntaxKind } from "ts-morph";
import { readShape } from "./members.js";
import type { Context } from "./model.js";
import type { KeywordType, TypeExpression } from "./schema-model.js";
import { spanOf } from "./span.js";

const KEYWORDS = new Map<SyntaxKind, KeywordType["name"]>([
  [SyntaxKind.StringKeyword, "string"],
  [SyntaxKind.NumberKeyword, "number"],
  [SyntaxKind.BooleanKeyword, "boolean"],
  [SyntaxKind.NullKeyword, "null"],
  [SyntaxKind.UnknownKeyword, "unknown"],
  [SyntaxKind.AnyKeyword, "any"],
  [SyntaxKind.NeverKeyword, "never"],
  [SyntaxKind.ObjectKeyword, "object"],
]);

export function readType(node: TypeNode, context: Context): TypeExpression {
  const span = spanOf(node);
  const keyword = KEYWORDS.get(node.getKind());
  if (keyword) return { kind: "keyword", name: keyword, span };
  if (Node.isParenthesizedTypeNode(node)) return readType(node.getTypeNode(), context);
  if (Node.isLiteralTypeNode(node)) {
    const text = node.getText();
    if (text === "null") return { kind: "keyword", name: "null", span };
    return { kind: "literal", value: JSON.parse(text) as string | number | boolean, span };
  }
  if (Node.isTypeQuery(node)) return { kind: "typeof", name: node.getExprName().getText(), span };
  if (Node.isArrayTypeNode(node)) {
    return { kind: "array", element: readType(node.getElementTypeNode(), context), span };
  }
  if (Node.isUnionTypeNode(node)) {
    return { kind: "union", members: node.getTypeNodes().map((member) => readType(member, context)), span };
  }
  if (Node.isIntersectionTypeNode(node)) {
    return { kind: "intersection", members: node.getTypeNodes().map((member) => readType(member, context)), span };
  }
  if (Node.isTypeLiteral(node)) return { kind: "object", ...readShape(node, context), span };
  if (Node.isTypeReference(node) || Node.isExpressionWithTypeArguments(node)) {
    const name = Node.isTypeReference(node) ? node.getTypeName().getText() : node.getExpression().getText();
    const [first, second] = node.getTypeArguments();
    if (!first) return { kind: "reference", name, span };
    if (name === "Array") return { kind: "array", element: readType(first, context), span };
    if (name === "Record" && second) return { kind: "record", value: readType(second, context), span };
    if (name === "Omit" && second) {
      const keys = (Node.isUnionTypeNode(second) ? second.getTypeNodes() : [second]).map(
        (key) => JSON.parse(key.getText()) as string,
      );
      return { kind: "omit", base: readType(first, context), keys, span };
    }
  }
  context.diagnostics.add({
    code: "MCG2003",
    severity: "error",
    message: `A schema cannot use the type \`${node.getText()}\`.`,
    file: context.file,
    span,
  });
  return { kind: "keyword", name: "unknown", span };
}
