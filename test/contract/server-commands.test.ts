import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { cli, cliJson } from "../cli/cli.js";
import { root } from "../support/pack.js";

const PROGRAM = `
import { McpServer, serveStdio } from "@mcp-codegen/universal";
const server = new McpServer({ name: "desk", version: "2.1.0" });
const properties = { name: { type: "string" }, times: { type: "integer" }, tags: { type: "array" } };
server.registerTool(
  "greet",
  { description: "Greets a person\\nMore.", inputSchema: { type: "object", properties, required: ["name"] } },
  (args) => args.name === "nobody" ? { content: [{ type: "text", text: "No such person" }], isError: true } : JSON.stringify(args),
);
server.registerTool("ask", {}, async (ctx) => {
  const { action } = await ctx.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
  return action;
});
server.registerTool("think", {}, async (ctx) => {
  await ctx.sample({ messages: [], maxTokens: 1 });
  return "";
});
server.registerTool("variable", {}, () => String(process.env.DESK_KEY));
server.registerPrompt("plan", { description: "Makes a plan" }, () => "A plan");
server.registerResource("note", "note:///a", {}, () => "A note");
await serveStdio(server);
`;

let folder: string;
beforeAll(async () => {
  await build();
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules/.cache/server-commands-"));
  writeFileSync(join(folder, "server.mjs"), PROGRAM);
  const local = {
    command: process.execPath,
    args: ["server.mjs"],
    env: { DESK_KEY: "${DESK_SECRET}" },
  };
  writeFileSync(
    join(folder, ".mcp.json"),
    JSON.stringify({ mcpServers: { desk: local, odd: {} } }),
  );
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = ["--", process.execPath, "server.mjs"];
const here = () => ({ cwd: folder, env: { ...process.env, DESK_SECRET: "hidden" } });

/** Runs `tools` and returns its exit code and the text of its diagnostics. */
async function wrong(...args: readonly string[]): Promise<readonly unknown[]> {
  const { code, stdout } = await cli(["tools", "--json", ...args], here());
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { message: string; hint?: string }[];
  };
  return [code, ...diagnostics.flatMap(({ message, hint = "" }) => [message, hint])];
}

describe("tools", () => {
  it("lists what a server offers, as text and as JSON", async () => {
    const { code, stdout, stderr } = await cli(["tools", ...command], here());
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("desk  2.1.0");
    expect(stdout).toContain("greet name=<string> [times=<integer>] [tags=<array>]");
    expect(stdout).toContain("      Greets a person\n");
    expect(stdout).toMatch(/Prompts\n {2}plan\n[^]*Resources\n {2}note {2}note:\/\/\/a/);
    expect(stderr).toContain("4 tools, 1 prompt, 1 resource");
    const { json } = await cliJson(["tools", "desk"], here());
    expect(json).toMatchObject({
      server: { name: "desk" },
      tools: [{ name: "greet" }, { name: "ask" }, { name: "think" }, { name: "variable" }],
      prompts: [{ name: "plan" }],
      resources: [{ uri: "note:///a" }],
      resourceTemplates: [],
    });
  }, 60_000);

  it("reports an invalid target, and a server that cannot be reached", async () => {
    expect(await wrong("dask")).toEqual([
      2,
      '.mcp.json has no server "dask".',
      'Did you mean "desk"?',
    ]);
    const odd = ".mcp.json: odd has neither `url` nor `command`.";
    expect(await wrong("odd")).toEqual([2, odd, expect.stringContaining('"mcpServers"')]);
    expect(await wrong()).toEqual([2, "No server is named.", expect.stringContaining("a command")]);
    const hidden = await wrong("https://user:secret@example.com/");
    expect(hidden).toEqual([2, expect.not.stringContaining("secret"), expect.any(String)]);
    expect((await wrong("--", "no-such-program"))[0]).toBe(5);
  }, 60_000);
});

describe("call", () => {
  it("passes arguments in the types of the tool, and prints the result", async () => {
    const words = ["greet", "name=42", "times=2", "tags=a", "tags=b"];
    const { code, stdout, stderr } = await cli(["call", ...words, ...command], here());
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ name: "42", times: 2, tags: ["a", "b"] });
    const json = await cliJson(["call", "desk", "greet", "--args", '{"name":"Ada"}'], here());
    expect(json.json).toMatchObject({
      tool: "greet",
      result: { content: [{ type: "text", text: '{"name":"Ada"}' }] },
    });
  }, 60_000);

  it("passes the variables of a host entry to the process", async () => {
    expect((await cli(["call", "desk", "variable"], here())).stdout.trim()).toBe("hidden");
  }, 60_000);

  it("declines the questions of a tool, and explains a request for a model", async () => {
    const { code, stdout, stderr } = await cli(["call", "ask", ...command], here());
    expect([code, stdout.trim()], stderr).toEqual([0, "decline"]);
    const refused = await cli(["call", "think", ...command], here());
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringMatching(/refuses the call of think: .*sampling.*\n.*call it from a host/),
    ]);
  }, 60_000);

  it("exits with 1 if the tool failed, and with 2 if the tool does not exist", async () => {
    const failed = await cli(["call", "greet", "name=nobody", ...command], here());
    expect([failed.code, failed.stdout.trim()]).toEqual([1, "No such person"]);
    const { code, json } = await cliJson(["call", "desk", "great"], here());
    expect(code).toBe(2);
    expect(json["diagnostics"]).toMatchObject([
      { message: 'The server has no tool "great".', hint: 'Did you mean "greet"?' },
    ]);
  }, 60_000);

  it("sends headers to a URL, and never prints them", async () => {
    const keys: unknown[] = [];
    const web = createServer((request, response) => {
      keys.push(request.headers["x-key"]);
      response.writeHead(403).end(String(request.headers["x-key"]));
    });
    await new Promise<void>((resolve) => void web.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
    const args = ["call", url, "who", "--header", "X-Key: $DESK_SECRET"];
    const { code, stdout, stderr } = await cli(args, here());
    web.close();
    expect([code, keys[0]]).toEqual([5, "hidden"]);
    expect(stdout + stderr).not.toContain("hidden");
  }, 60_000);
});
