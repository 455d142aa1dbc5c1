import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { listen } from "@mcp-codegen/runtime/http/node";
import { testClient } from "@mcp-codegen/testing";
import { McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf } from "../../generator/docs/docs.js";
import { referenceServer } from "../../generator/docs/serve.js";
import { readResults } from "../conformance/suite/results.js";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { bundledInputs, guideFiles } from "./site.js";

const PRELOAD = pathToFileURL(join(root, "test/conformance/dist/suite/preload.js")).href;
const SUITE = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

type Client = Awaited<ReturnType<typeof testClient>>;

describe("the reference as a server", () => {
  const pages = contentOf({ revisions: bundledInputs(), guide: guideFiles(), words: [] });
  const parts = { McpServer, ResourceTemplate } as never;
  const newServer = () => referenceServer<McpServer>(pages, parts);
  let client: Client;

  beforeAll(async () => {
    client = await testClient(await newServer());
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

  describe("over HTTP", () => {
    let http: Awaited<ReturnType<typeof listen>>;
    beforeAll(async () => {
      http = await listen(createHttpHandler(await newServer()), { port: 0, path: "/mcp" });
    });
    afterAll(() => http?.close());

    it("answers the client of the official SDK", async () => {
      const sdk = new SdkClient({ name: "sdk", version: "1.0.0" });
      await sdk.connect(new StreamableHTTPClientTransport(new URL(http.url)));
      const found = await sdk.callTool({ name: "search", arguments: { query: "-32021" } });
      expect(JSON.stringify(found)).toContain("MISSING_REQUIRED_CLIENT_CAPABILITY");
      const { resources } = await sdk.listResources();
      expect(resources.map(({ uri }) => uri)).toContain("reference://guide/tools");
      const uri = "reference://2025-06-18/tools/call";
      expect(JSON.stringify(await sdk.readResource({ uri }))).toContain("## 2025-06-18");
      const { completion } = await sdk.complete({
        ref: { type: "ref/resource", uri: "reference://{revision}/{+name}" },
        argument: { name: "name", value: "tools/" },
      });
      expect(completion.values).toEqual(expect.arrayContaining(["tools/call", "tools/list"]));
      await sdk.close();
    });

    it.each([
      [
        "2026-07-28",
        "http-header-validation dns-rebinding-protection sep-2164-resource-not-found tools-list resources-list",
      ],
      [
        "2025-11-25",
        "server-initialize server-session-lifecycle ping server-sse-multiple-streams dns-rebinding-protection tools-list resources-list",
      ],
    ])("passes what the official suite requires of every server at %s", async (revision, names) => {
      const folder = mkdtempSync(join(tmpdir(), "serve-suite-"));
      try {
        const words = ["server", "--url", http.url, "--suite", "all", "--output-dir", folder];
        const args = ["--import", PRELOAD, SUITE, ...words, "--spec-version", revision];
        await run(process.execPath, args, { cwd: root });
        const results = readResults(folder, "server");
        const own = names.split(" ").map((name) => {
          const { checks } = results.find((one) => one.scenario === name) ?? { checks: [] };
          const failed = checks.filter(
            ({ status }) => status === "FAILURE" || status === "WARNING",
          );
          return [
            name,
            checks.length > 0,
            failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
          ];
        });
        expect(own).toEqual(names.split(" ").map((name) => [name, true, []]));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
