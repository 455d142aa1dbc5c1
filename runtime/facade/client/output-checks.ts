import { OutputSchemas, type SchemaCheck, type SchemaCompiler } from "../../features/index.js";
import { InvalidMessageError, describeThrown, isObject, quote } from "../../wire/index.js";
import type { AnySendMiddleware } from "../../api/index.js";

/** Dependencies of the checks of one client. */
export interface OutputChecksHost {
  /** Lists all tools; the pages pass through `learning`. */
  list(): AsyncIterable<unknown>;
  /** Reports schemas that cannot be used, or only in part. */
  report(error: Error): void;
}

/**
 * Checks of structured results against the schemas that the server has listed (MCP: tools, output schema). By default, only
 * tools that this client has listed are checked, so that no request is added and no compiler is loaded in vain.
 */
export class OutputChecks {
  /** True to list all tools before the first call, and after an invalid result. */
  readonly #isWhole: boolean;
  readonly #host: OutputChecksHost;
  readonly #known = new OutputSchemas();
  #compiler: SchemaCompiler | undefined;
  #listing: Promise<void> | undefined;

  /** @param option - `checkOutput` of the client, unless it is false */
  constructor(option: boolean | SchemaCompiler | undefined, host: OutputChecksHost) {
    this.#isWhole = option !== undefined;
    this.#compiler = typeof option === "function" ? option : undefined;
    this.#host = host;
  }

  /** Remembers the tools of each list that the client receives. */
  readonly learning: AnySendMiddleware = Object.assign(
    async (_message: unknown, send: () => Promise<unknown>) => {
      const result = await send();
      const tools = isObject(result) ? result["tools"] : undefined;
      if (Array.isArray(tools)) for (const tool of tools) this.#known.add(tool as never);
      return result;
    },
    { concerns: ({ method }: { readonly method: string }) => method === "tools/list" },
  );

  forget(): void {
    this.#known.forget();
    this.#listing = undefined;
  }

  /**
   * Calls a tool.
   * @throws InvalidMessageError if its structured result does not fit the schema
   */
  call(name: string, send: () => Promise<unknown>): Promise<unknown> {
    if (this.#isWhole) return this.#listed().then(() => this.#checked(name, send()));
    const result = send();
    return this.#known.has(name) ? this.#checked(name, result) : result;
  }

  async #checked(name: string, call: Promise<unknown>): Promise<unknown> {
    const result = await call;
    if (!this.#known.has(name)) return result;
    this.#compiler ??= await this.#load();
    try {
      this.#known.check(name, result, (schema) => this.#compile(name, schema));
    } catch (error) {
      // Servers need not announce that their tools have changed.
      if (this.#isWhole) this.forget();
      throw error;
    }
    return result;
  }

  #compile(name: string, schema: object): SchemaCheck {
    try {
      return this.#compiler!(schema);
    } catch (error) {
      const text = `The results of the tool ${quote(name)} cannot be checked: ${describeThrown(error)}`;
      const problem = new InvalidMessageError(text);
      if (this.#isWhole) throw problem;
      this.#host.report(problem);
      return () => undefined;
    }
  }

  async #load(): Promise<SchemaCompiler> {
    const { jsonSchemas } = await import("../../json-schema/index.js");
    const onunchecked = (error: Error): void => this.#host.report(error);
    return jsonSchemas({ trust: "foreign", onunchecked });
  }

  /** Lists the tools once; a failure is not remembered. */
  #listed(): Promise<void> {
    const listing = (this.#listing ??= this.#list());
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }

  async #list(): Promise<void> {
    const tools = this.#host.list()[Symbol.asyncIterator]();
    while ((await tools.next()).done !== true);
  }
}
