import { ContractCalls, type ContractChecks, type ServerContract } from "@mcp-codegen/contract";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { ContractProject, program } from "./generated-code.js";

beforeAll(build, 120_000);

const command = ["--", process.execPath, program("partial")];

interface Locked {
  readonly tools: readonly { readonly definition: { readonly name: string } }[];
  readonly scope?: object;
}

function locked(project: ContractProject): Locked {
  const lock = JSON.parse(project.read("mcp.lock.json")) as { servers: Record<string, Locked> };
  return Object.values(lock.servers)[0]!;
}

const namesIn = ({ tools }: Locked): string[] => tools.map(({ definition }) => definition.name);

describe("lock", () => {
  it("keeps the other lists of a server if one of them cannot be read", async () => {
    using project = new ContractProject();
    const done = await project.cli("lock", "it", ...command);
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringMatching(/warning MCG9007: it: its resources could not be read/),
    ]);
    expect(namesIn(locked(project))).toEqual(["search"]);
    expect(locked(project).scope).toEqual({ only: ["tools", "prompts", "resourceTemplates"] });
  });

  it("omits an ignored member, in the next check as well", async () => {
    using project = new ContractProject();
    const plain = await project.cli("lock", "it", "--only", "tools", ...command);
    expect(plain.code, plain.stderr).toBe(0);
    expect((await project.cli("lock", "--check")).code).toBe(1);
    const place = "/inputSchema/properties/from/default";
    expect((await project.cli("lock", "--check", "--ignore", place)).code).toBe(0);
    expect((await project.cli("lock", "--ignore", place)).code).toBe(0);
    expect(locked(project).scope).toEqual({ only: ["tools"], ignore: [place] });
    expect((await project.cli("lock", "--check")).code).toBe(0);
    const before = project.read("mcp.lock.json");
    expect((await project.cli("lock")).code).toBe(0);
    expect(project.read("mcp.lock.json")).toBe(before);
  });

  it("declares the capabilities that a server requires", async () => {
    using project = new ContractProject();
    const declare = ["--declare", "elicitation", "--declare", "sampling.tools"];
    const done = await project.cli("lock", "it", "--only", "tools", ...declare, ...command);
    expect(done.code, done.stderr).toBe(0);
    expect(namesIn(locked(project))).toEqual(["ask", "search"]);
    expect(locked(project).scope).toMatchObject({
      declares: { elicitation: {}, sampling: { tools: {} } },
    });
  });

  it.each([
    [["--only", "tolls"], "--only: there is no list"],
    [["--ignore", "description"], "--ignore needs a JSON pointer"],
    [["--declare", "{"], "--declare needs a capability"],
  ])("rejects %j", async (options, message) => {
    using project = new ContractProject();
    const { code, stderr } = await project.cli("lock", "it", ...options, ...command);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

const REFERRING = String.raw`^(a)\1$`;
const tool = {
  name: "search",
  inputSchema: {
    type: "object",
    properties: { q: { type: "string", pattern: REFERRING, maxLength: 4 } },
  },
};

describe("a pattern that cannot be compiled", () => {
  it("is omitted from the check of its tool, with a warning; the other keywords are checked", async () => {
    using project = new ContractProject();
    project.put({ "tools.json": JSON.stringify({ tools: [tool] }) });
    await project.cli("lock", "it", "--from", "tools.json");
    const { code, stderr } = await project.cli("contract", "client", "it", "--out", "src/it");
    expect(code).toBe(0);
    expect(stderr).toMatch(/MCG9010[^]*\/properties\/q\/pattern[^]*The keyword is not checked/);
    expect(await project.compile()).toBe("");
    const module = await project.load<{
      createIt(client: object): { tools: { search(args: object): Promise<unknown> } };
    }>("it/index.ts");
    const { tools } = module.createIt({ callTool: async () => ({ content: [] }) });
    expect(await tools.search({ q: "b" })).toMatchObject({ isError: false });
    await expect(tools.search({ q: "abcde" })).rejects.toMatchObject({ part: "arguments" });
  });

  it("leaves the other schema of the tool unchanged", async () => {
    const contract = { tools: [{ definition: { ...tool, outputSchema: { type: "object" } } }] };
    const checks: ContractChecks = {
      compile: jsonSchemas({ trust: "foreign" }),
      unchecked: { search: ["/inputSchema"] },
    };
    const client = { callTool: async () => ({ content: [], structuredContent: 1 }) };
    const calls = new ContractCalls(client as never, contract as unknown as ServerContract, checks);
    await expect(calls.tool("search", { q: 1 })).rejects.toMatchObject({ part: "result" });
  });
});

it("arguments are checked as they are sent, without undefined members", async () => {
  const inputSchema = { type: "object", minProperties: 1, maxProperties: 1 };
  const contract = { tools: [{ definition: { name: "save", inputSchema } }] } as unknown;
  const sent: unknown[] = [];
  const client = {
    callTool: async (_: string, args: unknown) => {
      sent.push(args);
      return { content: [] };
    },
  };
  const checks: ContractChecks = { compile: jsonSchemas({ trust: "foreign" }) };
  const calls = new ContractCalls(client as never, contract as ServerContract, checks);
  await expect(calls.tool("save", { a: undefined })).rejects.toMatchObject({ part: "arguments" });
  expect(sent).toEqual([]);
  await calls.tool("save", { a: 1, b: undefined });
  expect(sent).toHaveLength(1);
});

describe("the server of a contract whose result has a member content", () => {
  it("returns it as structured content, and whole results unchanged", async () => {
    using project = new ContractProject();
    const outputSchema = {
      type: "object",
      properties: { content: { type: "string" }, isError: { type: "boolean" } },
      required: ["content"],
    };
    const definition = { name: "read", inputSchema: { type: "object" }, outputSchema };
    project.put({
      "tools.json": JSON.stringify({ tools: [definition, { ...definition, name: "fail" }] }),
      "src/use.ts": `import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { implementIt } from "./it/index.js";
const server = new McpServer({ name: "it", version: "1" });
implementIt(server, {
  tools: {
    read: () => ({ content: "text", isError: true }),
    fail: () => ({ content: [{ type: "text", text: "no" }], isError: true }),
  },
});
const client = await connect(await connectInMemory(server));
export const read: object = await client.callTool("read");
export const fail: object = await client.callTool("fail");
await client.close();
`,
    });
    await project.cli("lock", "it", "--from", "tools.json");
    await project.cli("contract", "server", "it", "--out", "src/it");
    expect(await project.compile()).toBe("");
    const { read, fail } = await project.load<Record<"read" | "fail", object>>("use.ts");
    expect(read).toMatchObject({ structuredContent: { content: "text", isError: true } });
    expect(fail).toMatchObject({ isError: true, content: [{ text: "no" }] });
  });
});

describe("the types of a schema", () => {
  it("document deprecation, defaults and bounds, and that an array is not empty", async () => {
    using project = new ContractProject();
    const properties = {
      old: { type: "string", deprecated: true },
      page: { type: "integer", default: 1, maximum: 50, description: "Page */ @x" },
      ids: { type: "array", items: { type: "string" }, minItems: 1 },
    };
    const listed = { name: "list", inputSchema: { type: "object", properties } };
    project.put({ "tools.json": JSON.stringify({ tools: [listed] }) });
    await project.cli("lock", "it", "--from", "tools.json");
    await project.cli("contract", "client", "it", "--out", "src/it");
    const types = project.read("src/it/types.ts");
    expect(types).toContain("ids?: [string, ...Array<string>];");
    expect(types).toContain("/** @deprecated */\n  old?: string;");
    expect(types).toContain("Default: 1. Maximum: 50.");
    expect(await project.compile()).toBe("");
  });
});
