import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "@mcp-codegen/universal";
import { bin, cli } from "../cli/cli.js";
import { eventually } from "../support/eventually.js";
import { child, isAlive, program } from "./support/child.js";
import { answering, entry, folder, over, remote, served } from "./support/command.js";

/** The contents of the results of `ask` and `pid`. */
type Answers = readonly [unknown, unknown];

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

const behind = ["--", process.execPath, program];

describe("options of mcp-codegen bridge", () => {
  it("--separator, --revisions and --upstream-revision say what both sides see", async () => {
    const { url } = await remote("2025-06-18");
    const cwd = folder({ "mcp.json": { mcpServers: { far: { url }, near: entry("2") } } });
    const words = ["--config", join(cwd, "mcp.json"), "--separator", ".", "--http"];
    const { url: at, text } = await served([...words, "--revisions", "2025-03-26,2024-11-05"]);
    const client = await connect(at, { eras: false });
    expect(client.revision).toBe("2025-03-26");
    expect(client.server.info).toMatchObject({ name: "far+near" });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["far.echo", "near.echo"]));
    await client.close();
    expect(text()).toMatch(/^far: upstream 1\.2\.3, at 2025-06-18$/m);
    expect(text()).toMatch(/^near: 2 1\.0\.0, at 2025-11-25$/m);
    const old = await cli(["bridge", url, "--upstream-revision", "2024-11-05"], { cwd });
    expect([old.code, old.stderr]).toEqual([5, expect.stringContaining("2024-11-05")]);
    const both = ["--separator", ".", url];
    expect((await cli(["bridge", ...both], { cwd })).stderr).toContain(
      "--separator needs --config",
    );
  });

  it("https:// at a port without TLS is named", async () => {
    const { url } = await remote("2025-11-25");
    const words = ["bridge", url.replace("http:", "https:")];
    const { code, stderr } = await cli(words, { cwd: folder() });
    expect([code, stderr]).toEqual([5, expect.stringContaining("answers http, not https")]);
  });

  it("--timeout limits the time for connecting", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void (silent.closeAllConnections(), silent.close()));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
    const { code, stderr } = await cli(["bridge", url, "--timeout", "0.2"], { cwd: folder() });
    const problem = "cannot be reached: it did not answer within 0.2 s (--timeout).";
    expect([code, stderr]).toEqual([5, expect.stringContaining(problem)]);
  });

  it("--log writes decisions without arguments, and nothing with none", async () => {
    const cwd = folder({ "policy.json": { "*": { deny: ["pid"] } } });
    const words = ["--policy", join(cwd, "policy.json"), "--token-env", "ADA", "--http", "0"];
    const env = { ADA: "token-of-ada" };
    const bridge = await served(["--log", "decisions", ...words, ...behind, "2025-11-25"], env);
    const headers = { authorization: "Bearer token-of-ada" };
    const client = await connect(bridge.url, { ...answering("2025-11-25"), headers });
    await client.callTool("echo", { text: "an argument" });
    await expect(client.callTool("pid")).rejects.toThrow();
    await client.close();
    const line = { principal: "ADA", server: "", kind: "tool", name: "echo", verdict: "allow" };
    await eventually(() => expect(bridge.text()).toContain(`${JSON.stringify(line)}\n`));
    expect(bridge.text()).toContain(JSON.stringify({ ...line, name: "pid", verdict: "deny" }));
    expect(bridge.text()).not.toContain("an argument");
    const dead = { mcpServers: { one: entry("1"), dead: { command: "no-such-program" } } };
    const file = join(folder({ "mcp.json": dead }), "mcp.json");
    const silent = await served(["--log", "none", "--config", file, "--http"]);
    expect(silent.text()).not.toContain("dead");
  });

  it("--log has one line for each kind of loss", async () => {
    const { url } = await remote("2025-11-25");
    const bridge = await served([url, "--http", "0"]);
    for (let count = 0; count < 2; count += 1) {
      const client = await connect(bridge.url, answering("2025-03-26"));
      await client.callTool("structured");
      await client.close();
    }
    const line = "Lost for clients of 2025-03-26: tools/call /structuredContent does not exist";
    await eventually(() => expect(bridge.text()).toContain(line));
    expect(bridge.text().split(line)).toHaveLength(2);
  });

  it("--token-env, repeated, tells clients apart", async () => {
    const env = { ADA: "token-of-ada", BOB: "token-of-bob" };
    const words = ["--http", "0", "--token-env", "ADA", "--token-env", "BOB"];
    const { url } = await served([...words, ...behind, "2025-11-25"], env);
    const answers = Object.entries(env).map(async ([name, token]): Promise<Answers> => {
      const client = await connect(url, {
        ...answering("2026-07-28"),
        headers: { authorization: `Bearer ${token}` },
        onElicit: ({ message }) => ({ action: "accept", content: { text: `${message} ${name}` } }),
      });
      const { content } = await client.callTool("ask", { text: name });
      const pid = (await client.callTool("pid")).content;
      await client.close();
      return [content, pid];
    });
    const [[ada, one], [bob, other]] = (await Promise.all(answers)) as [Answers, Answers];
    expect(ada).toEqual([{ type: "text", text: "ADA ADA ADA" }]);
    expect(bob).toEqual([{ type: "text", text: "BOB BOB BOB" }]);
    expect(one).not.toEqual(other);
    await expect(
      connect(url, { ...answering("2025-11-25"), headers: { authorization: "Bearer of-none" } }),
    ).rejects.toThrow();
  });

  it("--json leaves standard output to the messages", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "ping" };
    const input = `${JSON.stringify(request)}\n`;
    const words = [bin, "bridge", "--json", ...behind, "2025-11-25"];
    const { stdout, status } = spawnSync(process.execPath, words, { input, encoding: "utf8" });
    const lines = stdout.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ id: 1 })]);
    expect(status).toBe(0);
    const failed = await cli(["bridge", "--json", "--", "no-such-program"], { cwd: folder() });
    expect(failed).toMatchObject({ code: 5, stdout: "" });
    expect(JSON.parse(failed.stderr)).toMatchObject({ command: "bridge", exitCode: 5 });
    const used = await cli(["bridge", "--json", "--http", "0", "--", "no-such-program"], {
      cwd: folder(),
    });
    expect(JSON.parse(used.stdout)).toMatchObject({ exitCode: 5 });
  });

  it.each(["--http", "--sse"])("%s at a port in use is one line, and exit code 4", async (door) => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { env, pids } = child("2025-11-25");
    const names = Object.keys(env).flatMap((name) => ["--env", name]);
    const words = ["bridge", door, String(port), ...names, ...behind, "2025-11-25"];
    const { code, stderr } = await cli(words, { cwd: folder(), env });
    expect([code, stderr]).toEqual([4, expect.stringContaining(`Port ${port} is in use.`)]);
    expect(stderr.split("\n").filter((line) => line.startsWith("error"))).toHaveLength(1);
    await eventually(() => expect(pids().filter(isAlive)).toEqual([]));
  });
});

