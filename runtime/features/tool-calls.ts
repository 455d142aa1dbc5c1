import { summarize } from "../engine/index.js";
import {
  HandlerError,
  INVALID_PARAMS,
  type ParamHeader,
  type Revision,
  RpcError,
  describeThrown,
  isObject,
  quote,
  wasReceived,
} from "../wire/index.js";
import type { HandlerContext } from "../api/index.js";
import { isThenable } from "../ground/index.js";
import { errorResult } from "./error-result.js";
import { jsonForm } from "./json-form.js";
import { withJsonText } from "./json-text.js";
import type { RegistryEntry } from "./registry.js";
import type { SchemaCheck } from "./schema-compiler.js";
import { hasStructuredOutput } from "./structured-output.js";
import { ToolError } from "./tool-error.js";
import type { ToolCall, ToolChecks, ToolDefinition, ToolHandler } from "./tool-types.js";

/** Behaviour of a tool: its handler, and the checks of its input and output. */
export interface ToolBehaviour<Result, Context> {
  readonly handler: ToolHandler<Result, Context>;
  /** Checks as you gave them, for when the definition changes. */
  readonly checks: ToolChecks;
  readonly input: SchemaCheck | undefined;
  readonly output: SchemaCheck | undefined;
  /** Arguments that HTTP requests repeat in header fields. */
  readonly paramHeaders: readonly ParamHeader[];
}

export interface CallOptions {
  readonly report: (error: Error) => void;
  readonly errorText: ((error: unknown, tool: string) => string) | undefined;
  /** True to add structured content as text to the content that a handler gives; `values` for what is no object. */
  readonly structuredText: boolean | "values";
}

type AnyTool<Result, Context> = RegistryEntry<ToolDefinition, ToolBehaviour<Result, Context>>;

/**
 * Calls a tool with what a client sent.
 *
 * @returns a result of the tool, or a promise of one
 * @throws RpcError for arguments that do not fit, where the revision wants an error for that, and what the handler
 *   throws of this class; Error for an output that is not what the tool promises
 */
export function callTool<Result, Context>(
  tool: AnyTool<Result, Context>,
  params: ToolCall,
  context: HandlerContext,
  options: CallOptions,
): unknown {
  const { handler, input } = tool.behaviour;
  const args = params.arguments ?? {};
  const issues = input?.(args);
  if (issues) {
    return refuseArguments(tool.definition.name, summarize(issues), context.session.revision);
  }
  let result: unknown;
  try {
    result = handler(args, context as Context, params);
  } catch (error) {
    return fail(tool.definition, error, context, options);
  }
  if (!isThenable(result)) return finish(tool, result, params, context, options);
  return Promise.resolve(result).then(
    (value) => finish(tool, value, params, context, options),
    (error: unknown) => fail(tool.definition, error, context, options),
  );
}

/**
 * Builds the answer to a call whose arguments violate the schema.
 * @throws RpcError where the revision wants an error for that
 */
export function refuseArguments(name: string, problem: string, { conventions }: Revision): object {
  const text = `Invalid arguments for the tool ${quote(name)}: ${problem}`;
  if (conventions.toolInputErrors === "result") return errorResult(text);
  throw new RpcError(INVALID_PARAMS, text);
}

/** Converts a handler's result to the wire form: checked, with a text, and without members that the revision lacks. */
function finish<Result, Context>(
  { definition, behaviour }: AnyTool<Result, Context>,
  result: unknown,
  params: ToolCall,
  context: HandlerContext,
  { structuredText }: CallOptions,
): unknown {
  if (!isObject(result) || isPreliminary(result, params)) return result;
  const { structuredContent } = result;
  if (structuredContent === undefined && behaviour.output === undefined) return result;
  const isStructured = hasStructuredOutput(context.session.revision);
  const isError = result["isError"] === true;
  if (structuredContent === undefined) {
    if (isStructured && !isError) throw unlikeSchema(definition, "there is none");
    return result;
  }
  if (!isError) checkOutput(definition, behaviour.output, structuredContent);
  const given = result["content"];
  const isLeft =
    given !== undefined &&
    (isError || !Array.isArray(given) || !addsText(structuredText, structuredContent, given));
  const content: unknown = isLeft ? given : withJsonText(given ?? [], structuredContent);
  if (isStructured && content === given) return result;
  const { structuredContent: _, ...others } = result;
  return isStructured ? { ...others, content, structuredContent } : { ...others, content };
}

function addsText(
  structuredText: boolean | "values",
  structuredContent: unknown,
  content: readonly unknown[],
): boolean {
  if (structuredText !== "values") return structuredText;
  return (
    !isObject(structuredContent) &&
    !content.some((block) => isObject(block) && block["type"] === "text")
  );
}

function checkOutput(
  tool: ToolDefinition,
  check: SchemaCheck | undefined,
  structuredContent: unknown,
): void {
  const issues = check?.(jsonForm(structuredContent));
  if (issues) throw unlikeSchema(tool, summarize(issues));
}

/** Turns what a handler threw into a result; nothing but what was meant for the client gets there. */
function fail(
  { name }: ToolDefinition,
  error: unknown,
  context: HandlerContext,
  { report, errorText }: CallOptions,
): unknown {
  if (error instanceof RpcError && !wasReceived(error)) throw error;
  if (error instanceof ToolError) return errorResult(error.message);
  if (!context.signal.aborted) {
    const problem = `failed in the tool ${quote(name)}: ${describeThrown(error)}`;
    report(new HandlerError(context.method, problem, error));
  }
  return errorResult(errorText ? errorText(error, name) : `The tool ${quote(name)} failed`);
}

/** True for a result that precedes the final one: a task, or questions to the client. */
function isPreliminary(result: Record<string, unknown>, { task }: ToolCall): boolean {
  const { resultType = "complete" } = result;
  return resultType !== "complete" || (task !== undefined && isObject(result["task"]));
}

function unlikeSchema({ name }: ToolDefinition, problem: string): Error {
  return new Error(
    `the structured content of the tool ${quote(name)} is not as its outputSchema says: ${problem}`,
  );
}
