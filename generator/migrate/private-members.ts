import { ts } from "ts-morph";
import type { Remark } from "./remark.js";

/** Private members of the SDK's classes that programs, mostly tests, access. */
const PRIVATE = new Set([
  "_registeredTools",
  "_registeredResources",
  "_registeredResourceTemplates",
  "_registeredPrompts",
  "_requestHandlers",
  "_notificationHandlers",
  "_responseHandlers",
  "_progressHandlers",
  "_serverCapabilities",
  "_serverVersion",
  "_clientCapabilities",
  "_clientVersion",
  "_transport",
]);

/** Uses of private members of the SDK, which our classes do not have. */
export function privateMembers(source: ts.SourceFile): Remark[] {
  const found: Remark[] = [];
  const add = (node: ts.Node, name: string) => {
    if (!PRIVATE.has(name)) return;
    found.push({
      code: "MCG8004",
      message: `${name} is a private member of the SDK's classes; those of @mcp-codegen/sdk do not have it.`,
      hint: "Use the public API: connect a client by InMemoryTransport.createLinkedPair(), and send a request.",
      start: node.getStart(source),
      end: node.getEnd(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && node.expression.kind !== ts.SyntaxKind.ThisKeyword)
      add(node.name, node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      add(node.argumentExpression, node.argumentExpression.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
