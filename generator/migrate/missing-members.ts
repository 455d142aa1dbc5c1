import { ts } from "ts-morph";
import type { Remark } from "./remark.js";

/** Private members of the SDK's classes that programs access, mainly in tests. */
const PRIVATE = new Set([
  "_notificationHandlers",
  "_responseHandlers",
  "_progressHandlers",
  "_serverCapabilities",
  "_serverVersion",
  "_clientCapabilities",
  "_clientVersion",
  "_oninitialize",
  "_transport",
]);

/** Public members of the SDK's classes that our classes lack, with advice. Programs that use them fail at run time. */
const MISSING: Readonly<Record<string, string>> = {
  resumeStream: "The client resumes interrupted streams itself: remove the call.",
};

/**
 * Matches the usual endings of names given to SDK objects. Only members of such objects are examined, because other
 * libraries have members with the same names.
 */
const RECEIVER = /(?:server|client|mcp|transport)$/i;

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
  const addMissing = (node: ts.Node, name: string) => {
    const hint = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
    if (hint === undefined) return;
    found.push({
      code: "MCG8004",
      message: `${name} is a member of the SDK's classes that those of @mcp-codegen/sdk do not have.`,
      hint,
      start: node.getStart(source),
      end: node.getEnd(),
    });
  };
  /** Finds members that a declaration destructures: `const { resumeStream } = client`. */
  const addTaken = ({ name: pattern, initializer }: ts.VariableDeclaration) => {
    if (!ts.isObjectBindingPattern(pattern) || initializer === undefined) return;
    if (!RECEIVER.test(initializer.getText(source))) return;
    for (const { name, propertyName = name } of pattern.elements) {
      if (!ts.isIdentifier(propertyName)) continue;
      add(propertyName, propertyName.text);
      addMissing(propertyName, propertyName.text);
    }
  };
  /** Finds a task store that is passed to the low-level class `Server`, as in version 1 of the SDK. */
  const addStore = ({ expression, arguments: [, options] = [] as never }: ts.NewExpression) => {
    if (!/(?:^|\.)Server$/.test(expression.getText(source))) return;
    if (!options || !ts.isObjectLiteralExpression(options)) return;
    for (const { name } of options.properties) {
      if (name === undefined || !ts.isIdentifier(name) || name.text !== "taskStore") continue;
      found.push({
        code: "MCG8004",
        message: "The handlers of a Server of @mcp-codegen/sdk do not use a taskStore.",
        hint: "Register the tools on an McpServer, with experimental.tasks.registerToolTask.",
        start: name.getStart(source),
        end: name.getEnd(),
      });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) addStore(node);
    if (ts.isPropertyAccessExpression(node) && node.expression.kind !== ts.SyntaxKind.ThisKeyword) {
      add(node.name, node.name.text);
      addMissing(node.name, node.name.text);
    }
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
      add(node.argumentExpression, node.argumentExpression.text);
      addMissing(node.argumentExpression, node.argumentExpression.text);
    }
    if (ts.isVariableDeclaration(node)) addTaken(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
