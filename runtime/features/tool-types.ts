import type { HandlerContext } from "../api/index.js";
import type { FromSchema, Literal, ObjectFromSchema } from "./from-schema.js";
import type { PagingOptions } from "./listing.js";
import type { Registration } from "./registry.js";
import type { SchemaCheck } from "./schema-compiler.js";
import type { Schemas as SchemaSource } from "./schema-checks.js";

/** Members that the tools of all revisions have in common. */
export interface ToolDefinition {
  readonly name: string;
  /** A JSON Schema with the type `object`. */
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
}

/** The parameters of `tools/call`, as far as all revisions have them. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly task?: unknown;
}

/** A schema of a tool, as it can be written down; none, where the revision has no such schema. */
export type ToolSchema<Tool, Name extends SchemaName> = Name extends keyof Tool
  ? Literal<NonNullable<Tool[Name]>>
  : never;

/** A definition of a tool with these schemas. */
export type TypedTool<Tool, Input, Output> = Literal<Omit<Tool, SchemaName>> & {
  readonly inputSchema: Input;
  readonly outputSchema?: Output | undefined;
};

/** Arguments that fit the input schema. */
export type ToolArguments<Input> = ObjectFromSchema<Input>;

/** Structured content that fits the output schema; `unknown` where the compiler cannot tell, or there is no schema. */
export type StructuredContent<Output> = [Output] extends [never]
  ? unknown
  : Output extends { readonly type: "object" }
    ? ObjectFromSchema<Output, unknown>
    : FromSchema<Output>;

type SchemaName = "inputSchema" | "outputSchema";

/** A result whose text is made from its structured content. */
export interface StructuredResult<Content = unknown> {
  readonly structuredContent: Content;
  readonly _meta?: { [key: string]: unknown };
}

/**
 * Does what a tool is for. Throw a `ToolError` to tell the model what went wrong, a new `RpcError` to answer with that
 * error; anything else that is thrown becomes an error result without details, and `onerror` gets those. So does an
 * `RpcError` with which a peer has answered a request of the handler: it is no answer to this one.
 *
 * @param args - they fit the tool's `inputSchema`; empty when there were none
 */
export type ToolHandler<
  Result,
  Context = HandlerContext,
  Args = Record<string, unknown>,
  Content = unknown,
> = (
  args: Args,
  context: Context,
  params: ToolCall,
) => Result | StructuredResult<Content> | Promise<Result | StructuredResult<Content>>;

/** Support of a tool for calls as tasks, and milliseconds for which their tasks are kept. */
export interface TaskRule {
  readonly support: "forbidden" | "optional" | "required";
  readonly ttl?: number | undefined;
}

/** Checks that take the place of those made from the tool's schemas, and what else clients do not see of a tool. */
export interface ToolChecks {
  /** Milliseconds for which tasks of the tool are kept. */
  readonly taskTtl?: number | undefined;
  readonly validateInput?: SchemaCheck | undefined;
  readonly validateOutput?: SchemaCheck | undefined;
}

export interface ToolsOptions extends PagingOptions {
  /**
   * Makes the checks of tools' schemas: `jsonSchemas()` of `@mcp-codegen/runtime/json-schema`. With `unchecked`
   * neither arguments nor structured content are checked. Without it, each tool with a schema that demands something
   * needs checks of its own.
   */
  readonly schemas?: SchemaSource;
  /**
   * Builds the text that tells the model of a failure. Its result is shown to the client. Default:
   * a sentence that the tool failed.
   */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * True to add the JSON of structured content as text to content that lacks it, for clients that know no structured
   * content. Without any content of the handler it is always added. `values`: only for structured content that is no
   * object, beside content without any text. Default: true.
   */
  readonly structuredText?: boolean | "values" | undefined;
}

/** A registered tool, in the hands of who registered it. */
export interface ToolRegistration<Tool, Result, Context> extends Pick<
  Registration<Tool, unknown>,
  "definition" | "isEnabled" | "enable" | "disable" | "remove" | "restrict"
> {
  /**
   * Replaces members of the definition, the handler, or the checks.
   * @throws TypeError as `Tools.add` does; nothing changes then
   */
  update(changes: Partial<Tool>, handler?: ToolHandler<Result, Context>, checks?: ToolChecks): void;
}
