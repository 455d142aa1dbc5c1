import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { connect, connectInMemory, McpServer, revisions } from "@mcp-codegen/universal";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { cli } from "../cli/cli.js";
import { TestFolder } from "../output/folder.js";
import { ContractProject, program } from "./generated-code.js";

beforeAll(build, 120_000);

const TRACKER = ["--", process.execPath, program("tracker")];

interface TrackerModule {
  createTracker(
    client: object,
    options?: object,
  ): {
    tools: {
      searchIssues(
        args: object,
      ): Promise<unknown> & { orThrow(): Promise<{ structured: { hits: string[] } }> };
      close(args?: object): Promise<unknown>;
    };
    prompts: { review(args: object): Promise<{ messages: { content: unknown }[] }> };
    resources: { motd(): Promise<{ contents: { text: string }[] }> };
  };
}

interface StubModule {
  implementTracker(server: McpServer, handlers: object): void;
}

const HANDLERS = {
  tools: {
    search_issues: ({ query }: { query: string }) =>
      query === "wrong" ? { hits: "none" } : { hits: [query, "stub"] },
    close: () => "Closed",
  },
  prompts: { review: ({ code }: { code: string }) => `Stub of ${code}` },
  resources: { "tracker://motd": () => "Stub" },
};

async function trackerProject(...kinds: string[]): Promise<ContractProject> {
  const project = new ContractProject();
  for (const { code, stderr } of await project.generate(TRACKER, kinds))
    expect(code, stderr).toBe(0);
  return project;
}

