import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connect } from "@mcp-codegen/universal";
import { root } from "../cli/build.js";
import { bin, cli } from "../cli/cli.js";
import { eventually } from "../support/eventually.js";
import { child, isAlive, program } from "./support/child.js";
import { answering, entry, folder, over, remote, served } from "./support/command.js";

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

/** The README's lines, without their comments. */
const [, block = ""] = /```sh\n(npx mcp-codegen bridge [\s\S]*?)```/.exec(
  readFileSync(join(root, "README.md"), "utf8"),
) ?? [""];
const lines = block.split("\n").flatMap((line) => line.split(" #")[0]!.trim() || []);

describe("the lines to paste of the README", () => {
  it("are four", () => expect(lines).toHaveLength(4));

  it.each(lines)("work: %s", async (line) => {
    const up = line.includes("new.example") ? "2026-07-28" : "2025-06-18";
    const { url } = await remote(up);
    const servers = { one: entry("1"), two: entry("2") };
    const cwd = folder({ ".mcp.json": { mcpServers: servers } });
    const words = line
      .replace("npx mcp-codegen bridge", "")
      .replace(/https:\S+/, url)
      .replace(/--http \d+/, "--http 0")
      .replace("node server.js", `${process.execPath} ${program} 2025-06-18`)
      .replace(".mcp.json", join(cwd, ".mcp.json"))
      .trim()
      .split(" ");
    const isHttp = words.includes("--http");
    const target = isHttp
      ? (await served(words, { TOKEN: "down-secret" })).url
      : { command: process.execPath, args: [bin, "bridge", ...words] };
    const client = await connect(target, {
      ...answering(isHttp ? "2026-07-28" : "2025-06-18"),
      ...(words.includes("TOKEN") && { headers: { authorization: "Bearer down-secret" } }),
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const echo = names.find((name) => name.endsWith("echo"))!;
    expect((await client.callTool(echo, { text: "hi" })).isError ?? false).toBe(false);
    const form = names.find((name) => /^(?:pay|ask)$/.test(name));
    // The lines without a token promise no answers to stateless clients.
    if (form !== undefined && (!isHttp || words.includes("TOKEN")))
      expect((await client.callTool(form, { text: "Sure?" })).isError ?? false).toBe(false);
    await client.close();
  });
});

describe("mcp-codegen bridge", () => {
  it.each([
    ["2025-06-18", "2026-07-28"],
    ["2026-07-28", "2025-06-18"],
  ])("serves a host of %s over stdio before a URL of %s", async (down, up) => {
    const { url, effects } = await remote(up);
    const target = { command: process.execPath, args: [bin, "bridge", url] };
    const client = await connect(target, answering(down));
    expect((await client.callTool("pay")).content).toEqual([{ type: "text", text: "accept 42" }]);
    expect(effects["pay"]).toBe(up === "2026-07-28" ? 2 : 1);
    await client.close();
  });

  it.each(["--http", "--sse"])(
    "serves a command over %s, and ends it on a signal",
    async (door) => {
      const { env, pids } = child("2025-11-25");
      const names = Object.keys(env).flatMap((name) => ["--env", name]);
      const words = [door, "0", ...names, "--", process.execPath, program, "2025-11-25"];
      const bridge = await served(words, env);
      const client = await connect(bridge.url, answering("2024-11-05"));
      expect((await client.callTool("echo", { text: "hi" })).content).toHaveLength(1);
      await client.close();
      const ended = over(bridge.process);
      bridge.process.kill("SIGTERM");
      expect(await ended).toBe(0);
      await eventually(() => expect(pids().filter(isAlive)).toEqual([]));
    },
  );

  it("serves several servers of a file, with a policy", async () => {
    const files = {
      "mcp.json": {
        mcpServers: { one: entry("1"), two: entry("2"), dead: { command: "no-such-program" } },
      },
      "policy.json": { two: { allow: ["echo"] } },
    };
    const cwd = folder(files);
    const file = (name: string) => join(cwd, name);
    const words = ["--config", file("mcp.json"), "--policy", file("policy.json"), "--http"];
    const { url, text } = await served(words);
    const client = await connect(url, answering("2026-07-28"));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("one_ask");
    expect(names.filter((name) => name.startsWith("two_"))).toEqual(["two_echo"]);
    expect(text()).toContain("dead cannot be reached");
    await client.close();
  });

  it("names a server that writes, and repeats no crash; paths are relative to the file", async () => {
    const crash = `import { appendFileSync } from "node:fs"; appendFileSync("starts", "x");
      process.stderr.write("Error: x\\n  at y\\n"); process.exit(1);`;
    const cwd = folder({
      "crash.mjs": crash,
      "mcp.json": {
        mcpServers: {
          one: entry("1"),
          crash: { command: process.execPath, args: ["crash.mjs"] },
        },
      },
    });
    const { text } = await served(["--config", join(cwd, "mcp.json"), "--http"]);
    expect(text()).toContain(`Serving ${join(cwd, "mcp.json")} at `);
    const starts = () => readFileSync(join(cwd, "starts"), "utf8").length;
    await eventually(() => expect(starts()).toBeGreaterThan(3));
    expect(text().match(/^crash: {3}at y$/gm)).toHaveLength(1);
  });

  it("serves two tools that find and call what a lock file pins", async () => {
    const lists = { prompts: [], resources: [], resourceTemplates: [] };
    const inputSchema = { type: "object", properties: {} };
    const tools = [{ definition: { name: "pid", inputSchema } }];
    const cwd = folder({
      "mcp.lock.json": { lockVersion: 1, servers: { one: { ...lists, tools } } },
      "policy.json": { "*": { contract: "mcp.lock.json" } },
    });
    const words = ["--policy", join(cwd, "policy.json"), "--catalog", "search", "--http", "0"];
    const behind = ["--", process.execPath, program, "2025-11-25"];
    const { url, text } = await served([...words, ...behind]);
    const client = await connect(url, answering("2026-07-28"));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["search_tools", "call_tool"]);
    const { content } = await client.callTool("search_tools", { query: "" });
    expect(JSON.stringify(content)).toContain("pid");
    expect(JSON.stringify(content)).not.toContain("echo");
    expect(text()).toContain('tools "echo" added, and is hidden');
    await client.close();
  });

  it("loads no generator", () => {
    const loader =
      "export async function load(url, context, next) { console.error(url); return next(url, context); }";
    const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${loader}`)});`;
    const args = [
      "--import",
      `data:text/javascript,${register}`,
      bin,
      "bridge",
      "--http=x",
      "ftp://a",
    ];
    const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toContain("bridge/dist/cli");
    expect(stderr).not.toMatch(/node_modules\/(?:prettier|ts-morph|@ts-morph|handlebars)\//);
  });

  it("asks clients for the token, and keeps it from the server", async () => {
    const { url, seen } = await remote("2025-11-25");
    const words = [
      "--http",
      "0",
      "--token-env",
      "TOKEN",
      "--header",
      "Authorization: Bearer $UP",
      url,
    ];
    const bridge = await served(words, { TOKEN: "down-secret", UP: "up-secret" });
    await expect(connect(bridge.url, answering("2025-11-25"))).rejects.toThrow();
    const headers = { authorization: "Bearer down-secret" };
    const client = await connect(bridge.url, { ...answering("2025-11-25"), headers });
    await client.callTool("echo", { text: "hi" });
    await client.close();
    expect(new Set(seen)).toEqual(new Set(["Bearer up-secret"]));
    expect(bridge.text()).not.toContain("secret");
  });

  it.each([
    [[], 2, "There is no server"],
    [["https://example.com", "--", "node"], 2, "There is more than one server"],
    [["ftp://example.com"], 2, "must be an http: or https: URL"],
    [["https://user:secret@example.com"], 2, "without a user or password"],
    [
      ["--http=0", "--host", "0.0.0.0", "https://example.com"],
      2,
      "admits other machines without a token",
    ],
    [["--http=x", "https://example.com"], 2, "--http needs a port"],
    [["--http=0", "--sse=0", "https://example.com"], 2, "cannot be combined"],
    [["--host", "localhost", "https://example.com"], 2, "--host needs --http or --sse"],
    [["--revisions", "2025-06-19", "https://example.com"], 2, "2025-06-19"],
    [["--config", "none.json"], 2, "No servers found in none.json: it does not exist"],
    [["--config", "empty.json"], 2, "empty.json"],
    [["--config", "bad.json"], 2, "bad.json: x has neither `url` nor `command`"],
    [
      ["--policy", "broken.json", "https://example.com"],
      2,
      "broken.json is not a policy: It is not valid JSON",
    ],
    [["--policy", "rule.json", "https://example.com"], 2, '"alow" is not a rule'],
    [["--catalog", "find", "https://example.com"], 2, "--catalog must be all or search"],
    [["--policy", "lock.json", "https://example.com"], 2, "mcp.lock.json does not exist"],
    [["--header", "X: $NONE", "https://example.com"], 2, "environment variable NONE is not set"],
    [["http://127.0.0.1:9/mcp"], 5, "http://127.0.0.1:9/mcp cannot be reached"],
    [["--", "no-such-program"], 5, "no-such-program cannot be reached"],
    [["--", process.execPath, "no.js"], 5, "with code 1; it wrote: Error: Cannot find module"],
    [["two"], 2, '.mcp.json has no server "two"'],
    [["one", "--env", "BRIDGE_NONE"], 2, "environment variable BRIDGE_NONE is not set"],
    [["--config", ".mcp.json", "--env", "PATH"], 2, "--env cannot be combined with --config"],
    [["--config", ".mcp.json", "--header", "A: b"], 2, "--header cannot be combined"],
    [["https://example.com", "--env", "PATH"], 2, "--env applies to a command only"],
    [["one"], 5, "one cannot be reached"],
    [["one", "--policy", "one.json"], 5, "one cannot be reached"],
    [["one", "--policy", "lock.json"], 2, "mcp.lock.json does not exist"],
    [["one", "--policy", "typo.json"], 2, 'It names a server "oen": use *, one'],
    [["one", "--policy", "list.json"], 2, "list.json is not a policy: It needs rules by server"],
    [["one", "--policy", "none.json"], 2, "none.json is not a policy: It does not exist"],
    [["one", "--timeout", "0"], 2, "--timeout must be more than 0 and at most 3600 seconds"],
    [["--config", "."], 2, "No servers found in .: it is a folder"],
    [["--config", "args.json"], 2, "args.json: x needs a list as `args`"],
    [["localhost:3555/mcp"], 2, "Did you mean http://localhost:3555/mcp?"],
    [["--http", "--token-env=A", "--token-env=B", "one"], 2, "needs a token of its own"],
  ])("refuses %j with exit code %i and one line", async (words, code, line) => {
    const cwd = folder({
      "empty.json": { mcpServers: {} },
      "bad.json": { mcpServers: { x: {} } },
      "broken.json": "{",
      ".mcp.json": { mcpServers: { one: { command: "no-such-program" } } },
      "rule.json": { "*": { alow: [] } },
      "one.json": { one: { allow: [] }, "*": { deny: [] } },
      "typo.json": { oen: { allow: [] } },
      "list.json": ["deny"],
      "args.json": { mcpServers: { x: { command: "node", args: "server.js" } } },
      "lock.json": { "*": { contract: "mcp.lock.json" } },
    });
    const env = { A: "same", B: "same" };
    const result = await cli(["bridge", ...words], { cwd, env });
    expect(result.stderr).toContain(line);
    expect(result.stderr).not.toContain("secret@");
    expect(result).toMatchObject({ code, stdout: "" });
  });
});
