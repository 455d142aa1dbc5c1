import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { generateBundled, revisions } from "../generator/bundled.js";
import { build } from "../cli/build.js";
import { cli } from "../cli/cli.js";
import { TestFolder } from "../output/folder.js";
import { followed, MESSAGES } from "./newcomer.js";

const MCP = /\bMCP\b|Model Context Protocol|model-context-protocol|modelcontextprotocol/i;

/** Matches names of packages and of the generator, which stay the same for every protocol. */
const PACKAGES = /@?mcp-codegen(?:\/[\w./-]+)?/g;

const calledMcp = (text: string): string[] =>
  text
    .replaceAll(PACKAGES, "")
    .split("\n")
    .filter((line) => MCP.test(line));

let schema: string;
beforeAll(async () => {
  await build();
  ({ schema } = await followed(MESSAGES));
}, 120_000);

const FACTS = JSON.stringify({
  revision: "1.0",
  name: "Weather Protocol",
  specification: "https://weather.example/(1.0)",
  keywords: ["weather", "forecast"],
});

function filesOf(folder: TestFolder, path: string): [path: string, text: string][] {
  return folder
    .list()
    .filter((file) => file.startsWith(`${path}/`) && !file.endsWith("/"))
    .map((file) => [file, folder.read(file)]);
}

async function readmeOf(text: string): Promise<string> {
  using folder = new TestFolder().put({ "own.ts": text });
  const args = ["--schema", "own.ts", "--revision", "1.0", "--out", "own"];
  expect((await cli(args, { cwd: folder.path })).code).toBe(0);
  return folder.read("own/README.md");
}

