import { McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { testClient } from "@mcp-codegen/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf } from "../../generator/docs/docs.js";
import { referenceServer } from "../../generator/docs/serve.js";
import { bundledInputs, guideFiles } from "./site.js";

type Client = Awaited<ReturnType<typeof testClient>>;

describe("the reference as a server", () => {
  let client: Client;

  beforeAll(async () => {
    const content = contentOf({ revisions: bundledInputs(), guide: guideFiles(), words: [] });
    const parts = { McpServer, ResourceTemplate } as never;
    const server = await referenceServer<McpServer>(content, parts);
    client = await testClient(server);
  });

  afterAll(() => client?.close());

  const search = async (args: Record<string, string>): Promise<string> => {
    const { content } = await client.callTool({ name: "search", arguments: args });
    return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  };

  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource(uri);
    return contents.map((one) => ("text" in one ? one.text : "")).join("\n");
  };

  it.each([
    ["how long may a list be cached", "ttlMs", /ttlMs/],
    [
      "which capability does a client need for sampling with tools",
      "sampling tools",
      /client\.sampling\.tools/,
    ],
    ["what is error -32021", "-32021", /MISSING_REQUIRED_CLIENT_CAPABILITY/],
  ])("answers %s within two calls", async (_question, query, answer) => {
    const found = await search({ query });
    const [uri = ""] = /reference:\/\/\S+/.exec(found) ?? [];
    expect(`${found}\n${await read(uri)}`).toMatch(answer);
  });

  it("has the pages of each revision", async () => {
    const old = await read("reference://2025-06-18/tools/call");
    expect(old).toContain("## 2025-06-18");
    expect(old).not.toContain("## 2026-07-28");
    expect(await search({ query: "ping", revision: "2025-03-26" })).toContain(
      "reference://2025-03-26/ping",
    );
    expect(await read("reference://guide/tools")).toContain("# Tools");
    await expect(read("reference://2026-07-28/ping")).rejects.toThrow();
  });
});
