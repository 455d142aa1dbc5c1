import type { Issue } from "@mcp-codegen/runtime";
import { isObject } from "../json.js";
import { canonicalJson, implementContract } from "../index.js";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";

import { type Definition, entriesOf, keyOf, type LockedServer } from "../lock/lock-file.js";
import { sampleOf } from "../schema/sample.js";
import { McpServer, ResourceTemplate, revisions } from "@mcp-codegen/universal";
import { serverTasks } from "@mcp-codegen/universal/tasks";

/**
 * Creates a server that implements a contract and returns made-up results. The same seed and arguments yield the same
 * result. If the tool has an output schema, results conform to it, unless no such value can be generated.
 */
export function mockServer(name: string, locked: LockedServer, seed: string): McpServer {
  const info = { name: `mock of ${name}`, version: "0.0.0" };
  const { instructions } = locked;
  const others = LISTS.filter((list) => entryKind(list) === "other" && locked[list]?.length > 0);
  const declared = others.map((list) => [FAMILIES[list].capability?.split(".")[1] ?? list, {}]);
  const hasTasks = locked.tools.some(({ definition }) => isObject(definition["execution"]));
  const server = new McpServer(info, {
    ...(hasTasks && { extensions: [serverTasks()] }),
    capabilities: Object.fromEntries(declared) as object,
    ...(instructions !== undefined && { instructions }),
  });
  const handlers = LISTS.map((list) => [
    list,
    Object.fromEntries(
      entriesOf(locked, list).map(({ definition }) => {
        const key = keyOf(list, definition);
        return [key, handlerOf(list, key, definition, seed)];
      }),
    ),
  ]);
  implementContract(
    server,
    locked,
    Object.fromEntries(handlers) as Record<string, object>,
    (uriTemplate) => new ResourceTemplate(uriTemplate),
  );
  return server;
}

function handlerOf(
  list: ContractList,
  key: string,
  definition: Definition,
  seed: string,
): (...args: unknown[]) => unknown {
  const { outputSchema, mimeType } = definition;
  switch (entryKind(list)) {
    case "tool":
      return (args) => {
        const own = `${seed} ${key} ${canonicalJson(args)}`;
        return outputSchema === undefined
          ? `Mock result of ${key} for ${canonicalJson(args)}`
          : { structuredContent: sampleOf(outputSchema, own) };
      };
    case "prompt":
      return (args) => `Mock prompt ${key} for ${canonicalJson(args)}`;
    case "other":
      return () => mockResult(list);
    default:
      return (uri) =>
        mimeType === "application/json"
          ? JSON.stringify({ mock: String(uri) })
          : `Mock content of ${String(uri)}`;
  }
}

/**
 * Generates a result for the method that uses a list's entries, by adding the members that the validator reports as
 * missing.
 */
function mockResult(list: ContractList): object {
  const { use = "", noun } = FAMILIES[list];
  const result: Record<string, unknown> = {};
  const check = revisions.find(({ methods }) => methods.has(use))?.methods.get(use)?.result;
  if (check === undefined) return result;
  for (let tries = 0; tries < 100; tries += 1) {
    const issues: Issue[] = [];
    if (check(result, issues) || issues[0] === undefined) break;
    const path = issues[0].path.split("/").slice(1);
    const member = path.pop();
    const owner = path.reduce<unknown>((at, name) => isObject(at) && at[name], result);
    if (member === undefined || !isObject(owner)) break;
    (owner as Record<string, unknown>)[member] = valueFor(issues[0].expected, `Mock ${noun}`);
  }
  // The server itself adds the result type.
  delete result["resultType"];
  return result;
}

/** Generates a value for a type as it is written in validation issues: `string`, `"complete"`, `string[]`. */
function valueFor(expected: string, text: string): unknown {
  if (expected.startsWith('"')) return JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(expected)![0]);
  if (/\[\]$|^array/.test(expected)) return [];
  if (/^(?:integer|number)/.test(expected)) return 0;
  if (expected.startsWith("boolean")) return false;
  return expected.startsWith("string") ? text : {};
}
