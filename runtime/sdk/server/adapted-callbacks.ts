import type { SchemaOutput } from "@mcp-codegen/universal";
import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  ListResourcesResult,
  ReadResourceResult,
  StandardSchemaV1,
} from "../shared/index.js";
import type { ServerContext } from "./server-context.js";
import type { NativeContext } from "./connection.js";

/** A record that maps property names to schemas: `{ city: z.string() }`. */
export type ZodRawShape = Readonly<Record<string, StandardSchemaV1>>;

/**
 * A schema for arguments or structured content: either a schema from a library, or a record of such schemas by
 * property.
 */
export type ArgumentsSchema = StandardSchemaV1 | ZodRawShape;

/** The arguments that a handler receives for a schema. Members whose type includes undefined are optional. */
export type ArgumentsOf<Schema> = Schema extends { readonly "~standard": unknown }
  ? SchemaOutput<Schema>
  : Schema extends ZodRawShape
    ? OptionalIfUndefined<{
        -readonly [Name in keyof Schema]: StandardSchemaV1.InferOutput<Schema[Name]>;
      }>
    : SchemaOutput<Schema>;

type OptionalIfUndefined<Members> = Flat<
  { [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name] } & {
    [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Members[Name];
  }
>;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

type MaybePromise<Value> = Value | Promise<Value>;

export type CallbackWith<Outcome, Schema> = Schema extends ArgumentsSchema
  ? (args: ArgumentsOf<Schema>, ctx: ServerContext) => MaybePromise<Outcome>
  : (ctx: ServerContext) => MaybePromise<Outcome>;

/** The handler of a tool. */
export type ToolCallback<Schema extends ArgumentsSchema | undefined = undefined> = CallbackWith<
  CallToolResult | InputRequiredResult,
  Schema
>;

/** A tool handler that takes any arguments. */
export type AnyToolHandler<Schema extends ArgumentsSchema | undefined = undefined> =
  ToolCallback<Schema>;

/** A tool handler with a different result or context type. */
export type BaseToolCallback<
  Outcome,
  Context,
  Schema extends ArgumentsSchema | undefined,
> = Schema extends ArgumentsSchema
  ? (args: ArgumentsOf<Schema>, ctx: Context) => MaybePromise<Outcome>
  : (ctx: Context) => MaybePromise<Outcome>;

/** A function that renders a prompt. */
export type PromptCallback<Schema extends ArgumentsSchema | undefined = undefined> = CallbackWith<
  GetPromptResult | InputRequiredResult,
  Schema
>;

/** A function that reads a resource. */
export type ReadResourceCallback = (
  uri: URL,
  ctx: ServerContext,
) => MaybePromise<ReadResourceResult | InputRequiredResult>;

/** The values of a template's variables. */
export type Variables = Record<string, string | string[]>;

/** A function that reads a resource matching a template. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  ctx: ServerContext,
) => MaybePromise<ReadResourceResult | InputRequiredResult>;

/** A function that lists the resources belonging to a template. */
export type ListResourcesCallback = (ctx: ServerContext) => MaybePromise<ListResourcesResult>;

/** A function that suggests values for an argument or a variable. */
export type CompleteCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => MaybePromise<string[]>;

/** A function that suggests values for a template variable. */
export type CompleteResourceTemplateCallback = CompleteCallback;

type Callback = (...args: never[]) => unknown;

/** Creates the context for a request. Returns a promise if the handler's state has to be read first. */
export type MakeContext = (native: NativeContext) => ServerContext | Promise<ServerContext>;

export function adapted(
  callback: Callback,
  contextOf: MakeContext,
): (...args: unknown[]) => unknown {
  return (...args) => {
    const native = args.at(-1) as NativeContext;
    const call = (ctx: ServerContext): unknown =>
      (callback as (...values: unknown[]) => unknown)(...args.slice(0, -1), ctx);
    const ctx = contextOf(native);
    return ctx instanceof Promise ? ctx.then(call) : call(ctx);
  };
}
