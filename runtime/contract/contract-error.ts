import type { Issue } from "@mcp-codegen/runtime";
import { quote } from "./json.js";

/** Arguments or a result of a tool violate the contract. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly code = "CONTRACT";
  readonly tool: string;
  /** Side at fault: the caller, or the server. */
  readonly part: "arguments" | "result";
  /** Places, as JSON pointers into the arguments or the structured content. */
  readonly issues: readonly Issue[];

  constructor(tool: string, part: "arguments" | "result", issues: readonly Issue[]) {
    const [first, ...more] = issues;
    const place = first && first.path !== "" ? ` at ${first.path}` : "";
    const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
    const problem = first
      ? `${place}: expected ${first.expected}, got ${first.received}${rest}`
      : "";
    super(`The ${part} of the tool ${quote(tool)} break the contract${problem}`);
    this.tool = tool;
    this.part = part;
    this.issues = issues;
  }
}

/** Failure that a tool reported as its result. */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly code = "TOOL";
  readonly tool: string;
  /** Content of the result. */
  readonly content: readonly unknown[];

  constructor(tool: string, content: readonly unknown[], text: string) {
    super(text === "" ? `The tool ${quote(tool)} failed` : text);
    this.tool = tool;
    this.content = content;
  }
}
