import type { HandlerContext } from "../../api/index.js";
import { internalError } from "../../engine/index.js";
import type { ToolChecks, ToolDefinition, ToolHandler, Tools } from "../../features/index.js";
import { refuseArguments, TOOLS } from "../../features/server/index.js";
import { isThenable, whenDone } from "../../ground/index.js";
import { HandlerError, isObject, quote } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  type Adapted,
  callbackOf,
  described,
  type Kind,
  type RegistrationHost,
} from "./registration.js";
import type { AnySchema } from "./schema-types.js";
import { ofObject, type ReadSchema, readSchema } from "./schemas.js";

/** Identifies explicitly marked structured content. It is the same in all copies of the package. */
const STRUCTURED = "mcp-codegen:structured";

/** The structured content of a tool's result, whatever its members are called. */
export class Structured<Value = unknown> {
  readonly resultType: typeof STRUCTURED = STRUCTURED;
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * Marks a value as the structured content of a tool's result. This is needed only for a value that looks like a whole
 * result because it has a `content`, `structuredContent`, `isError` or `resultType` member.
 */
export function structured<Value>(value: Value): Structured<Value> {
  return new Structured(value);
}

export interface ToolSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly inputSchema?: AnySchema | undefined;
  readonly outputSchema?: AnySchema | undefined;
  readonly task?: "never" | "optional" | "required" | undefined;
  readonly ttl?: number | undefined;
  /** The checks that generated code provides for plain JSON Schemas. */
  readonly checks?: Pick<ToolChecks, "validateInput" | "validateOutput"> | undefined;
  readonly handler: unknown;
}

type ToolParts = [handler: ToolHandler<unknown>, checks: ToolChecks];

const NO_ARGUMENTS = { type: "object", properties: {} };

export function toolKind(
  tools: Tools<ToolDefinition, unknown>,
  host: RegistrationHost,
): Kind<ToolSpec, ToolDefinition, ToolParts> {
  return {
    family: TOOLS,
    feature: TOOLS.name,
    names: ["handler", "task", "ttl", "execution", "checks"],
    adapt: (given) => adaptTool(given, host),
    add: (definition, handler, checks) => tools.add(definition, handler, checks),
  };
}

function adaptTool(given: ToolSpec, host: RegistrationHost): Adapted<ToolDefinition, ToolParts> {
  const { name, inputSchema, outputSchema, handler, task, ttl: taskTtl, checks, ...others } = given;
  const what = `the tool ${quote(name)}`;
  const call = callbackOf(handler, `The handler of ${what}`, "registerTool(name, config, handler)");
  const input =
    inputSchema === undefined
      ? undefined
      : ofObject(readSchema(inputSchema, "input", `the inputSchema of ${quote(name)}`));
  const output =
    outputSchema === undefined
      ? undefined
      : readSchema(outputSchema, "output", `the outputSchema of ${quote(name)}`);
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

function compileHandler(
  name: string,
  callback: (...args: unknown[]) => unknown,
  input: ReadSchema | undefined,
  output: ReadSchema | undefined,
  { contextOf, report }: RegistrationHost,
): ToolHandler<unknown> {
  const isStructured = output !== undefined;
  const parseOutput = output?.parse;
  /** Reports a problem on this side, and returns an error for the client that does not reveal the problem. */
  const failure = (problem: string, { method }: HandlerContext): Error => {
    report(new HandlerError(method, `failed: ${problem}`));
    return internalError();
  };
  const resultOf = (value: unknown, context: HandlerContext): unknown => {
    if (isCreatedTask(value, context.params)) return value;
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

/** Returns true if the call requests a task and its handler has created the task itself. */
function isCreatedTask(value: unknown, params: unknown): boolean {
  const isTask = isObject(params) && params["task"] !== undefined;
  return isTask && isObject(value) && Object.hasOwn(value, "task");
}

/** The members that only a whole result has. */
const MARKS = ["content", "structuredContent", "isError", "resultType"];

/** Returns a string that explains the problem if the value is invalid; otherwise returns the result. */
function toolResult(outcome: unknown, isStructured: boolean): object | string {
  if (isObject(outcome) && outcome["resultType"] === STRUCTURED)
    return { structuredContent: outcome["value"] };
  if (isObject(outcome) && MARKS.some((name) => Object.hasOwn(outcome, name))) {
    return wholeResult(outcome, isStructured);
  }
  if (isStructured) return { structuredContent: outcome };
  if (Array.isArray(outcome)) return { content: outcome };
  if (outcome === undefined) return { content: [] };
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
