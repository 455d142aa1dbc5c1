import { ts } from "ts-morph";
import type { Context } from "./context.js";

/**
 * Returns the value of a string, number or boolean literal. Returns undefined for any other node and, with a
 * diagnostic, for a number that a double cannot represent.
 */
export function literalValue(
  node: ts.Node,
  context: Context,
): string | number | boolean | undefined {
  if (ts.isStringLiteral(node)) return node.text;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isNumericLiteral(node)) return numberValue(Number(node.text), node, context);
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  ) {
    return numberValue(-Number(node.operand.text), node, context);
  }
  return undefined;
}

function numberValue(value: number, node: ts.Node, context: Context): number {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    context.refuse(
      node,
      "MCG2033",
      `The number ${context.quote(node)} cannot be represented exactly.`,
      "Use a number between -(2^53 - 1) and 2^53 - 1.",
    );
  }
  return value;
}
