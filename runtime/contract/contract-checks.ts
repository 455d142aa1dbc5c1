import type { SchemaCompiler } from "@mcp-codegen/runtime/features";
import type { Validator } from "@mcp-codegen/runtime";

/** Validators of one tool; absent if its schema contains constraints that generated code does not check. */
export interface ToolValidators {
  readonly inputSchema?: Validator;
  readonly outputSchema?: Validator;
}

/** Validators by the names of tools. */
export type ContractValidators = Readonly<Record<string, ToolValidators>>;

/** Sources of the validators that generated code uses. */
export interface ContractChecks {
  readonly validators?: ContractValidators | undefined;
  /** Compiles the validators of schemas without a generated one; absent if all have one. */
  readonly compile?: SchemaCompiler | undefined;
  /**
   * Places in definitions that are not checked, by the names of tools: JSON pointers to keywords, or to a whole
   * schema for which no validator can be generated.
   */
  readonly unchecked?: Readonly<Record<string, readonly string[]>> | undefined;
}

const NONE: ToolValidators = {};

/** Validators of a tool; safe for any tool name. */
export function validatorsOf(validators: ContractValidators, name: string): ToolValidators {
  return (Object.hasOwn(validators, name) && validators[name]) || NONE;
}