describe("code generated from a schema that is not MCP's", () => {
  it.each([
    ["without facts", []],
    ["with a name", ["--facts", "facts.json"]],
    ["as modules", ["--modules-only"]],
  ])("does not call it MCP, %s", async (_, options) => {
    using folder = new TestFolder().put({ "own.ts": schema, "facts.json": FACTS });
    const args = ["--schema", "own.ts", "--revision", "1.0", "--out", "own", ...options];
    const { code, stdout, stderr } = await cli(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(calledMcp(stdout + stderr)).toEqual([]);
    const files = filesOf(folder, "own");
    expect(files.length).toBeGreaterThan(7);
    for (const [path, text] of files) expect(calledMcp(text), path).toEqual([]);
  });

  it("is not called MCP in the output of the command line, either", async () => {
    const other = schema.replace("degrees: number[]", "degrees: string[]");
    const faulty = schema.replace("ForecastResult extends", "ForecastResult implements");
    using folder = new TestFolder().put({
      "own.ts": schema,
      "other.ts": other,
      "faulty.ts": faulty,
      "empty.ts": "",
      "messages.ts": MESSAGES,
    });
    const out = ["--revision", "1.0", "--out", "own"];
    const lines = [
      ["--schema", "own.ts", ...out],
      ["--schema", "other.ts", ...out, "--check"],
      ["--schema", "other.ts", ...out, "--dry-run"],
      ["--schema", "own.ts", ...out, "--json"],
      ...["empty", "messages", "faulty"].map((name) => ["--schema", `${name}.ts`, ...out]),
      ["inspect", "own.ts"],
      ["inspect", "own.ts", "weather/forecast"],
      ["inspect", "own.ts", "ForecastResult"],
      ["diff", "own.ts", "other.ts"],
      ["fingerprint", "own.ts"],
    ];
    const codes: (number | null)[] = [];
    for (const line of lines) {
      const { code, stdout, stderr } = await cli(line, { cwd: folder.path });
      codes.push(code);
      expect(calledMcp(stdout + stderr), line.join(" ")).toEqual([]);
    }
    expect(codes).toEqual([0, 1, 0, 0, 3, 3, 3, 0, 0, 0, 0, 0]);
  });

  it("has the name and the site that its facts state", async () => {
    const linked = schema.replace(
      "export interface ForecastResult",
      "/** See [the rules](/rules#days), or {@link /terms | the terms}. */\nexport interface ForecastResult",
    );
    using folder = new TestFolder().put({ "own.ts": linked, "facts.json": FACTS });
    const args = ["--schema", "own.ts", "--facts", "facts.json", "--revision", "1.0"];
    expect((await cli([...args, "--out", "own"], { cwd: folder.path })).code).toBe(0);
    expect(folder.read("own/README.md")).toContain(
      "Revision 1.0 of the [Weather Protocol](https://weather.example/%281.0%29) in TypeScript",
    );
    expect(folder.read("own/client.ts")).toContain("/** A client of the Weather Protocol 1.0: one");
    expect(folder.read("own/server.ts")).toContain("/** A server of the Weather Protocol 1.0: one");
    expect(folder.read("own/types.ts")).toContain(
      "See [the rules](https://weather.example/rules#days), or {@link https://weather.example/terms | the terms}.",
    );
    expect(JSON.parse(folder.read("own/package.json"))).toMatchObject({
      description: expect.stringContaining("of the Weather Protocol 1.0."),
      keywords: ["weather", "forecast", "json-rpc"],
    });
    expect(JSON.parse(folder.read("own/protocol.json"))).toMatchObject({
      name: "Weather Protocol",
      specification: "https://weather.example/(1.0)",
    });
  });

  it("is named by its revision if it has no name, and mentions no package on npm", async () => {
    const readme = await readmeOf(schema);
    expect(readme).toContain("The protocol `1.0` in TypeScript");
    expect(readme).not.toContain("npm install @mcp-codegen/1.0");
  });

  it("shows an example in its README only if one applies", async () => {
    expect(await readmeOf(schema)).toContain("## Check a value");
    const unversioned = schema.replace("name: string; version: string", "name: string");
    expect(unversioned).not.toBe(schema);
    expect(await readmeOf(unversioned)).not.toContain("## Check a value");
  });

  it.each([
    ["a name over lines", { name: "Weather\nProtocol" }],
    ["a name with a tag", { name: "<script>" }],
    ["a name that ends a comment", { name: "x */ y" }],
    ["an invalid address", { specification: "weather" }],
    ["an unreadable address", { specification: "https://[" }],
    ["an invalid description", { keywords: "weather" }],
  ])("rejects %s (MCG3060)", async (_, facts) => {
    using folder = new TestFolder().put({
      "own.ts": schema,
      "facts.json": JSON.stringify({ revision: "1.0", ...facts }),
    });
    const args = ["--schema", "own.ts", "--facts", "facts.json", "--revision", "1.0"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain("MCG3060");
  });
});

describe("code generated from a revision of MCP", () => {
  it.each(revisions)("calls it by its name and links to its page: %s", async (revision) => {
    const files = await generateBundled(revision);
    const text = (path: string): string => files.find((file) => file.path === path)!.text;
    const page = `https://modelcontextprotocol.io/specification/${revision}`;
    expect(text("README.md")).toContain(
      `Revision ${revision} of the [Model Context Protocol](${page})`,
    );
    expect(text("client.ts")).toContain(`A client of the Model Context Protocol ${revision}:`);
    expect(JSON.parse(text("package.json")).keywords).toEqual([
      "mcp",
      "model-context-protocol",
      "json-rpc",
    ]);
    expect(text("README.md")).toContain(
      `npm install @mcp-codegen/${revision} @mcp-codegen/runtime`,
    );
  });

  it("has the name from facts, and from no other place in the generator", () => {
    const named = ["emit/package-files.ts", "emit/sides.ts", "emit/printer/doc.ts"];
    for (const file of named) {
      const text = readFileSync(join(import.meta.dirname, "../../generator", file), "utf8");
      expect(calledMcp(text), file).toEqual([]);
    }
  });
});