/** A server that ignores both the end of its input and SIGTERM. In its `silent` mode, it sends no answers. */
const STUBBORN = `
import { appendFileSync } from "node:fs";
appendFileSync(process.env.PIDS, process.pid + "\\n");
process.on("SIGTERM", () => {}).on("SIGINT", () => {}).on("SIGHUP", () => {});
setInterval(() => {}, 1000);
if (process.argv[2] === "silent") await new Promise(() => {});
let text = "";
process.stdin.on("data", (chunk) => {
  text += chunk;
  const lines = text.split("\\n");
  text = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (method !== "initialize") continue;
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
});
`;

describe("processes behind mcp-codegen bridge", () => {
  it.each([
    ["answers", [], ["EOF"]],
    ["answers", [], ["SIGINT"]],
    ["answers", [], ["SIGTERM"]],
    ["answers", [], ["SIGTERM", "SIGTERM"]],
    ["answers", ["--http", "0"], ["SIGINT"]],
    ["answers", ["--http", "0"], ["SIGTERM", "SIGTERM"]],
    ["silent", [], ["SIGTERM"]],
    ["silent", ["--http", "0"], ["SIGINT"]],
  ] as const)(
    "do not survive it, even if they ignore signals: %s %j %j",
    async (kind, door, signals) => {
      const cwd = folder({ "stubborn.mjs": STUBBORN });
      const { env, pids } = child("2025-11-25");
      onTestFinished(() => {
        for (const pid of pids().filter(isAlive)) process.kill(pid, "SIGKILL");
      });
      const server = ["--env", "PIDS", "--upstream-revision", "2025-11-25", "--", process.execPath];
      const words = [bin, "bridge", ...door, ...server, join(cwd, "stubborn.mjs"), kind];
      const bridge = spawn(process.execPath, words, { env: { ...process.env, ...env } });
      onTestFinished(() => void bridge.kill("SIGKILL"));
      let text = "";
      bridge.stderr.setEncoding("utf8").on("data", (more: string) => (text += more));
      bridge.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
      const ended = over(bridge);
      await eventually(() => expect(pids()).not.toEqual([]));
      if (kind === "answers" && door.length > 0)
        await eventually(() => expect(text).toMatch(/ at http:/));
      else if (kind === "answers") {
        bridge.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
        await eventually(() => expect(text).toContain('"id":1'));
      }
      for (const signal of signals) {
        if (signal === "EOF") bridge.stdin.end();
        else bridge.kill(signal);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await ended;
      await eventually(() => expect(pids().filter(isAlive)).toEqual([]));
    },
  );
});