describe("code from a contract", () => {
  it("compiles for a server of more than a thousand tools", async () => {
    using project = new ContractProject();
    const tools = Array.from({ length: 1100 }, (_, number) => ({
      name: `tool_${number}`,
      inputSchema: { type: "object", properties: { [`member${number}`]: { type: "string" } } },
    }));
    project.put({ "manifest.json": JSON.stringify({ tools }) });
    for (const { code, stderr } of await project.generate(
      ["--from", "manifest.json"],
      ["client", "server"],
    ))
      expect(code, stderr).toBe(0);
    expect(await project.compile()).toBe("");
    const { contract } = await project.load<{ contract: { tools: unknown[] } }>(
      "client/contract.ts",
    );
    expect(contract.tools).toHaveLength(1100);
  }, 120_000);

  it.each(["typescript", "typescript-5.9"])(
    "compiles under all strict flags with %s; invalid arguments, other results and a missing handler do not",
    async (compiler) => {
      using project = await trackerProject("client", "server");
      project.put({
        "src/use.ts": `import { connect, McpServer } from "@mcp-codegen/universal";
import { createTracker, type SearchIssuesArguments } from "./client/index.js";
import { implementTracker, type TrackerHandlers } from "./server/index.js";

export async function use(): Promise<string[]> {
  const tracker = createTracker(await connect("https://tracker.example/mcp"));
  const args: SearchIssuesArguments = { query: "bug", page: 2 };
  const outcome = await tracker.tools.searchIssues(args, { timeout: 1000 });
  if (outcome.isError) return [outcome.text];
  const { structured } = await tracker.tools.searchIssues({ query: "bug" }).orThrow();
  await tracker.tools.close();
  await tracker.prompts.review({ code: "x" });
  const { contents } = await tracker.resources.motd();
  // @ts-expect-error the query is required
  await tracker.tools.searchIssues({ page: 1 });
  // @ts-expect-error a page is a number
  await tracker.tools.searchIssues({ query: "bug", page: "2" });
  // @ts-expect-error there is no such tool
  await tracker.tools.reopen();
  // @ts-expect-error hits are strings
  const wrong: number[] = structured.hits;
  return [...outcome.structured.hits, ...structured.hits, String(contents.length), String(wrong)];
}

const whole: TrackerHandlers = {
  tools: { search_issues: ({ query }) => ({ hits: [query] }), close: async ({ id }) => \`Closed \${id}\` },
  prompts: { review: ({ code }) => code },
  resources: { "tracker://motd": () => "Be kind" },
};
export const server: McpServer = new McpServer({ name: "a", version: "1" });
implementTracker(server, whole);
// @ts-expect-error a handler is missing
implementTracker(server, { ...whole, tools: { close: () => "x" } });
// @ts-expect-error hits are missing
export const other: TrackerHandlers = { ...whole, tools: { ...whole.tools, search_issues: () => ({}) } };
`,
      });
      expect(await project.compile(compiler)).toBe("");
    },
    120_000,
  );

  it.each(revisions.map((revision) => [revision.id, revision] as const))(
    "lets stub and client from the same lock work together at %s, and rejects contract violations on either side",
    async (_, revision) => {
      using project = await trackerProject("client", "server");
      const { createTracker } = await project.load<TrackerModule>("client/index.ts");
      const { implementTracker } = await project.load<StubModule>("server/index.ts");
      const server = new McpServer({ name: "stub", version: "1" }, { onerror: () => {} });
      implementTracker(server, HANDLERS);
      const client = await connect(await connectInMemory(server), { revisions: [revision] });
      try {
        expect(client.revision).toBe(revision.id);
        const { tools, prompts, resources } = createTracker(client);
        const { structured } = await tools.searchIssues({ query: "bug" }).orThrow();
        expect(structured).toEqual({ hits: ["bug", "stub"] });
        expect(await tools.close()).toMatchObject({
          isError: false,
          content: [{ text: "Closed" }],
        });
        expect((await prompts.review({ code: "x" })).messages).toMatchObject([
          { content: { text: "Stub of x" } },
        ]);
        expect((await resources.motd()).contents).toMatchObject([{ text: "Stub" }]);
        await expect(tools.searchIssues({ query: 1 })).rejects.toMatchObject({
          name: "ContractError",
          part: "arguments",
          tool: "search_issues",
          issues: [{ path: "/query" }],
        });
        // The stub rejects its own handler's result.
        await expect(tools.searchIssues({ query: "wrong" })).rejects.toThrow();
      } finally {
        await client.close();
        await server.close();
      }
    },
  );

  it("has a client that rejects a result which differs from the lock, and distinguishes a failure from a violation", async () => {
    using project = await trackerProject("client");
    const { createTracker } = await project.load<TrackerModule>("client/index.ts");
    const result = { content: [{ type: "text", text: "no" }], structuredContent: { hits: [1] } };
    const answers = [result, { ...result, isError: true }, { content: [] }];
    const sent: unknown[] = [];
    const client = {
      callTool: async (...call: unknown[]) => {
        sent.push(call);
        return answers[sent.length - 1];
      },
    };
    const { tools } = createTracker(client);
    await expect(tools.searchIssues({ query: "a" })).rejects.toMatchObject({
      part: "result",
      issues: [{ path: "/hits/0" }],
    });
    await expect(tools.searchIssues({ query: "a" }).orThrow()).rejects.toMatchObject({
      name: "ToolCallError",
      message: "no",
    });
    await expect(tools.searchIssues({ query: "a" })).rejects.toMatchObject({ part: "result" });
    expect(sent).toHaveLength(3);
    await expect(tools.searchIssues({})).rejects.toMatchObject({ part: "arguments" });
    expect(sent).toHaveLength(3);
    const unchecked = createTracker({ callTool: async () => result }, { check: false });
    expect(await unchecked.tools.searchIssues({})).toMatchObject({ isError: false });
  });

  it("treats undefined members as absent, as JSON does, whoever checks them", async () => {
    using project = await trackerProject("client");
    const { createTracker } = await project.load<TrackerModule>("client/index.ts");
    const structuredContent = { hits: [] };
    const client = { callTool: async () => ({ content: [], structuredContent }) };
    for (const options of [{}, { check: jsonSchemas() }]) {
      const { tools } = createTracker(client, options);
      const args = { query: "a", page: undefined };
      expect(await tools.searchIssues(args)).toMatchObject({ isError: false });
      await expect(tools.searchIssues({ query: undefined })).rejects.toMatchObject({
        part: "arguments",
        issues: [{ path: "/query", expected: "string", received: "nothing" }],
      });
    }
  });

  it("works with a server and a client of the official SDK", async () => {
    using project = await trackerProject("server");
    await project.cli("lock", "sdk", "--", process.execPath, program("sdk-server"));
    const { code } = await project.cli("contract", "client", "sdk", "--out", "src/sdk");
    expect(code).toBe(0);
    const { createSdk } =
      await project.load<Record<string, TrackerModule["createTracker"]>>("sdk/index.ts");
    const client = await connect({ command: process.execPath, args: [program("sdk-server")] });
    try {
      const { tools, prompts } = createSdk!(client);
      expect(await tools.searchIssues({ query: "bug" }).orThrow()).toMatchObject({
        structured: { hits: ["bug"] },
      });
      expect((await prompts.review({ code: "x" })).messages).toMatchObject([
        { content: { text: "x" } },
      ]);
      await expect(tools.searchIssues({})).rejects.toMatchObject({ part: "arguments" });
    } finally {
      await client.close();
    }
    const { implementTracker } = await project.load<StubModule>("server/index.ts");
    const server = new McpServer({ name: "stub", version: "1" }, { onerror: () => {} });
    implementTracker(server, HANDLERS);
    const [near, far] = memoryPair();
    await server.connect(far);
    const sdk = new Client({ name: "sdk", version: "1" });
    await sdk.connect(sdkTransport(near));
    expect(
      await sdk.callTool({ name: "search_issues", arguments: { query: "bug" } }),
    ).toMatchObject({
      structuredContent: { hits: ["bug", "stub"] },
    });
    const { tools } = await sdk.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(["close", "search_issues"]);
    await sdk.close();
    await server.close();
  });

  it("rejects an implementation without all handlers, also without a compiler", async () => {
    using project = await trackerProject("server");
    const { implementTracker } = await project.load<StubModule>("server/index.ts");
    const server = new McpServer({ name: "stub", version: "1" });
    expect(() => implementTracker(server, { ...HANDLERS, prompts: {} })).toThrow(
      'The contract needs a handler at prompts["review"]',
    );
  });

  it("belongs to its lock file: --check reports when it is stale or was edited", async () => {
    using project = await trackerProject("client");
    const check = ["contract", "client", "tracker", "--out", "src/client", "--check"];
    expect((await project.cli(...check)).code).toBe(0);
    project.put({ "src/client/types.ts": `${project.read("src/client/types.ts")}// mine\n` });
    const edited = await project.cli(...check);
    expect(edited).toMatchObject({ code: 1, stdout: expect.stringContaining("edited") as string });
    expect((await project.cli(...check.slice(0, -1))).code).toBe(3);
    const manifest = { tools: [{ name: "other", inputSchema: { type: "object" } }] };
    project.put({ "m.json": JSON.stringify(manifest) });
    await project.cli("lock", "tracker", "--from", "m.json");
    expect((await project.cli(...check.slice(0, -1), "--force")).code).toBe(0);
    expect(project.read("src/client/index.ts")).toContain("readonly other:");
  });

  it("is written to a folder for each server if several are locked", async () => {
    using project = new ContractProject();
    project.put({
      "m.json": JSON.stringify({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
    });
    await project.cli("lock", "one", "--from", "m.json");
    await project.cli("lock", "one", "--as", "admin", "--from", "m.json");
    expect((await project.cli("contract", "client")).code).toBe(0);
    expect(project.read("contracts/client/one-at-admin/index.ts")).toContain("createOneAdmin");
    expect((await project.cli("contract", "client", "two")).stderr).toContain(
      'has no server "two"',
    );
  });
});

describe("code in a project without our packages", () => {
  it("is reported with the commands that install them from this clone", async () => {
    using folder = new TestFolder().put({
      "a.json": '{ "tools": [{ "name": "go", "inputSchema": { "type": "object" } }] }',
    });
    const options = { cwd: folder.path };
    expect((await cli(["lock", "desk", "--from", "a.json"], options)).code).toBe(0);
    const { stderr } = await cli(["contract", "client"], options);
    expect(stderr).toMatch(
      /\nBefore it runs: npm run --prefix \S+ archives -- vendor @mcp-codegen\/contract.* && npm install /,
    );
    const { stderr: docs } = await cli(["contract", "docs"], options);
    expect(docs).not.toContain("Before it runs");
    const { stderr: modules } = await cli(["contract", "client", "--check"], options);
    expect(modules).not.toContain("Before it runs");
  });
});

describe("a new client project with --from", () => {
  it("has a lock file and a typed client that compile, and a script that checks both", async () => {
    using project = new ContractProject();
    const from = `${process.execPath} ${program("tracker")}`;
    const made = await project.cli("new", "desk", "--template", "client", "--from", from);
    expect(made.code, made.stderr).toBe(0);
    const manifest = JSON.parse(project.read("desk/package.json")) as {
      scripts: Record<string, string>;
      dependencies: object;
    };
    expect(Object.keys(manifest.dependencies)).toContain("@mcp-codegen/runtime");
    const commands = manifest.scripts["contract"]!.split(" && ").map((line) =>
      line.split(" ").slice(1),
    );
    for (const words of commands) {
      const { code, stderr } = await cli(words, { cwd: join(project.path, "desk") });
      expect(code, stderr).toBe(0);
    }
    project.put({
      "src/use.ts": `export { createIssueTracker } from "../desk/src/issue-tracker/index.js";\n`,
    });
    expect(await project.compile()).toBe("");
  });

  it.each([
    [
      ["--template", "stdio-server", "--from", "https://a.example"],
      2,
      "--from is for the template client",
    ],
    [["--template", "client", "--from", "https://a:b@c.example"], 2, "--from needs a URL"],
    [["--template", "client", "--from", "no-such-command-here"], 5, "Check the command"],
  ])("rejects %j and writes nothing", async (args, expected, text) => {
    using project = new ContractProject();
    const { code, stderr } = await project.cli("new", "desk", ...args);
    expect(stderr).toContain(text);
    expect(code).toBe(expected);
    expect(project.list().some((path) => path.startsWith("desk"))).toBe(false);
  });
});

describe("code from a hostile contract", () => {
  it("compiles, executes nothing of theirs, stays in its folder, and has a member for every name", async () => {
    using project = new ContractProject();
    const hostile = ["--", process.execPath, program("hostile"), "names"];
    const results = await project.generate(hostile, ["client", "server"]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(results[1]!.stderr.match(/warning/g)!.length).toBeLessThan(15);
    const files = project.list().filter((path) => !path.startsWith("node_modules"));
    expect(files.filter((path) => path.endsWith(".ts"))).toEqual([
      "src/client/contract.ts",
      "src/client/index.ts",
      "src/client/shapes.ts",
      "src/client/types.ts",
      "src/client/validators.ts",
      "src/server/contract.ts",
      "src/server/index.ts",
      "src/server/shapes.ts",
      "src/server/types.ts",
      "src/server/validators.ts",
    ]);
    expect(await project.compile()).toBe("");
    const code = ["client", "server"].flatMap((kind) =>
      ["types", "shapes", "validators"].map((name) => project.read(`src/${kind}/${name}.ts`)),
    );
    expect(code.join()).not.toMatch(/tsType|evil\(\)|[\u202e\u200b\u2028]/);
    const { createTracker } =
      await project.load<Record<string, (client: object) => { tools: object }>>("client/index.ts");
    const called: unknown[] = [];
    const { tools } = createTracker!({ callTool: async (name: string) => called.push(name) && {} });
    for (const call of Object.values(tools) as ((args: object) => Promise<unknown>)[]) {
      await call({ "*/": "", __proto__x: "\u2028" });
    }
    const { contract } = await project.load<{
      contract: { tools: { definition: { name: string } }[] };
    }>("client/contract.ts");
    expect(called).toEqual(contract.tools.map(({ definition }) => definition.name));
    expect("then" in tools).toBe(false);
  }, 60_000);
});

/** Wraps our transport in the shape of the official SDK's. */
function sdkTransport(ours: ReturnType<typeof memoryPair>[0]): never {
  const theirs: Record<string, unknown> = {
    start: async () =>
      ours.start({
        message: (value) => (theirs["onmessage"] as (value: unknown) => void)(value),
        malformed: () => {},
        failed: () => {},
        ended: () => {},
        closed: () => (theirs["onclose"] as (() => void) | undefined)?.(),
      }),
    send: async (message: never) => void ours.send(message),
    close: async () => ours.close(),
  };
  return theirs as never;
}
