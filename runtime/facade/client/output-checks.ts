import {
  type OutputChecks,
  outputChecks,
  type SchemaCompiler,
} from "../../features/client/index.js";

export interface OutputChecksHost {
  list(): AsyncIterable<unknown>;
  report(error: Error): void;
}

/**
 * Creates the checks for one client (MCP: tools, output schema). By default, only tools that this client has listed are
 * checked, to avoid additional requests and loading a compiler unnecessarily.
 *
 * @param option - the client's `checkOutput` option, unless it is false
 */
export function connectedChecks(
  option: boolean | SchemaCompiler | undefined,
  { list, report }: OutputChecksHost,
): OutputChecks {
  const isWhole = option !== undefined;
  const load = async (): Promise<SchemaCompiler> => {
    const { jsonSchemas } = await import("../../json-schema/index.js");
    return jsonSchemas({ trust: "foreign", onunchecked: report });
  };
  let loading: Promise<SchemaCompiler> | undefined;
  return outputChecks({
    isWhole,
    async list() {
      const tools = list()[Symbol.asyncIterator]();
      while ((await tools.next()).done !== true);
    },
    compiler: () => (typeof option === "function" ? option : (loading ??= load())),
    unusable(problem) {
      if (isWhole) throw problem;
      report(problem);
    },
  });
}
