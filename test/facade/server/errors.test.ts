import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ResourceNotFoundError, RpcError } from "@mcp-codegen/universal";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

function faultyServer() {
  const server = new McpServer();
  server.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) => String(a));
  const codes: Record<string, number> = { own: 7, oldNotFound: -32002, oldUrl: -32042 };
  for (const [name, code] of Object.entries({
    ...codes,
    header: -32020,
    version: -32022,
    undefined: -32050,
  })) {
    server.registerTool(name, {}, () => {
      throw new RpcError(code, "thrown");
    });
  }
  server.registerResource("gone", "demo://gone", {}, (uri) => {
    throw new ResourceNotFoundError(uri);
  });
  server.registerResource("missing", "demo://missing", {}, () => {
    throw new RpcError(-32002, "Resource not found");
  });
  server.registerPrompt("failing", {}, () => {
    throw new Error("secret");
  });
  return server;
}

/** Returns a client's view of a failure: the error's code, or the fact that a result is an error. */
async function seen(talk: Talk, method: string, params: object): Promise<number | string> {
  const { result, error } = await talk.call(method, params);
  return error?.code ?? (result.isError ? "isError" : "success");
}

const TABLE: readonly (readonly [string, string, object])[] = [
  ["an unknown tool", "tools/call", { name: "none" }],
  ["arguments that do not fit", "tools/call", { name: "add", arguments: { a: "x" } }],
  ["an unknown prompt", "prompts/get", { name: "none" }],
  ["a prompt that fails", "prompts/get", { name: "failing" }],
  ["an unknown resource", "resources/read", { uri: "demo://none" }],
  ["a resource that is not found", "resources/read", { uri: "demo://gone" }],
  ["one told by its code of older revisions", "resources/read", { uri: "demo://missing" }],
  [
    "a method of what is not declared",
    "completion/complete",
    {
      ref: { type: "ref/prompt", name: "failing" },
      argument: { name: "a", value: "" },
    },
  ],
  ["a code of the author's", "tools/call", { name: "own" }],
  ["a code of older revisions for resources", "tools/call", { name: "oldNotFound" }],
  ["a code of one revision for URLs", "tools/call", { name: "oldUrl" }],
  ["a code of the newest for headers", "tools/call", { name: "header" }],
  ["a code of the newest for versions", "tools/call", { name: "version" }],
  ["a code that MCP keeps for itself (ERR-03)", "tools/call", { name: "undefined" }],
];

describe("errors of all revisions side by side (T9)", () => {
  it("are those that each revision has", async () => {
    const rows: Record<string, string> = {};
    const talks = REVISIONS.map((revision) => Talk.with(faultyServer(), revision));
    for (const [name, method, params] of TABLE) {
      const codes = talks.map(async (talk) => seen(await talk, method, params));
      rows[name] = (await Promise.all(codes)).join(" ");
    }
    expect(rows).toMatchInlineSnapshot(`
      {
        "a code of older revisions for resources": "-32603 -32002 -32002 -32002 -32002",
        "a code of one revision for URLs": "-32603 -32042 -32603 -32603 -32603",
        "a code of the author's": "7 7 7 7 7",
        "a code of the newest for headers": "-32020 -32603 -32603 -32603 -32603",
        "a code of the newest for versions": "-32022 -32603 -32603 -32603 -32603",
        "a code that MCP keeps for itself (ERR-03)": "-32603 -32603 -32603 -32603 -32603",
        "a method of what is not declared": "-32601 -32601 -32601 -32601 -32601",
        "a prompt that fails": "-32603 -32603 -32603 -32603 -32603",
        "a resource that is not found": "-32602 -32002 -32002 -32002 -32002",
        "an unknown prompt": "-32602 -32602 -32602 -32602 -32602",
        "an unknown resource": "-32602 -32002 -32002 -32002 -32002",
        "an unknown tool": "-32602 -32602 -32602 -32602 -32602",
        "arguments that do not fit": "isError isError -32602 -32602 -32602",
        "one told by its code of older revisions": "-32602 -32002 -32002 -32002 -32002",
      }
    `);
  });
});
