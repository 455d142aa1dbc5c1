import type { HandlerContext } from "../api/index.js";
import type { FromSchema, Literal, ObjectFromSchema } from "./from-schema.js";
import type { PagingOptions, Registration } from "./registry-types.js";
import type { DeferredCheck, Schemas } from "./schema-checks.js";

/** The members that tools have in all revisions. */
export interface ToolDefinition {
  readonly name: string;
  /** A JSON Schema with the type `object`. */
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
}

/** The members that the parameters of `tools/call` have in all revisions. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly task?: unknown;
}

/** The literal type of a tool's schema; `never` if the revision has no such schema. */
export type ToolSchema<Tool, Name extends SchemaName> = Name extends keyof Tool
  ? Literal<NonNullable<Tool[Name]>>
  : never;

/** The type of a tool definition with the given schemas. */
export type TypedTool<Tool, Input, Output> = Literal<Omit<Tool, SchemaName>> & {
  readonly inputSchema: Input;
  readonly outputSchema?: Output | undefined;
};

/** The arguments that match the input schema. */
export type ToolArguments<Input> = ObjectFromSchema<Input>;

/**
 * Structured content that matches the output schema; `unknown` if there is no schema or if its literal type is not
 * known.
 */
export type StructuredContent<Output> = [Output] extends [never]
  ? unknown
  : Output extends { readonly type: "object" }
    ? ObjectFromSchema<Output, unknown>
    : FromSchema<Output>;

type SchemaName = "inputSchema" | "outputSchema";

/** A result with structured content, from which its text is generated. */
export interface StructuredResult<Content = unknown> {
  readonly structuredContent: Content;
  readonly _meta?: { [key: string]: unknown };
}

/**
 * Handles calls to a tool. It throws a `ToolError` to explain a failure to the model, or a new `RpcError` to answer
 * with that error. Any other error becomes an error result without details, and `onerror` receives the details. This
 * includes an `RpcError` that the peer sent in answer to one of the handler's requests.
 *
 * @param args - the arguments, which are valid according to the tool's `inputSchema`; an empty object if the client
 *   sent none
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

/** Controls whether a tool's calls run as tasks. `ttl` is the time for which the tasks are kept, in milliseconds. */
export interface TaskRule {
  readonly support: "forbidden" | "optional" | "required";
  readonly ttl?: number | undefined;
}

/** Checks that replace those compiled from the tool's schemas, and other settings that clients do not see. */
export interface ToolChecks {
  /** The time for which the tool's tasks are kept, in milliseconds. */
  readonly taskTtl?: number | undefined;
  readonly validateInput?: DeferredCheck | undefined;
  readonly validateOutput?: DeferredCheck | undefined;
}

export interface ToolsOptions extends PagingOptions {
  /**
   * The compiler that creates checks from the tools' schemas: `jsonSchemas()` from `@mcp-codegen/runtime/json-schema`.
   * With `unchecked`, neither arguments nor structured content are checked. Without this option, each tool whose schema
   * requires more than an object needs its own checks.
   */
  readonly schemas?: Schemas;
  /**
   * Builds the text that the model receives about a failure. Clients can see it. Default: a sentence that says that the
   * tool failed.
   */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * True to add structured content as JSON text to content that does not contain it, for clients that do not support
   * structured content. The text is always added if the handler returns no content. With `values`, it is added only if
   * the structured content is not an object and the content has no text. Default: true.
   */
  readonly structuredText?: boolean | "values" | undefined;
}

/** The handle of a registered tool, for the code that registered it. */
export type ToolRegistration<Tool, Result, Context> = Registration<
  Tool,
  [handler: ToolHandler<Result, Context>, checks: ToolChecks]
>;
