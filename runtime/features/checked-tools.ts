import { summarize } from "../engine/index.js";
import { InvalidMessageError, type Issue, describeThrown, isObject, quote } from "../wire/index.js";
import type { RequestOptions } from "../api/index.js";
import type { SchemaCheck, SchemaCompiler } from "./schema-checks.js";

/** A tool as the server has listed it, reduced to what is needed to check its results. */
export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: object;
}

/** A client that can call tools, such as any generated client. */
export interface ToolsClient<Params, Result> {
  allTools(): AsyncIterable<ListedTool>;
  callTool(params: Params, options?: RequestOptions): Promise<Result>;
}

export interface CheckedToolsOptions {
  /** Compiles the checks: `jsonSchemas({ trust: "foreign" })` from `@mcp-codegen/runtime/json-schema`. */
  readonly schemas: SchemaCompiler;
  /**
   * Controls whether the results of a tool whose schema cannot be used are refused, or returned unchecked. Default:
   * `refuse`.
   */
  readonly unusable?: "refuse" | "pass" | undefined;
}

/** The maximum number of tools to remember. The tool that was listed longest ago is removed first. */
const MOST = 10_000;

export interface OutputChecksHost {
  /** True to list all tools before the first call and again after an invalid result. */
  readonly isWhole: boolean;
  /** Lists all tools and passes each of them to `learn`. */
  list(): Promise<void>;
  compiler(): SchemaCompiler | Promise<SchemaCompiler>;
  /** Reports a schema that cannot be used. Throws the given problem if the result must be refused. */
  unusable(problem: InvalidMessageError): void;
}

export interface OutputChecks {
  learn(tools: Iterable<ListedTool>): void;
  forget(): void;
  call<Result>(name: string, send: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates the checks for one client (MCP: tools, output schema). Errors, tasks and requests for input are not
 * checked.
 */
export function outputChecks(host: OutputChecksHost): OutputChecks {
  const schemas = new Map<string, object>();
  const checks = new Map<string, SchemaCheck>();
  let listing: Promise<void> | undefined;

  const learn = ({ name, outputSchema }: ListedTool): void => {
    const known = schemas.get(name);
    schemas.delete(name);
    if (outputSchema !== undefined) schemas.set(name, outputSchema);
    if (checks.has(name) && JSON.stringify(known) !== JSON.stringify(outputSchema)) {
      checks.delete(name);
    }
    const [oldest] = schemas.size > MOST ? schemas.keys() : [];
    if (oldest === undefined) return;
    schemas.delete(oldest);
    checks.delete(oldest);
  };
  const forget = (): void => {
    schemas.clear();
    checks.clear();
    listing = undefined;
  };
  const compiled = async (name: string, schema: object): Promise<SchemaCheck> => {
    const compile = await host.compiler();
    try {
      return compile(schema);
    } catch (error) {
      const text = `The results of the tool ${quote(name)} cannot be checked: ${describeThrown(error)}`;
      host.unusable(new InvalidMessageError(text));
      return () => undefined;
    }
  };
  const assertFits = async (name: string, result: unknown): Promise<void> => {
    const schema = schemas.get(name);
    if (schema === undefined) return;
    if (!isObject(result) || result["isError"] === true || isPreliminary(result)) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw invalid(name, "it has none");
    let check = checks.get(name);
    if (check === undefined) checks.set(name, (check = await compiled(name, schema)));
    const issues = check(structuredContent);
    if (issues) throw invalid(name, summarize(issues), issues);
  };
  const checked = async <Result>(name: string, call: Promise<Result>): Promise<Result> => {
    const result = await call;
    try {
      await assertFits(name, result);
    } catch (error) {
      // The schema may be outdated, because servers are not required to announce that their tools have changed.
      if (host.isWhole) forget();
      throw error;
    }
    return result;
  };
  const listed = (): Promise<void> => {
    const current = (listing ??= host.list());
    current.catch(() => {
      if (listing === current) listing = undefined;
    });
    return current;
  };
  return {
    learn(tools) {
      for (const tool of tools) learn(tool);
    },
    forget,
    call(name, send) {
      if (host.isWhole) return listed().then(() => checked(name, send()));
      const result = send();
      return schemas.has(name) ? checked(name, result) : result;
    },
  };
}

/**
 * Calls a server's tools and checks their structured results against the `outputSchema` that the server has listed
 * (MCP: tools, output schema). The list is requested with the first call, and again after {@link CheckedTools.forget}
 * or an invalid result, because servers are not required to announce that their tools have changed.
 */
export class CheckedTools<Params extends { readonly name: string }, Result> {
  readonly #client: ToolsClient<Params, Result>;
  readonly #checks: OutputChecks;

  constructor(
    client: ToolsClient<Params, Result>,
    { schemas, unusable = "refuse" }: CheckedToolsOptions,
  ) {
    this.#client = client;
    this.#checks = outputChecks({
      isWhole: true,
      list: async () => {
        for await (const tool of client.allTools()) this.#checks.learn([tool]);
      },
      compiler: () => schemas,
      unusable: (problem) => {
        if (unusable === "refuse") throw problem;
      },
    });
  }

  /** Discards the listed tools. Call it when the server announces that its tools have changed. */
  forget(): void {
    this.#checks.forget();
  }

  /**
   * Calls a tool and checks its result.
   *
   * @throws InvalidMessageError if the result does not match the tool's schema, or if the schema cannot be used and
   *   `unusable` is `refuse`
   * @throws the errors of `allTools` and `callTool`
   */
  call(params: Params, options?: RequestOptions): Promise<Result> {
    return this.#checks.call(params.name, () => this.#client.callTool(params, options));
  }
}

/** Returns true if a result is a task or a request for input. */
function isPreliminary({ task, resultType = "complete" }: Record<string, unknown>): boolean {
  return resultType !== "complete" || isObject(task);
}

function invalid(name: string, problem: string, issues: readonly Issue[] = []): Error {
  const what = `The structured content of the tool ${quote(name)} violates its outputSchema`;
  return new InvalidMessageError(`${what}: ${problem}`, issues);
}
