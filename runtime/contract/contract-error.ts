import type { Issue, Validator } from "@mcp-codegen/runtime";
import { quote } from "./json.js";
import type { SchemaCompiler } from "@mcp-codegen/runtime/features";

/** Error for arguments or a result of a tool that violate the contract. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly code = "CONTRACT";
  readonly tool: string;
  /** The invalid part: `arguments` if the caller is at fault, `result` if the server is. */
  readonly part: "arguments" | "result";
  /** Faults, with JSON pointers into the arguments or the structured content. */
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

/** Error for a tool call whose result says that it failed (`isError`). */
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

/**
 * Validators of one tool. A validator is absent if the tool has no such schema, or if the schema contains constraints
 * that generated code does not check.
 */
export interface ToolValidators {
  readonly inputSchema?: Validator;
  readonly outputSchema?: Validator;
}

/** Validators by the names of tools. */
export type ContractValidators = Readonly<Record<string, ToolValidators>>;

/** Sources of the validators that generated code uses. */
export interface ContractChecks {
  readonly validators?: ContractValidators | undefined;
  /** Compiles validators for schemas that have no generated one; absent if every schema has one. */
  readonly compile?: SchemaCompiler | undefined;
  /**
   * Places in definitions that are not validated, by the names of tools: JSON pointers to keywords, or to a whole
   * schema for which no validator can be generated.
   */
  readonly unchecked?: Readonly<Record<string, readonly string[]>> | undefined;
}

const NONE: ToolValidators = {};

/** Returns the validators of a tool. The tool may be called `toString`, like a member of all objects. */
export function validatorsOf(validators: ContractValidators, name: string): ToolValidators {
  return (Object.hasOwn(validators, name) && validators[name]) || NONE;
}
