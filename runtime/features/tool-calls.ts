import { summarize } from "../engine/index.js";
import {
  HandlerError,
  INVALID_PARAMS,
  type Revision,
  RpcError,
  SharedError,
  describeThrown,
  isObject,
  quote,
  wasReceived,
} from "../wire/index.js";
import type { HandlerContext } from "../api/index.js";
import { isThenable, onDemand, whenDone } from "../ground/index.js";
import type { DeferredCheck } from "./schema-checks.js";
import type { ToolCall, ToolHandler } from "./tool-types.js";

/**
 * Thrown by a tool's handler to explain a failure to the model. The call returns a result with `isError`, and with the
 * error's message as its text. The message should state what can be done about the failure, and must not contain
 * secrets (MCP: tools, error handling).
 */
export class ToolError extends SharedError {
  static override readonly errorName: string = "ToolError";
}

/**
 * Calls a tool.
 *
 * @throws RpcError if the arguments are invalid and the revision reports this as an error, or if the handler throws an
 *   RpcError of its own
 * @throws Error if the output does not match the tool's schema
 */
export type CallTool = (params: ToolCall, context: HandlerContext) => unknown;

export interface CallOptions {
  readonly report: (error: Error) => void;
  readonly errorText: ((error: unknown, tool: string) => string) | undefined;
  readonly structuredText: boolean | "values";
}

interface CallChecks {
  readonly input: DeferredCheck | undefined;
  readonly output: DeferredCheck | undefined;
}

const whenStructured = onDemand(() => import("./structured-results/index.js"));

export function compileCall(
  name: string,
  handler: ToolHandler<unknown>,
  { input, output }: CallChecks,
  options: CallOptions,
): CallTool {
  const finish = (result: unknown, params: ToolCall, context: HandlerContext): unknown => {
    const { structuredContent } = (result ?? {}) as Record<string, unknown>;
    const isPlain = structuredContent === undefined && output === undefined;
    if (isPlain || !isObject(result) || isPreliminary(result, params)) return result;
    const { revision } = context.session;
    return whenStructured(({ structuredResult }) =>
      structuredResult({ name, result, output, revision, text: options.structuredText }),
    );
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
  return (params, context) => {
    const issues = input(params.arguments ?? {});
    if (issues === undefined) return run(params, context);
    return whenDone(issues, (found) =>
      found
        ? refuseArguments(name, summarize(found), context.session.revision)
        : run(params, context),
    );
  };
}

/**
 * Returns an error result for a call whose arguments violate the schema.
 * @throws RpcError if the revision reports invalid arguments as an error
 */
export function refuseArguments(name: string, problem: string, { conventions }: Revision): object {
  const text = `Invalid arguments for the tool ${quote(name)}: ${problem}`;
  if (conventions.toolInputErrors === "result") return errorResult(text);
  throw new RpcError(INVALID_PARAMS, text);
}

/** Returns a result that reports a tool's failure to the model. */
export function errorResult(text: string): object {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Converts an error that a handler threw into a result for the model. Only a ToolError's message, or the text that
 * `errorText` returns, reaches the client.
 *
 * @throws RpcError if the handler threw one that did not come from a peer
 */
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

/** Returns true if a result precedes the final one: a task, or a request for input. */
function isPreliminary(result: Record<string, unknown>, { task }: ToolCall): boolean {
  const { resultType = "complete" } = result;
  return resultType !== "complete" || (task !== undefined && isObject(result["task"]));
}
