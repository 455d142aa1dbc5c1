import { summarize } from "../engine/index.js";
import { InvalidMessageError, type Issue, describeThrown, isObject, quote } from "../wire/index.js";
import type { RequestOptions } from "../api/index.js";
import type { SchemaCheck, SchemaCompiler } from "./schema-checks.js";

/** Definition of a tool, reduced to what its results are checked against. */
export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: object;
}

/** Client that can call tools; all generated clients can. */
export interface ToolsClient<Params, Result> {
  allTools(): AsyncIterable<ListedTool>;
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

/** Maximum number of remembered tools; those that were listed longest ago are removed. */
const MOST = 10_000;

/** Output schemas that a server has listed, and their checks, which are compiled when they are first used. */
export class OutputSchemas {
  readonly #schemas = new Map<string, object>();
  readonly #checks = new Map<string, SchemaCheck>();

  /** Adds listed tools. A schema that was listed before keeps its check. */
  add({ name, outputSchema }: ListedTool): void {
    const known = this.#schemas.get(name);
    this.#schemas.delete(name);
    if (outputSchema !== undefined) this.#schemas.set(name, outputSchema);
    if (this.#checks.has(name) && JSON.stringify(known) !== JSON.stringify(outputSchema)) {
      this.#checks.delete(name);
    }
    const [oldest] = this.#schemas.size > MOST ? this.#schemas.keys() : [];
    if (oldest === undefined) return;
    this.#schemas.delete(oldest);
    this.#checks.delete(oldest);
  }

  forget(): void {
    this.#schemas.clear();
    this.#checks.clear();
  }

  has(name: string): boolean {
    return this.#schemas.has(name);
  }

  /**
   * Checks the result of a tool, unless its schema is unknown, or it is an error, a task, or questions to the client.
   *
   * @throws InvalidMessageError if the result does not fit; the errors of `compile`
   */
  check(name: string, result: unknown, compile: SchemaCompiler): void {
    const schema = this.#schemas.get(name);
    if (schema === undefined) return;
    if (!isObject(result) || result["isError"] === true || isPreliminary(result)) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw invalid(name, "it has none");
    let check = this.#checks.get(name);
    if (check === undefined) this.#checks.set(name, (check = compile(schema)));
    const issues = check(structuredContent);
    if (issues) throw invalid(name, summarize(issues), issues);
  }
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
  #listed: OutputSchemas | Promise<OutputSchemas> | undefined;

  constructor(client: ToolsClient<Params, Result>, options: CheckedToolsOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Clears the listed tools. Call it when the server announces that its tools have changed. */
  forget(): void {
    this.#listed = undefined;
  }

  /**
   * @throws InvalidMessageError if the result does not fit the tool's schema
   * @throws the errors of `callTool`
   */
  call(params: Params, options?: RequestOptions): Promise<Result> {
    const listed = (this.#listed ??= this.#list());
    return listed instanceof Promise
      ? listed.then((known) => this.#call(known, params, options))
      : this.#call(listed, params, options);
  }

  #call(
    known: OutputSchemas,
    params: Params,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    const calling = this.#client.callTool(params, options);
    const { name } = params;
    if (!known.has(name)) return calling;
    return calling.then((result) => {
      try {
        known.check(name, result, (schema) => this.#compile(name, schema));
      } catch (error) {
        this.forget();
        throw error;
      }
      return result;
    });
  }

  #compile(name: string, schema: object): SchemaCheck {
    const { schemas, unusable = "refuse" } = this.#options;
    try {
      return schemas(schema);
    } catch (error) {
      if (unusable === "refuse") throw invalid(name, `no check: ${describeThrown(error)}`);
      return () => undefined;
    }
  }

  /** Lists the tools once and caches them; a failure is not cached. */
  #list(): Promise<OutputSchemas> {
    const listing = this.#read();
    const settle = (known?: OutputSchemas): void => {
      if (this.#listed === listing) this.#listed = known;
    };
    listing.then(settle, () => settle());
    return listing;
  }

  async #read(): Promise<OutputSchemas> {
    const known = new OutputSchemas();
    for await (const tool of this.#client.allTools()) known.add(tool);
    return known;
  }
}

/** True for a task or questions in place of a result. */
function isPreliminary({ task, resultType = "complete" }: Record<string, unknown>): boolean {
  return resultType !== "complete" || isObject(task);
}

function invalid(name: string, problem: string, issues: readonly Issue[] = []): Error {
  const what = `The structured content of the tool ${quote(name)} violates its outputSchema`;
  return new InvalidMessageError(`${what}: ${problem}`, issues);
}
