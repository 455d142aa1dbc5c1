import { canonicalJson, implementContract } from "../index.js";
import { type Definition, keyOf, LISTS, type LockedServer } from "../lock/lock-file.js";
import { sampleOf } from "../schema/sample.js";
import { McpServer, ResourceTemplate } from "@mcp-codegen/universal";

/**
 * Makes a server that keeps a contract with made-up answers: the same ones for the same seed and arguments. Answers that
 * have a schema fit it, as far as a value for it can be made.
 */
export function mockServer(name: string, locked: LockedServer, seed: string): McpServer {
  const info = { name: `mock of ${name}`, version: "0.0.0" };
  const { instructions } = locked;
  const server = new McpServer(info, instructions === undefined ? {} : { instructions });
  const handlers = LISTS.map((list) => [
    list,
    Object.fromEntries(
      locked[list].map(({ definition }) => {
        const key = keyOf(list, definition);
        return [key, handlerOf(list, key, definition, seed)];
      }),
    ),
  ]);
  implementContract(
    server,
    { ...locked, tools: locked.tools.map(withoutTasks) },
    Object.fromEntries(handlers) as Record<string, object>,
    (uriTemplate) => new ResourceTemplate(uriTemplate),
  );
  return server;
}

/** A mock answers at once, whatever the tool that it stands for does. */
function withoutTasks({ definition }: { readonly definition: Definition }): {
  readonly definition: Definition;
} {
  const { execution: _execution, ...others } = definition;
  return { definition: others };
}

function handlerOf(
  list: (typeof LISTS)[number],
  key: string,
  definition: Definition,
  seed: string,
): (...given: unknown[]) => unknown {
  const { outputSchema, mimeType } = definition;
  switch (list) {
    case "tools":
      return (args) => {
        const own = `${seed} ${key} ${canonicalJson(args)}`;
        return outputSchema === undefined
          ? `Mock result of ${key} for ${canonicalJson(args)}`
          : { structuredContent: sampleOf(outputSchema, own) };
      };
    case "prompts":
      return (args) => `Mock prompt ${key} for ${canonicalJson(args)}`;
    default:
      return (uri) =>
        mimeType === "application/json"
          ? JSON.stringify({ mock: String(uri) })
          : `Mock content of ${String(uri)}`;
  }
}
