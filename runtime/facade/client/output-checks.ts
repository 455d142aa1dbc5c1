import {
  OutputSchemas,
  type SchemaCheck,
  type SchemaCompiler,
} from "../../features/client/index.js";
import { InvalidMessageError, describeThrown, quote } from "../../wire/index.js";

/** Dependencies of the checks of one client. */
export interface OutputChecksHost {
  /** Lists all tools, and passes each list to `learn`. */
  list(): AsyncIterable<unknown>;
  /** Reports schemas that cannot be used, or only in part. */
  report(error: Error): void;
}

/** Checks of structured results against the schemas that the server has listed. */
export interface OutputChecks {
  /** Remembers the tools of a list. */
  learn(tools: readonly unknown[]): void;
  forget(): void;
  /**
   * Calls a tool.
   * @throws InvalidMessageError if its structured result does not fit the schema
   */
  call(name: string, send: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Creates the checks of one client (MCP: tools, output schema). By default, only tools that this client has listed are
 * checked, so that no request is added and no compiler is loaded unnecessarily.
 *
 * @param option - `checkOutput` of the client, unless it is false
 */
export function outputChecks(
  option: boolean | SchemaCompiler | undefined,
  host: OutputChecksHost,
): OutputChecks {
  /** True to list all tools before the first call, and after an invalid result. */
  const isWhole = option !== undefined;
  const known = new OutputSchemas();
  let compiler = typeof option === "function" ? option : undefined;
  let listing: Promise<void> | undefined;

  const forget = (): void => {
    known.forget();
    listing = undefined;
  };
  const compile = (name: string, schema: object): SchemaCheck => {
    try {
      return compiler!(schema);
    } catch (error) {
      const text = `The results of the tool ${quote(name)} cannot be checked: ${describeThrown(error)}`;
      const problem = new InvalidMessageError(text);
      if (isWhole) throw problem;
      host.report(problem);
      return () => undefined;
    }
  };
  const load = async (): Promise<SchemaCompiler> => {
    const { jsonSchemas } = await import("../../json-schema/index.js");
    return jsonSchemas({ trust: "foreign", onunchecked: (error) => host.report(error) });
  };
  const checked = async (name: string, call: Promise<unknown>): Promise<unknown> => {
    const result = await call;
    if (!known.has(name)) return result;
    compiler ??= await load();
    try {
      known.check(name, result, (schema) => compile(name, schema));
    } catch (error) {
      // Servers need not announce that their tools have changed.
      if (isWhole) forget();
      throw error;
    }
    return result;
  };
  const list = async (): Promise<void> => {
    const tools = host.list()[Symbol.asyncIterator]();
    while ((await tools.next()).done !== true);
  };
  /** Lists the tools once; a failure is not remembered. */
  const listed = (): Promise<void> => {
    const current = (listing ??= list());
    current.catch(() => {
      if (listing === current) listing = undefined;
    });
    return current;
  };
  return {
    learn(tools) {
      for (const tool of tools) known.add(tool as never);
    },
    forget,
    call(name, send) {
      if (isWhole) return listed().then(() => checked(name, send()));
      const result = send();
      return known.has(name) ? checked(name, result) : result;
    },
  };
}
