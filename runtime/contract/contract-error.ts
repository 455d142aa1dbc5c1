import type { Issue, Validator } from "@mcp-codegen/runtime";
import { quote } from "./json.js";
import type { SchemaCompiler } from "@mcp-codegen/runtime/features";

/** Thrown if a tool's arguments or result violate the contract. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly code = "CONTRACT";
  readonly tool: string;
  /** The invalid part: `arguments` if the caller is at fault, `result` if the server is. */
  readonly part: "arguments" | "result";
  /** The violations found, with JSON pointers into the arguments or the structured content. */
  readonly issues: readonly Issue[];

  constructor(tool: string, part: "arguments" | "result", issues: readonly Issue[]) {
    const [first, ...more] = issues;
    const place = first && first.path !== "" ? ` at ${first.path}` : "";
    const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
    const problem = first
      ? `${place}: expected ${first.expected}, got ${first.received}${rest}`
      : "";
    super(`The ${part} of the tool ${quote(tool)} violate the contract${problem}`);
    this.tool = tool;
    this.part = part;
    this.issues = issues;
  }
}

/** Thrown if a tool call's result says that the call failed (`isError`). */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly code = "TOOL";
  readonly tool: string;
  /** The result's content. */
  readonly content: readonly unknown[];

  constructor(tool: string, content: readonly unknown[], text: string) {
    super(text === "" ? `The tool ${quote(tool)} failed` : text);
    this.tool = tool;
    this.content = content;
  }
}

/**
 * The validators for one tool. A validator is absent if the tool has no such schema, or if the schema contains
 * constraints that generated code does not check.
 */
export interface ToolValidators {
  readonly inputSchema?: Validator;
  readonly outputSchema?: Validator;
}

/** Maps tool names to validators. */
export type ContractValidators = Readonly<Record<string, ToolValidators>>;

/** Supplies the validators that generated code uses. */
export interface ContractChecks {
  readonly validators?: ContractValidators | undefined;
  /** Compiles validators for schemas without a generated one; absent if every schema has one. */
  readonly compile?: SchemaCompiler | undefined;
  /**
   * The places in definitions that are not validated, by tool name. They are JSON pointers to keywords, or to a whole
   * schema if no validator can be generated for it.
   */
  readonly unchecked?: Readonly<Record<string, readonly string[]>> | undefined;
}

const NONE: ToolValidators = {};

/** Returns a tool's validators. A tool may be called `toString`, a name that every object inherits. */
export function validatorsOf(validators: ContractValidators, name: string): ToolValidators {
  return (Object.hasOwn(validators, name) && validators[name]) || NONE;
}
