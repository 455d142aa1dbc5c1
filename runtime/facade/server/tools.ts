import type { HandlerContext, InputRequired } from "../../api/index.js";
import { internalError } from "../../engine/index.js";
import type { ToolChecks, ToolDefinition, ToolHandler, Tools } from "../../features/index.js";
import { refuseArguments, ToolError, TOOLS } from "../../features/server/index.js";
import { isThenable, type MembersOf, whenDone } from "../../ground/index.js";
import { HandlerError, isObject, quote } from "../../wire/index.js";
import type {
  AnyTypes,
  ContentBlock,
  GivenResult,
  NeutralTypes,
  QuestionsOf,
  ToolOf,
} from "../neutral-types.js";
import type { AskingContext } from "./context-types.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  type Adapted,
  callbackOf,
  described,
  type Kind,
  type RegistrationHost,
} from "./registration.js";
import type { AnySchema, SchemaInput, SchemaOutput } from "./schema-types.js";
import { ofObject, type ReadSchema, readSchema } from "./schemas.js";

/** Configuration of a tool, without its name. */
export type ToolConfig<
  Types extends NeutralTypes,
  Input extends AnySchema | undefined,
  Output extends AnySchema | undefined,
> = Partial<Omit<MembersOf<ToolOf<Types>>, "name" | "inputSchema" | "outputSchema">> &
  AccessConfig<Types> & {
    /**
     * Schema of the arguments, an object. Without one, the tool has no arguments, and its handler only receives the
     * context.
     */
    readonly inputSchema?: Input;
    /** Schema of the structured content. */
    readonly outputSchema?: Output;
    /**
     * Support of calls as tasks, with `serverTasks()` among the `extensions`. With `required`, each call of a client that
     * knows tasks becomes one, and other calls are refused if the revision lets clients declare tasks. With `optional`, the
     * client chooses, or calls that take long become tasks. If a revision has no tasks, the tool is called as usual.
     * Default: `never`.
     */
    readonly task?: "never" | "optional" | "required";
    /** Milliseconds for which its tasks are kept. Default: as the server's option. */
    readonly ttl?: number;
    /** `task` by the names of 2025-11-25. */
    readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  };

/**
 * Handler of a tool. It throws a `ToolError` to explain a failure to the model, or an `RpcError` to
 * answer with that error; anything else becomes an error result without details, which `onerror`
 * receives.
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

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

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

/**
 * Result of a handler of a tool without an `outputSchema`.
 * @typeParam _Advice - is only there for the compiler's messages about other values, which print it
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

/** A registered tool, as its handle. A removed one stays removed. */
export interface ToolHandle<Types extends NeutralTypes> {
  readonly name: string;
  /** Definition as clients list it. */
  readonly definition: ToolOf<Types>;
  readonly enabled: boolean;
  /**
   * Replaces members of the configuration. A handler that is replaced with its schema receives that schema's output.
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

/** Structured content of a tool's result, whatever its members are called. */
export class Structured<Value = unknown> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * Marks a value as the structured content of a tool's result. Only needed for a value that looks like a whole result, because
 * it has a member `content`, `structuredContent`, `isError` or `resultType`.
 */
export function structured<Value>(value: Value): Structured<Value> {
  return new Structured(value);
}

/** Configuration of a tool, as it is registered. */
export interface ToolSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly inputSchema?: AnySchema | undefined;
  readonly outputSchema?: AnySchema | undefined;
  readonly task?: "never" | "optional" | "required" | undefined;
  readonly ttl?: number | undefined;
  /** Checks that generated code has for plain JSON Schemas. */
  readonly checks?: Pick<ToolChecks, "validateInput" | "validateOutput"> | undefined;
  readonly handler: unknown;
}

type ToolParts = [handler: ToolHandler<unknown>, checks: ToolChecks];

const NO_ARGUMENTS = { type: "object", properties: {} };

/** The registration of tools. */
export function toolKind(
  tools: Tools<ToolDefinition, unknown>,
  host: RegistrationHost,
): Kind<ToolSpec, ToolDefinition, ToolParts> {
  return {
    family: TOOLS,
    feature: TOOLS.name,
    names: ["handler", "task", "ttl", "execution", "checks"],
    aliases: { paramsSchema: "inputSchema", callback: "handler" },
    adapt: (given) => adaptTool(given, host),
    add: (definition, handler, checks) => tools.add(definition, handler, checks),
  };
}

