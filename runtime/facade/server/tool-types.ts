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

/** Configuration of a tool, without its name. */
export type ToolConfig<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Partial<Omit<MembersOf<ToolOf<Types>>, "name" | "inputSchema" | "outputSchema">> &
  AccessConfig<Types> & {
    /**
     * Schema of the arguments, which form an object. Without one, the tool has no arguments, and its handler only
     * receives the context.
     */
    readonly inputSchema?: Input;
    /** Schema of the structured content. */
    readonly outputSchema?: Output;
    /**
     * Support for calls as tasks, which needs `serverTasks()` among the `extensions`. With `required`, each call from
     * a client that supports tasks becomes a task, and other calls are refused if the revision lets clients declare
     * tasks. With `optional`, the client chooses, or calls that take long become tasks. If a revision has no tasks,
     * the tool is called as usual. Default: `never`.
     */
    readonly task?: "never" | "optional" | "required";
    /** Time for which the tool's tasks are kept, in milliseconds. Default: the server's option. */
    readonly ttl?: number;
    /** The setting `task` in the protocol's form. */
    readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  };

/**
 * Handler of a tool. It throws a `ToolError` to explain a failure to the model, or an `RpcError` to answer with that
 * error. Anything else becomes an error result without details; `onerror` receives the details.
 */
export type ToolCallback<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Input extends AnySchema
  ? (args: SchemaOutput<Input>, ctx: AskingContext<Types>) => Awaitable<ToolOutcome<Types, Output>>
  : HandlerWithoutInputSchema<Types, Output>;

/**
 * A handler of a tool without an `inputSchema`: it only receives the context. The compiler's message about a handler that
 * expects arguments contains this name.
 */
export type HandlerWithoutInputSchema<Types extends NeutralTypes, Output> = (
  ctx: AskingContext<Types>,
) => Awaitable<ToolOutcome<Types, Output>>;

/** A value, or a promise that resolves to it. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Result of a tool handler. With an `outputSchema`: the structured content itself, or a whole
 * result. Without one: text, content blocks, a whole result, or nothing.
 */
export type ToolOutcome<Types extends NeutralTypes, Output> = [Output] extends [AnySchema]
  ? StructuredOutcome<Types, Output>
  : PlainOutcome<Types>;

/** Result of a handler of a tool with an `outputSchema`. */
export type StructuredOutcome<Types extends NeutralTypes, Output> =
  | ToolResult<Types, Output>
  | InputRequired
  | QuestionsOf<Types, "tools/call">
  | SchemaInput<Output>
  | Structured<SchemaInput<Output>>;

/**
 * Result of a handler of a tool without an `outputSchema`.
 * @typeParam _Advice - exists only for the compiler's messages about other values, which contain it
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

/** A whole result. If it has only structured content, its text is derived from that. */
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

/** Handle of a registered tool. A removed tool cannot be added again through it. */
export interface ToolHandle<Types extends NeutralTypes> extends Handle<ToolOf<Types>> {
  readonly name: string;
  /**
   * Replaces members of the configuration. A handler that is replaced together with its schema receives the output of
   * the new schema.
   * @throws TypeError as `registerTool` does; nothing changes then
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
