import type { InputRequired } from "../../api/index.js";
import type { MembersOf } from "../../ground/index.js";
import type {
  ContentBlock,
  GivenResult,
  NeutralTypes,
  QuestionsOf,
  ToolOf,
} from "../neutral-types.js";
import type { AskingContext } from "./context-types.js";
import type { AccessConfig, Handle } from "./registration.js";
import type { AnySchema, SchemaInput, SchemaOutput } from "./schema-types.js";
import type { Structured } from "./tools.js";

/** The configuration of a tool, without its name. */
export type ToolConfig<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Partial<Omit<MembersOf<ToolOf<Types>>, "name" | "inputSchema" | "outputSchema">> &
  AccessConfig<Types> & {
    /**
     * The schema of the arguments, which form an object. Without a schema, the tool has no arguments and its handler
     * receives only the context.
     */
    readonly inputSchema?: Input;
    /** The schema of the structured content. */
    readonly outputSchema?: Output;
    /**
     * Controls whether calls can run as tasks, which requires `serverTasks()` among the `extensions`. With `required`,
     * each call from a client that supports tasks becomes a task, and other calls are refused if the revision lets
     * clients declare tasks. With `optional`, the client chooses, or calls that take long become tasks. If a revision
     * has no tasks, the tool is called as usual. Default: `never`.
     */
    readonly task?: "never" | "optional" | "required";
    /** The time for which the tool's tasks are kept, in milliseconds. Default: the value of the server's option. */
    readonly ttl?: number;
    /** The `task` setting in the protocol's form. */
    readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  };

/**
 * Handles calls to a tool. It throws a `ToolError` to explain a failure to the model, or an `RpcError` to answer with
 * that error. Anything else that it throws becomes an error result without details, and `onerror` receives the details.
 */
export type ToolCallback<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Input extends AnySchema
  ? (args: SchemaOutput<Input>, ctx: AskingContext<Types>) => Awaitable<ToolOutcome<Types, Output>>
  : HandlerWithoutInputSchema<Types, Output>;

/**
 * A handler for a tool without an `inputSchema`. It receives only the context. The compiler's message about a handler
 * that expects arguments contains this name.
 */
export type HandlerWithoutInputSchema<Types extends NeutralTypes, Output> = (
  ctx: AskingContext<Types>,
) => Awaitable<ToolOutcome<Types, Output>>;

/** A value, or a promise that resolves to it. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * The result of a tool handler. With an `outputSchema`, it is the structured content itself or a whole result. Without
 * one, it is text, content blocks, a whole result, or nothing.
 */
export type ToolOutcome<Types extends NeutralTypes, Output> = [Output] extends [AnySchema]
  ? StructuredOutcome<Types, Output>
  : PlainOutcome<Types>;

/** The result of a handler for a tool with an `outputSchema`. */
export type StructuredOutcome<Types extends NeutralTypes, Output> =
  | ToolResult<Types, Output>
  | InputRequired
  | QuestionsOf<Types, "tools/call">
  | SchemaInput<Output>
  | Structured<SchemaInput<Output>>;

/**
 * The result of a handler for a tool without an `outputSchema`.
 *
 * @typeParam _Advice - exists only to appear in the compiler's messages about other values
 */
export type PlainOutcome<
  Types extends NeutralTypes,
  _Advice extends string = "to return an object, declare an outputSchema",
> =
  | ToolResult<Types, undefined>
  | InputRequired
  | QuestionsOf<Types, "tools/call">
  | string
  | readonly ContentBlock<Types>[]
  | Structured
  | void;

/** A whole result. If it has only structured content, its text is derived from that content. */
export type ToolResult<Types extends NeutralTypes, Output> =
  | WithContent<Types, Output>
  | {
      readonly structuredContent: StructuredBy<Output>;
      readonly _meta?: { [key: string]: unknown };
    };

type WithContent<Types extends NeutralTypes, Output> = {
  [Name in keyof GivenResult<Types, "tools/call", "content">]: Name extends "content"
    ? readonly ContentBlock<Types>[]
    : Name extends "structuredContent"
      ? StructuredBy<Output> | undefined
      : GivenResult<Types, "tools/call", "content">[Name];
};

type StructuredBy<Output> = [Output] extends [AnySchema] ? SchemaInput<Output> : unknown;

/** The handle of a registered tool. A removed tool cannot be added again through it. */
export interface ToolHandle<Types extends NeutralTypes> extends Handle<ToolOf<Types>> {
  readonly name: string;
  /**
   * Replaces properties of the configuration. A handler that is replaced together with its schema receives the output
   * of the new schema.
   *
   * @throws TypeError as `registerTool` does, in which case nothing changes
   */
  update<
    const Input extends AnySchema | undefined = undefined,
    const Output extends AnySchema | undefined = undefined,
  >(
    changes: ToolConfig<Types, Input, Output> & {
      readonly name?: string;
      readonly enabled?: boolean;
      readonly handler?: ToolCallback<Types, Input, Output>;
    },
  ): void;
}
