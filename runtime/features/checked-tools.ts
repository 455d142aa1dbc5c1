import { summarize } from "../engine/index.js";
import { InvalidMessageError, type Issue, describeThrown, isObject, quote } from "../wire/index.js";
import type { RequestOptions } from "../api/index.js";
import type { SchemaCheck, SchemaCompiler } from "./schema-checks.js";

/** Client that can call tools; all generated clients can. */
export interface ToolsClient<Params, Result> {
  allTools(): AsyncIterable<{ readonly name: string; readonly outputSchema?: object }>;
  callTool(params: Params, options?: RequestOptions): Promise<Result>;
}

export interface CheckedToolsOptions {
  /**
   * Compiles the checks: `jsonSchemas({ trust: "foreign" })` of `@mcp-codegen/runtime/json-schema`.
   */
  readonly schemas: SchemaCompiler;
  /**
   * Treatment of results whose schema cannot be used: they are refused, or passed on unchecked.
   * Default: `refuse`.
   */
  readonly unusable?: "refuse" | "pass" | undefined;
}

/**
 * Calls the tools of a server and checks their structured results against the `outputSchema` that
 * it listed (MCP: tools, output schema). The list is requested with the first call, and again after
 * {@link CheckedTools.forget} or an invalid result, because servers need not announce that their
 * tools have changed.
 */
export class CheckedTools<Params extends { readonly name: string }, Result> {
  readonly #client: ToolsClient<Params, Result>;
  readonly #options: CheckedToolsOptions;
  #schemas: ReadonlyMap<string, object> | Promise<ReadonlyMap<string, object>> | undefined;
  #checks = new Map<object, SchemaCheck>();

  constructor(client: ToolsClient<Params, Result>, options: CheckedToolsOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Clears the listed tools. Call it when the server announces that its tools have changed. */
  forget(): void {
    this.#schemas = undefined;
    this.#checks = new Map();
  }

  /**
   * @throws InvalidMessageError if the result does not fit the tool's schema
   * @throws the errors of `callTool`
   */
  call(params: Params, options?: RequestOptions): Promise<Result> {
    const schemas = (this.#schemas ??= this.#list());
    return schemas instanceof Promise
      ? schemas.then((known) => this.#call(known.get(params.name), params, options))
      : this.#call(schemas.get(params.name), params, options);
  }

  #call(
    schema: object | undefined,
    params: Params,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    const calling = this.#client.callTool(params, options);
    if (schema === undefined) return calling;
    return calling.then((result) => {
      this.#check(params.name, schema, result);
      return result;
    });
  }

  #check(name: string, schema: object, result: unknown): void {
    if (!isObject(result) || result["isError"] === true || isPreliminary(result)) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw this.#misfit(name, "it has none");
    const issues = this.#checkOf(name, schema)(structuredContent);
    if (issues) throw this.#misfit(name, summarize(issues), issues);
  }

  #misfit(name: string, problem: string, issues?: readonly Issue[]): Error {
    this.forget();
    return invalid(name, problem, issues);
  }

  #checkOf(name: string, schema: object): SchemaCheck {
    const made = this.#checks.get(schema);
    if (made) return made;
    const { schemas, unusable = "refuse" } = this.#options;
    let check: SchemaCheck;
    try {
      check = schemas(schema);
    } catch (error) {
      if (unusable === "refuse") throw invalid(name, `no check: ${describeThrown(error)}`);
      check = () => undefined;
    }
    this.#checks.set(schema, check);
    return check;
  }

  /** Lists the tools once and caches them; a failure is not cached. */
  #list(): Promise<ReadonlyMap<string, object>> {
    const listing = this.#listed();
    const settle = (schemas?: ReadonlyMap<string, object>): void => {
      if (this.#schemas === listing) this.#schemas = schemas;
    };
    listing.then(settle, () => settle());
    return listing;
  }

  async #listed(): Promise<ReadonlyMap<string, object>> {
    const schemas = new Map<string, object>();
    for await (const { name, outputSchema } of this.#client.allTools()) {
      if (outputSchema !== undefined) schemas.set(name, outputSchema);
    }
    return schemas;
  }
}

/** True for a task or questions in place of a result. */
function isPreliminary({ task, resultType = "complete" }: Record<string, unknown>): boolean {
  return resultType !== "complete" || isObject(task);
}

function invalid(name: string, problem: string, issues: readonly Issue[] = []): Error {
  const what = `The structured content of the tool ${quote(name)} is not as its outputSchema says`;
  return new InvalidMessageError(`${what}: ${problem}`, issues);
}
