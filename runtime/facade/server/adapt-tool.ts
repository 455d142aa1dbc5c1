import { HandlerError, isObject, quote } from "../../wire/index.js";
import {
  ToolError,
  type ToolChecks,
  type ToolDefinition,
  type ToolHandler,
  refuseArguments,
} from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import { internalError } from "../../engine/index.js";
import type { AccessConfig, AccessOptions } from "./access-rule.js";
import { assertAskable } from "./assert-askable.js";
import { definedOnly } from "./defined-only.js";
import type { AnyTypes } from "./neutral-types.js";
import { ofObject, type Parsing, readSchema, type ReadSchema } from "./read-schema.js";
import type { AnySchema } from "./schema-types.js";
import { resultMistake, toolResult } from "./tool-result.js";
import { whenDone } from "./when-done.js";

/** A tool as it is registered. */
export interface ToolSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly inputSchema?: AnySchema | undefined;
  readonly outputSchema?: AnySchema | undefined;
  readonly task?: "never" | "optional" | "required" | undefined;
  readonly ttl?: number | undefined;
  /** Checks that generated code has for plain JSON Schemas. */
  readonly checks?: Pick<ToolChecks, "validateInput" | "validateOutput"> | undefined;
  readonly handler: (...args: never[]) => unknown;
}

/** A tool as the feature takes it. */
export interface AdaptedTool {
  readonly definition: ToolDefinition;
  readonly handler: ToolHandler<unknown>;
  readonly checks: ToolChecks;
}

export interface AdaptOptions extends AccessOptions {
  /** True when the model reads why a result does not fit. */
  readonly tellErrors: boolean;
  readonly report: (error: Error) => void;
}

const NO_ARGUMENTS = { type: "object", properties: {} };

/** @throws TypeError for what is no schema, and for a handler that is none */
export function adaptTool(given: ToolSpec, options: AdaptOptions): AdaptedTool {
  const {
    name,
    inputSchema,
    outputSchema,
    handler,
    task,
    ttl: taskTtl,
    checks,
    visible: _visible,
    scopes: _scopes,
    ...others
  } = given;
  if (typeof handler !== "function") {
    throw new TypeError(
      `The handler of the tool ${quote(name)} is not a function: registerTool(name, config, handler)`,
    );
  }
  const input =
    inputSchema && ofObject(readSchema(inputSchema, "input", `the inputSchema of ${quote(name)}`));
  const output =
    outputSchema && readSchema(outputSchema, "output", `the outputSchema of ${quote(name)}`);
  return {
    definition: {
      name,
      ...definedOnly(others),
      ...(task && { execution: { taskSupport: task === "never" ? "forbidden" : task } }),
      inputSchema: input?.json ?? NO_ARGUMENTS,
      ...(output ? { outputSchema: output.json } : {}),
    },
    handler: new ToolCalls(given, input, output, options).call,
    checks: {
      ...checks,
      ...(taskTtl !== undefined && { taskTtl }),
      ...(input?.parse ? { validateInput: noIssues } : {}),
      ...(output?.parse ? { validateOutput: noIssues } : {}),
    },
  };
}

/** The calls of one tool: brings arguments and results through its schemas. */
class ToolCalls {
  readonly #name: string;
  readonly #handler: (...args: unknown[]) => unknown;
  readonly #input: ReadSchema | undefined;
  readonly #output: ReadSchema | undefined;
  readonly #options: AdaptOptions;

  constructor(
    { name, handler }: ToolSpec,
    input: ReadSchema | undefined,
    output: ReadSchema | undefined,
    options: AdaptOptions,
  ) {
    this.#name = name;
    this.#handler = handler as (...args: unknown[]) => unknown;
    this.#input = input;
    this.#output = output;
    this.#options = options;
  }

  readonly call: ToolHandler<unknown> = (args, context) => {
    const ctx = this.#options.contextOf(context);
    if (this.#input === undefined) return this.#finish(this.#handler(ctx), context);
    if (!this.#input.parse) return this.#finish(this.#handler(args, ctx), context);
    return whenDone(this.#input.parse(args), (parsing) =>
      "problem" in parsing
        ? refuseArguments(this.#name, parsing.problem, context.session.revision)
        : this.#finish(this.#handler(parsing.value, ctx), context),
    );
  };

  #finish(outcome: unknown, context: HandlerContext): unknown {
    return whenDone(outcome, (value) => this.#result(value, context));
  }

  #result(outcome: unknown, context: HandlerContext): unknown {
    assertAskable(outcome, context);
    const result = toolResult(outcome, this.#output !== undefined);
    const mistake = resultMistake(result, this.#output !== undefined);
    if (mistake !== undefined) {
      throw this.#failure(`the tool ${quote(this.#name)} ${mistake}`, context);
    }
    const parse = this.#output?.parse;
    if (!parse || !isObject(result) || result["isError"] === true) return result;
    if (result["structuredContent"] === undefined) return result;
    return whenDone(parse(result["structuredContent"]), (parsing) =>
      this.#checked(result, parsing, context),
    );
  }

  /** The result with what the schema makes of its structured content, which is what its JSON form describes. */
  #checked(result: object, parsing: Parsing, context: HandlerContext): unknown {
    if ("value" in parsing) return { ...result, structuredContent: parsing.value };
    const what = `the structured content of the tool ${quote(this.#name)}`;
    throw this.#failure(`${what} is not as its outputSchema says: ${parsing.problem}`, context);
  }

  /** Error for the client; the problem itself is reported on this side, and told where that is wished. */
  #failure(problem: string, { method }: HandlerContext): Error {
    this.#options.report(new HandlerError(method, `failed: ${problem}`));
    return this.#options.tellErrors ? new ToolError(problem) : internalError();
  }
}

function noIssues(): undefined {}
