import { describe, expect, expectTypeOf, it } from "vitest";
import type * as strict from "@mcp-codegen/2026-07-28";
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "@mcp-codegen/universal";
import type * as lean from "@mcp-codegen/universal/server";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const META = "io.modelcontextprotocol/serverInfo";

describe("whole results", () => {
  it("have types without the members that the engine adds", async () => {
    const call: CallToolResult = { content: [{ type: "text", text: "x" }] };
    const prompt: GetPromptResult = {
      messages: [{ role: "user", content: { type: "text", text: "x" } }],
    };
    const read: ReadResourceResult = { contents: [{ uri: "a://b", text: "x" }] };
    expectTypeOf<strict.CallToolResult>().toExtend<CallToolResult>();
    expectTypeOf<lean.CallToolResult>().toEqualTypeOf<CallToolResult>();
    expectTypeOf<lean.GetPromptResult>().toEqualTypeOf<GetPromptResult>();
    expectTypeOf<lean.ReadResourceResult>().toEqualTypeOf<ReadResourceResult>();
    const server = new McpServer();
    server.registerTool("a", {}, (): CallToolResult => call);
    server.registerPrompt("a", {}, async (): Promise<GetPromptResult> => prompt);
    server.registerResource("a", "a://b", {}, (): ReadResourceResult => read);
    const talk = await Talk.with(server, REVISIONS[0]!);
    expect(await talk.tool("a")).toMatchObject(call);
    expect((await talk.call("prompts/get", { name: "a" })).result).toMatchObject(prompt);
    expect((await talk.call("resources/read", { uri: "a://b" })).result).toMatchObject(read);
  });
});

describe.each(REVISIONS)("at %s", (revision) => {
  const upstream = { [META]: { name: "upstream", version: "7" }, "example.com/a": 1 };
  const result = { resultType: "complete", content: [], _meta: upstream };

  it("a server passes on a result of another server without its identity", async () => {
    const server = new McpServer();
    server.registerTool("a", {}, () => result as CallToolResult);
    const given = await (await Talk.with(server, revision)).tool("a");
    const own = { [META]: { name: "tested", version: "1" } };
    const isAlone = revision >= "2026";
    expect(given["_meta"]).toEqual({ "example.com/a": 1, ...(isAlone ? own : {}) });
    expect(result["_meta"]).toBe(upstream);
  });

  it("a server omits the identity of an anonymous server", async () => {
    const server = new McpServer({ anonymous: true });
    server.registerTool("a", {}, () => result as CallToolResult);
    const given = await (await Talk.with(server, revision)).tool("a");
    expect(given["_meta"]).toEqual({ "example.com/a": 1 });
  });
});
