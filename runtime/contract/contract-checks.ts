import type { SchemaCompiler } from "@mcp-codegen/runtime/features";
import type { Validator } from "@mcp-codegen/runtime";

/** Validators of one tool; absent where its schema demands what no generated code checks. */
export interface ToolValidators {
  readonly inputSchema?: Validator;
  readonly outputSchema?: Validator;
}

/** Validators by the names of tools. */
export type ContractValidators = Readonly<Record<string, ToolValidators>>;

/** Sources of the checks that generated code does. */
export interface ContractChecks {
  readonly validators?: ContractValidators | undefined;
  /** Makes the checks of schemas without a validator; absent where all have one. */
  readonly compile?: SchemaCompiler | undefined;
  /**
   * Places of definitions that are not checked, by the names of tools: JSON pointers to keywords, or to a whole schema, of
   * which no check can be created.
   */
  readonly unchecked?: Readonly<Record<string, readonly string[]>> | undefined;
}

const NONE: ToolValidators = {};

/** Validators of a tool, whatever its name is. */
export function validatorsOf(validators: ContractValidators, name: string): ToolValidators {
  return (Object.hasOwn(validators, name) && validators[name]) || NONE;
}