function adaptTool(given: ToolSpec, host: RegistrationHost): Adapted<ToolDefinition, ToolParts> {
  const { name, inputSchema, outputSchema, handler, task, ttl: taskTtl, checks, ...others } = given;
  const what = `the tool ${quote(name)}`;
  const call = callbackOf(handler, `The handler of ${what}`, "registerTool(name, config, handler)");
  const input =
    inputSchema && ofObject(readSchema(inputSchema, "input", `the inputSchema of ${quote(name)}`));
  const output =
    outputSchema && readSchema(outputSchema, "output", `the outputSchema of ${quote(name)}`);
  return {
    definition: {
      name,
      ...described(others),
      ...(task && { execution: { taskSupport: task === "never" ? "forbidden" : task } }),
      inputSchema: input?.json ?? NO_ARGUMENTS,
      ...(output ? { outputSchema: output.json } : {}),
    },
    given: [
      compileHandler(name, call, input, output, host),
      {
        ...checks,
        ...(taskTtl !== undefined && { taskTtl }),
        ...(input?.parse ? { validateInput: () => undefined } : {}),
        ...(output?.parse ? { validateOutput: () => undefined } : {}),
      },
    ],
  };
}

/** The handler that the feature calls: parses the arguments, calls the callback, and converts its value to a result. */
function compileHandler(
  name: string,
  callback: (...args: unknown[]) => unknown,
  input: ReadSchema | undefined,
  output: ReadSchema | undefined,
  { contextOf, report, tellErrors }: RegistrationHost,
): ToolHandler<unknown> {
  const isStructured = output !== undefined;
  const parseOutput = output?.parse;
  /** Error for the client; the problem is reported on this side, and sent only if the server's options say so. */
  const failure = (problem: string, { method }: HandlerContext): Error => {
    report(new HandlerError(method, `failed: ${problem}`));
    return tellErrors ? new ToolError(problem) : internalError();
  };
  const resultOf = (value: unknown, context: HandlerContext): unknown => {
    const result = toolResult(value, isStructured);
    if (typeof result === "string") {
      throw failure(`the tool ${quote(name)} ${result}`, context);
    }
    const { structuredContent, isError } = result as Record<string, unknown>;
    if (!parseOutput || isError === true || structuredContent === undefined) return result;
    return whenDone(parseOutput(structuredContent), (parsing) => {
      if ("value" in parsing) return { ...result, structuredContent: parsing.value };
      const what = `the structured content of the tool ${quote(name)}`;
      throw failure(`${what} violates its outputSchema: ${parsing.problem}`, context);
    });
  };
  const finished = (outcome: unknown, context: HandlerContext): unknown => {
    if (typeof outcome === "string" && !isStructured)
      return { content: [{ type: "text", text: outcome }] };
    return isThenable(outcome)
      ? Promise.resolve(outcome).then((value) => finished(value, context))
      : askable(outcome, context, (value) => resultOf(value, context));
  };

  if (input === undefined) {
    return (_args, context) => finished(callback(contextOf(context)), context);
  }
  const { parse } = input;
  if (parse === undefined) {
    return (args, context) => finished(callback(args, contextOf(context)), context);
  }
  return (args, context) =>
    whenDone(parse(args), (parsing) =>
      "problem" in parsing
        ? refuseArguments(name, parsing.problem, context.session.revision)
        : finished(callback(parsing.value, contextOf(context)), context),
    );
}

/** Members that only a whole result has. */
const MARKS = ["content", "structuredContent", "isError", "resultType"];

/** The result for a value other than a text that a tool's handler returned; a text about the mistake if it is not a valid one. */
function toolResult(outcome: unknown, isStructured: boolean): object | string {
  if (outcome instanceof Structured) return { structuredContent: outcome.value };
  if (isObject(outcome) && MARKS.some((name) => Object.hasOwn(outcome, name))) {
    return wholeResult(outcome, isStructured);
  }
  if (isStructured) return { structuredContent: outcome };
  if (Array.isArray(outcome)) return { content: outcome };
  if (outcome === undefined) return { content: [] };
  if (isObject(outcome) && Object.hasOwn(outcome, "task")) return outcome;
  const type = outcome === null ? "null" : typeof outcome;
  return `returned a value of type ${type}: return a string or content blocks, or declare an outputSchema`;
}

function wholeResult(outcome: Record<string, unknown>, isStructured: boolean): object | string {
  const { content, structuredContent, isError, resultType = "complete" } = outcome;
  if (resultType !== "complete") return outcome;
  if (isStructured && structuredContent === undefined && isError !== true) {
    const names = MARKS.filter((name) => name === "content" || outcome[name] !== undefined);
    return (
      `returned an object with ${names.join(" and ")}, that is, a whole result, without the structured content of its ` +
      `outputSchema; if it is the structured content, return structured(value)`
    );
  }
  const hasOutput = content !== undefined || structuredContent !== undefined;
  return hasOutput ? outcome : { ...outcome, content: [] };
}
