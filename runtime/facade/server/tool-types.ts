import type { MembersOf } from "../../ground/index.js";
import type { InputRequired } from "../../api/index.js";
import type { AccessConfig } from "./access-rule.js";
import type { AskingContext } from "./context-types.js";
import type {
  ContentBlock,
  GivenResult,
  NeutralTypes,
  QuestionsOf,
  ToolOf,
} from "./neutral-types.js";
import type { SchemaInput, AnySchema, SchemaOutput } from "./schema-types.js";
import type { Structured } from "./structured.js";

/** A tool but for its name. */
export type ToolConfig<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Partial<Omit<MembersOf<ToolOf<Types>>, "name" | "inputSchema" | "outputSchema">> &
  AccessConfig<Types> & {
    /**
     * Schema of the arguments, an object. Without one, the tool takes no arguments, and its handler
     * gets only the context.
     */
    readonly inputSchema?: Input;
    /** Schema of the structured content. */
    readonly outputSchema?: Output;
    /**
     * Way in which calls become tasks, with `serverTasks()` among the `extensions`: `required` makes each call one, of clients
     * that know tasks, and refuses others where the revision lets clients say so; `optional` lets the client choose, or one
     * that takes long. Where a revision has no tasks, the tool is called as usual. Default: `never`.
     */
    readonly task?: "never" | "optional" | "required";
    /** Milliseconds for which its tasks are kept. Default: that of the server. */
    readonly ttl?: number;
    /** `task` in the words of 2025-11-25. */
    readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  };

/**
 * Does what a tool is for. Throw a `ToolError` to tell the model what went wrong, an `RpcError` to answer with that
 * error; anything else that is thrown becomes an error result without details, and `onerror` gets those.
 */
export type ToolCallback<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Input extends AnySchema
  ? (
      args: SchemaOutput<Input>,
      ctx: AskingContext<Types>,
    ) => ToolOutcome<Types, Output> | Promise<ToolOutcome<Types, Output>>
  : HandlerWithoutInputSchema<Types, Output>;

/**
 * A handler of a tool that has no `inputSchema`: there are no arguments, and it gets the context only. The name is part of
 * what the compiler says about a handler that expects arguments.
 */
export type HandlerWithoutInputSchema<Types extends NeutralTypes, Output> = (
  ctx: AskingContext<Types>,
) => ToolOutcome<Types, Output> | Promise<ToolOutcome<Types, Output>>;

/**
 * Result of a tool handler. With an `outputSchema`: the structured content itself, or a whole
 * result. Without one: a text, content blocks, a whole result, or nothing.
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

/** Result of a handler of a tool without an `outputSchema`. */
export type PlainOutcome<Types extends NeutralTypes> =
  | ToolResult<Types, undefined>
  | InputRequired
  | QuestionsOf<Types, "tools/call">
  | string
  | readonly ContentBlock<Types>[]
  | Structured
  | void;

/** A whole result; a text is made from structured content alone. */
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

/** A registered tool, in the hands of who registered it. What has been removed stays removed. */
export interface ToolHandle<Types extends NeutralTypes> {
  readonly name: string;
  /** Definition as clients list it. */
  readonly definition: ToolOf<Types>;
  readonly enabled: boolean;
  /**
   * Replaces what is given. A handler gets what a schema that is given along with it makes of the arguments.
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
  /** Lists it again. */
  enable(): void;
  /** Keeps it from being listed and called. */
  disable(): void;
  remove(): void;
}
