import type { Node } from "ts-morph";
import type { Span } from "../diagnostics.js";

/** Where a node stands, its leading comments left out. */
export function spanOf(node: Node): Span {
  const start = node.getStart();
  const { line, column } = node.getSourceFile().getLineAndColumnAtPos(start);
  return { line, column, start, end: node.getEnd() };
}
