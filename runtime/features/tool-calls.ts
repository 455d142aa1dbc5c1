import { summarize } from "../engine/index.js";
import {
  HandlerError,
  INVALID_PARAMS,
  type Revision,
  RpcError,
  describeThrown,
  isObject,
  quote,
  wasReceived,
} from "../wire/index.js";
import type { HandlerContext } from "../api/index.js";
import { isThenable, whenDone } from "../ground/index.js";
import { type DeferredCheck, knowsMember } from "./schema-checks.js";
import type { ToolCall, ToolHandler } from "./tool-types.js";

/**
 * Thrown by a tool's handler to explain a failure to the model: it becomes a result with `isError`,
 * whose text is the message. State what can be done about it, and nothing secret (MCP: tools, error
 * handling).
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
}

/**
 * Calls a tool with the parameters that a client sent, and returns its result or a promise of it.
 * @throws RpcError for invalid arguments, if the revision has an error for that, and any new one that the handler throws;
 *   Error for an output that does not fit the tool's schema
 */
export type CallTool = (params: ToolCall, context: HandlerContext) => unknown;

export interface CallOptions {
  readonly report: (error: Error) => void;
  readonly errorText: ((error: unknown, tool: string) => string) | undefined;
  /** True to add structured content as text to the handler's content; `values` only for values other than objects. */
  readonly structuredText: boolean | "values";
}

interface CallChecks {
  readonly input: DeferredCheck | undefined;
  readonly output: DeferredCheck | undefined;
}

/** Composes the calls of a tool from its handler and the checks that it has. */
export function compileCall(
  name: string,
  handler: ToolHandler<unknown>,
  { input, output }: CallChecks,
  options: CallOptions,
): CallTool {
  const finish = (result: unknown, params: ToolCall, context: HandlerContext): unknown => {
    if (!isObject(result)) return result;
    const { structuredContent } = result;
    const isPlain = structuredContent === undefined && output === undefined;
    if (isPlain || isPreliminary(result, params)) return result;
    const isStructured = hasStructuredOutput(context.session.revision);
    const isError = result["isError"] === true;
    if (structuredContent === undefined) {
      if (isStructured && !isError) throw unlikeSchema(name, "there is none");
      return result;
    }
    const checked = isError ? undefined : output?.(jsonForm(structuredContent));
    return whenDone(checked, (issues) => {
      if (issues) throw unlikeSchema(name, summarize(issues));
      return structuredResult(result, isStructured, options.structuredText);
    });
  };
  const fail = (error: unknown, context: HandlerContext): unknown =>
    failure(name, error, context, options);

  const run: CallTool = (params, context) => {
    let result: unknown;
    try {
      result = handler(params.arguments ?? {}, context, params);
    } catch (error) {
      return fail(error, context);
    }
    if (!isThenable(result)) return finish(result, params, context);
    return Promise.resolve(result).then(
      (value) => finish(value, params, context),
      (error: unknown) => fail(error, context),
    );
  };
  if (input === undefined) return run;
  return (params, context) =>
    whenDone(input(params.arguments ?? {}), (issues) =>
      issues
        ? refuseArguments(name, summarize(issues), context.session.revision)
        : run(params, context),
    );
}

/**
 * Builds the answer to a call whose arguments violate the schema.
 * @throws RpcError if the revision has an error for that
 */
export function refuseArguments(name: string, problem: string, { conventions }: Revision): object {
  const text = `Invalid arguments for the tool ${quote(name)}: ${problem}`;
  if (conventions.toolInputErrors === "result") return errorResult(text);
  throw new RpcError(INVALID_PARAMS, text);
}

/** Result that reports a failure of a tool to the model. */
export function errorResult(text: string): object {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Content with the JSON of a value as text, unless a block contains the same JSON already, however indented (MCP: tools,
 * structured content).
 */
export function withJsonText(content: readonly unknown[], value: unknown): readonly unknown[] {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || content.some((block) => saysSame(block, text))) return content;
  return [...content, { type: "text", text }];
}

function saysSame(block: unknown, json: string): boolean {
  const text = isObject(block) && block["type"] === "text" ? block["text"] : undefined;
  if (text === json) return true;
  if (typeof text !== "string" || text.length < json.length) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

/** The wire form of a result with structured content: with a text, and without the content if the revision lacks it. */
function structuredResult(
  result: Record<string, unknown>,
  isStructured: boolean,
  structuredText: boolean | "values",
): unknown {
  const { structuredContent, content: given, ...others } = result;
  const isKept =
    given !== undefined &&
    (result["isError"] === true ||
      !Array.isArray(given) ||
      !addsText(structuredText, structuredContent, given));
  const content: unknown = isKept
    ? given
    : withJsonText((given ?? []) as readonly unknown[], structuredContent);
  if (!isStructured) return { ...others, content };
  return content === given ? result : { ...others, content, structuredContent };
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

/** Converts an error of a handler to a result, which contains only information for the client. */
function failure(
  name: string,
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

function unlikeSchema(name: string, problem: string): Error {
  return new Error(
    `the structured content of the tool ${quote(name)} is not as its outputSchema says: ${problem}`,
  );
}

/**
 * True if tools can have an `outputSchema` and results a `structuredContent`; the same revision introduced both. Handlers
 * that are written for the newest revision rely on the projection instead.
 */
function hasStructuredOutput(revision: Revision): boolean {
  return revision.projection !== undefined || knowsOutputSchema(revision);
}

const knowsOutputSchema = /* @__PURE__ */ knowsMember({
  method: "tools/list",
  part: "result",
  value: { tools: [{ name: "probe", inputSchema: { type: "object" }, outputSchema: 0 }] },
  path: "/tools/0/outputSchema",
});

/** Depth up to which a value is examined; deeper values are converted. */
const MAX_DEPTH = 256;

/**
 * A value as its receiver sees it: itself if it is only JSON data, else its converted form.
 * @throws TypeError if it has no JSON form: a `bigint`, a cycle
 */
function jsonForm(value: unknown): unknown {
  if (isJson(value, MAX_DEPTH)) return value;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth > 0 && isPlainJson(value, depth));
    default:
      return false;
  }
}

function isPlainJson(value: object, depth: number): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name of Object.keys(value)) {
    if (!isJson((value as Record<string, unknown>)[name], depth - 1)) return false;
  }
  return true;
}
