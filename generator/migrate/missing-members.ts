import { ts } from "ts-morph";
import type { Remark } from "./remark.js";

/** Private members of the SDK's classes that programs, mostly tests, access. */
const PRIVATE = new Set([
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

/** Public members of the SDK's classes that our classes do not have: reading them fails at run time. */
const MISSING = new Set(["experimental", "registerToolTask", "callToolStream", "requestStream"]);

/** Receivers of these members: other libraries use the same names. */
const RECEIVER = /(?:server|client|mcp)$/i;

/** Uses of members of the SDK that our classes do not have. */
export function missingMembers(source: ts.SourceFile): Remark[] {
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
  const addMissing = ({ name, expression }: ts.PropertyAccessExpression) => {
    const isOfSdk = RECEIVER.test(expression.getText(source)) || name.text !== "experimental";
    if (!MISSING.has(name.text) || !isOfSdk) return;
    found.push({
      code: "MCG8004",
      message: `${name.text} is a member of the SDK's classes that those of @mcp-codegen/sdk do not have.`,
      hint: "Tasks are a feature of @mcp-codegen/universal: see the page on tasks.",
      start: name.getStart(source),
      end: name.getEnd(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && node.expression.kind !== ts.SyntaxKind.ThisKeyword) {
      add(node.name, node.name.text);
      addMissing(node);
    }
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      add(node.argumentExpression, node.argumentExpression.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
