import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const revision = "2025-11-25";
const cli = join(root, "generator/dist/cli/bin.js");
let folder: string;
let project: string;

/** The tarballs of this repository stand in for what a registry would serve. */
async function useTarballs(): Promise<void> {
  const packed = await Promise.all([
    pack("runtime", folder),
    pack(`generated/${revision}`, folder),
  ]);
  const file = join(project, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
  const local = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  expect(Object.keys(manifest["dependencies"]!).toSorted()).toEqual(Object.keys(local).toSorted());
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: local, overrides: local }));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-scaffold-"));
  project = join(folder, "my-notes");
  const args = [cli, "new", "my-notes", "--template", "stdio-server", "--revision", revision];
  await runOrThrow(process.execPath, args, { cwd: folder });
  await useTarballs();
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
  await runOrThrow("npm", install, { cwd: project });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a scaffolded stdio server", () => {
  it("has everything that a project needs", () => {
    const files = [
      "package.json",
      ".gitignore",
      ".mcp.json",
      ".vscode/mcp.json",
      "README.md",
      "AGENTS.md",
    ];
    expect(files.filter((file) => !existsSync(join(project, file)))).toEqual([]);
    const written = readFileSync(join(project, "README.md"), "utf8");
    expect(written).not.toMatch(/\{\{|\}\}/);
  });

  it("is built by its installation and installs two packages at run time", async () => {
    expect(existsSync(join(project, "dist/index.js"))).toBe(true);
    const listed = await runOrThrow("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
      cwd: project,
    });
    expect(listed.trim().split("\n").length - 1).toBe(2);
  });

  it("type-checks and passes its own tests", async () => {
    const { code, stdout, stderr } = await run("npm", ["test"], { cwd: project });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/pass 3/);
  }, 120_000);
});

describe.each([
  ["@modelcontextprotocol/sdk", ClientV1, StdioV1],
  ["@modelcontextprotocol/client", ClientV2, StdioV2],
])("%s drives it", (_, Client, Stdio) => {
  type Peer = InstanceType<typeof ClientV1>;
  let client: Peer;

  beforeAll(async () => {
    const command = { command: process.execPath, args: [join(project, "dist/index.js")] };
    client = new Client({ name: "peer", version: "1.0.0" }) as unknown as Peer;
    await client.connect(new Stdio(command) as unknown as StdioV1);
  });
  afterAll(() => client.close());

  it("initialize", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "my-notes", version: "0.1.0" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(client.getInstructions()).toContain("add_note");
  });

  it("ping", async () => {
    expect(await client.ping()).toEqual({});
  });

  it("tools", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["add_note"]);
    const added = await client.callTool({ name: "add_note", arguments: { text: "Buy milk" } });
    expect(added.content).toEqual([{ type: "text", text: "Kept as note 1." }]);
    const wrong = await client.callTool({ name: "add_note", arguments: { text: 1 } });
    expect(wrong.isError).toBe(true);
    await expect(client.callTool({ name: "constructor" })).rejects.toMatchObject({ code: -32602 });
  });

  it("resources", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["notes://all"]);
    const { contents } = await client.readResource({ uri: "notes://all" });
    expect(contents).toEqual([{ uri: "notes://all", mimeType: "text/plain", text: "1. Buy milk" }]);
    await expect(client.readResource({ uri: "notes://no" })).rejects.toThrow("Resource not found");
  });

  it("prompts", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["summarize_notes"]);
    const { messages } = await client.getPrompt({
      name: "summarize_notes",
      arguments: { style: "a haiku" },
    });
    expect(JSON.stringify(messages)).toMatch(/a haiku.*Buy milk/);
  });
});
