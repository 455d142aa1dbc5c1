import { ToolError } from "@mcp-codegen/universal";
import { ProtocolErrorCode } from "../shared/index.js";
import type { Callback } from "../shared/internal/index.js";
import { adapted, type ArgumentsSchema, type MakeContext } from "./adapted-callbacks.js";
import {
  assertOutput,
  assertResult,
  jsonSchemaOf,
  standardOf,
  toolArguments,
} from "./schemas/argument-schemas.js";
import { messageOf } from "./error-messages.js";
import { challenged, type ScopeChallengeHandler } from "./auth/scope-challenge.js";

export interface ToolParts {
  readonly inputSchema?: ArgumentsSchema | undefined;
  readonly outputSchema?: ArgumentsSchema | undefined;
  readonly handler: Callback;
  readonly scopeChallenge?: ScopeChallengeHandler | null | undefined;
}

interface Changes extends Partial<Pick<ToolParts, "outputSchema">> {
  readonly callback?: Callback;
  readonly paramsSchema?: ArgumentsSchema;
}

export interface NativeToolParts {
  readonly inputSchema?: object | undefined;
  readonly outputSchema?: object | undefined;
  readonly checks: object;
  readonly handler: Callback;
}

/**
 * Accepts every value. The handler checks arguments and results itself, so that clients receive the SDK's messages in
 * every revision.
 */
const accepts = (): undefined => undefined;

export function toolParts(
  name: string,
  initial: ToolParts,
  readable: (schema: ArgumentsSchema | undefined) => ArgumentsSchema | undefined,
  contextOf: MakeContext,
): (changes: object) => NativeToolParts {
  let current = initial;
  return (changes) => {
    const { paramsSchema, callback, outputSchema, ...others } = changes as Changes;
    current = {
      ...current,
      ...(paramsSchema === undefined ? {} : { inputSchema: paramsSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(callback === undefined ? {} : { handler: callback }),
    };
    const { inputSchema: input, outputSchema: output } = current;
    const own = { ...current, inputSchema: readable(input), outputSchema: readable(output) };
    return { ...others, ...nativeParts(name, own, contextOf) };
  };
}

function nativeParts(
  name: string,
  { inputSchema, outputSchema, handler: callback, scopeChallenge }: ToolParts,
  contextOf: MakeContext,
): NativeToolParts {
  const whose = (part: string): string => `the ${part} of ${JSON.stringify(name)}`;
  const input = inputSchema && standardOf(inputSchema, whose("inputSchema"));
  const output = outputSchema && standardOf(outputSchema, whose("outputSchema"));
  const call = adapted(callback, contextOf);
  const handler = async (...args: unknown[]): Promise<unknown> => {
    let result: unknown;
    try {
      const context = args.at(-1);
      result = input
        ? await call(await toolArguments(name, input, args[0]), context)
        : await call(context);
      if (output) await assertOutput(name, output, result as object);
    } catch (error) {
      throw forModel(error);
    }
    if (!output) assertResult(name, result);
    return result;
  };
  const paramsOf = (...args: unknown[]): object =>
    args.length > 1 ? { name, arguments: args[0] } : { name };
  return {
    ...(input ? { inputSchema: jsonSchemaOf(input, "input", whose("inputSchema")) } : {}),
    ...(output ? { outputSchema: jsonSchemaOf(output, "output", whose("outputSchema")) } : {}),
    checks: {
      ...(input && { validateInput: accepts }),
      ...(output && { validateOutput: accepts }),
    },
    handler: challenged(handler, scopeChallenge, "tools/call", paramsOf),
  };
}

/** Converts an error to a result for the model, except for the error that requires the user to open a URL. */
function forModel(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === ProtocolErrorCode.UrlElicitationRequired || error instanceof ToolError) return error;
  return new ToolError(messageOf(error));
}
