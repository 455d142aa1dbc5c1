import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toNodeListener } from "@mcp-codegen/runtime/http/node";
import { connect, createHttpHandler } from "@mcp-codegen/universal";
import { startProvider } from "../auth/support/real-provider.js";
import { bin, cli, start } from "../cli/cli.js";
import { eventually } from "../support/eventually.js";
import { program } from "./support/child.js";
import { answering, entry, folder, remote, served } from "./support/command.js";
import { upstreamAt } from "./support/stage.js";

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

/** Connects over stdio to a bridge that is started in the given folder. */
const behind = (cwd: string, words: readonly string[], env: Record<string, string> = {}) =>
  connect(
    { command: process.execPath, args: [bin, "bridge", ...words], cwd, env, stderr: "keep" },
    answering("2025-11-25"),
  );

describe("files of hosts", () => {
  it("may have comments, a working folder, a file of variables, and variables of each host", async () => {
    const cwd = folder({
      ".env": 'EFFECTS="effects.txt"\n',
      ".vscode/mcp.json": `{
        // The servers of "this" project.
        "servers": {
          "one": {
            "type": "stdio",
            "command": "\${BRIDGE_NODE:-${process.execPath}}",
            "args": ["./upstream.mjs", "2025-11-25", "\${env:BRIDGE_A} \${BRIDGE_B} \${BRIDGE_C:-c//c}"],
            "cwd": "\${BRIDGE_PLACE}", /* not this folder */
            "envFile": "\${workspaceFolder}/.env",
            "env": { "EFFECTS": "\${workspaceFolder}\${/}effects.txt" },
          },
        },
        "inputs": [],
      }`,
    });
    const env = { BRIDGE_A: "a", BRIDGE_B: "b", BRIDGE_PLACE: dirname(program) };
    const client = await behind(cwd, ["one"], env);
    const { content } = await client.callTool("echo", { text: "hi" });
    expect(content).toEqual([{ type: "text", text: "a b c//c: hi" }]);
    await client.close();
    expect(readFileSync(join(cwd, "effects.txt"), "utf8")).toBe("echo hi\n");
  });

  it("start no server that is disabled", async () => {
    const cwd = folder();
    const off = { ...entry("off"), env: { PIDS: join(cwd, "pids") }, disabled: true };
    const file = { mcpServers: { one: { ...entry("1"), disabled: false }, off } };
    const named = folder({ ".mcp.json": file });
    const client = await behind(named, ["--config", ".mcp.json"]);
    const { tools } = await client.listTools();
    expect(new Set(tools.map(({ name }) => name.split("_")[0]))).toEqual(new Set(["one"]));
    await client.close();
    for (const command of ["bridge", "doctor", "tools"]) {
      const { code, stderr } = await cli([command, "off"], { cwd: named });
      expect([code, stderr]).toEqual([2, expect.stringContaining(".mcp.json: off is disabled.")]);
    }
    expect(existsSync(join(cwd, "pids"))).toBe(false);
  });

  it.each([
    [
      { url: "https://a.test/?key=${input:key}" },
      "has ${input:key}, which only a host can replace",
    ],
    [{ command: "a", args: ["${command:pick}"] }, "has ${command:pick}, which only a host"],
    [{ command: "a", env: { A: "${BRIDGE_UNSET}" } }, "variable BRIDGE_UNSET is not set"],
    [{ command: "a", env: { A: null } }, "has a value in `env.A` that is not a string"],
    [{ command: "a", env: "A=b" }, "has `env` that is not an object of strings"],
    [{ command: "a", envFile: "none.env" }, "has an `envFile` that cannot be read: none.env"],
    [{ command: "a", disabledTools: ["rm"] }, "has `disabledTools`, which is not supported"],
    [{ url: "https://a.test", headersHelper: "x" }, "has `headersHelper`, which is not supported"],
    [{ url: "https://a.test", type: "ws" }, 'has the type "ws", which is not supported'],
    [{ command: "a", disabled: "yes" }, "has a `disabled` that is neither true nor false"],
  ])("refuse what is not supported by its name: %j", async (one, message) => {
    const cwd = folder({ ".mcp.json": { mcpServers: { one } } });
    for (const words of [
      ["bridge", "--config", ".mcp.json"],
      ["doctor", "one"],
      ["tools", "one"],
    ]) {
      const { code, stderr } = await cli(words, { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it("are overridden by the headers and variables of the command line", async () => {
    const { url, seen } = await remote("2025-11-25");
    const one = { url, headers: { Authorization: "Bearer of-the-file" } };
    const cwd = folder({ ".mcp.json": { mcpServers: { one } } });
    const client = await behind(cwd, ["one", "--header", "Authorization: Bearer $UP"], {
      UP: "up",
    });
    await client.callTool("echo", { text: "hi" });
    await client.close();
    expect(new Set(seen)).toEqual(new Set(["Bearer up"]));
  });
});

describe("secrets", () => {
  const env = { BRIDGE_SECRET: "s3cret-of-env" };

  it.each(["bridge", "tools", "doctor"])("do not appear in errors of %s", async (command) => {
    const failing = 'console.error("boom", process.argv[1]); process.exit(3)';
    const words = ["--", process.execPath, "-e", failing, "key=$BRIDGE_SECRET"];
    const local = await cli([command, ...words], { cwd: folder(), env });
    expect(local.stderr + local.stdout).toContain("boom");
    expect(local.stderr + local.stdout).not.toContain("s3cret");

    const web = createServer((request, response) => {
      const { authorization = "", "x-key": key } = request.headers;
      const query = new URL(request.url!, "http://a").searchParams.get("key");
      response.writeHead(400).end(`no ${authorization.slice(7)} ${String(key)} ${query}`);
    });
    await new Promise<void>((resolve) => void web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp?key=s3cret-of-query`;
    const headers = [
      "--header",
      "Authorization: Bearer $BRIDGE_SECRET",
      "--header",
      "X-Key: s3cret-x",
    ];
    const far = await cli([command, url, ...headers], { cwd: folder(), env });
    expect(far.code).not.toBe(0);
    expect(far.stderr + far.stdout).not.toContain("s3cret");

    const file = { mcpServers: { one: { url: url.replace("of-query", "${BRIDGE_SECRET}") } } };
    const named = await cli([command, "one"], { cwd: folder({ ".mcp.json": file }), env });
    expect(named.code).not.toBe(0);
    expect(named.stderr + named.stdout).not.toContain("s3cret");
  });
});

describe("logins", () => {
  it("are sent to a URL, to a server by its name, and to those of --config", async () => {
    let url = "";
    const provider = await startProvider({ resource: () => url });
    onTestFinished(() => provider.close());
    const tokens: string[] = [];
    const handler = createHttpHandler(upstreamAt("2025-11-25").server, {
      authenticate: ({ header }) => {
        const [, token] = (header("authorization") ?? "").split(" ");
        if (token === undefined)
          return { status: 401, headers: { "WWW-Authenticate": 'Bearer scope="read"' } };
        tokens.push(token);
        return { principal: "ada" };
      },
    });
    const serve = toNodeListener(handler);
    const web = createServer((request, response) => {
      if (!request.url!.startsWith("/.well-known/oauth-protected-resource"))
        return void serve(request, response);
      const document = { resource: url, authorization_servers: [provider.issuer] };
      response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => void web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => web.closeAllConnections());
    url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
    const cwd = folder({ ".mcp.json": { mcpServers: { one: { url } } } });
    const login = start(["login", url, "--no-browser", "--store", "store"], { cwd });
    const shown = await eventually(() => new URL(/^http\S+$/m.exec(login.stderr())![0]));
    await fetch(await provider.visit(shown));
    const { code, stderr } = await login.finished;
    expect(code, stderr).toBe(0);

    const without = await cli(["bridge", "one", "--store", "empty"], { cwd });
    expect([without.code, without.stderr]).toEqual([5, expect.stringContaining("Log in first")]);
    const another = ["bridge", "one", "--store", "store", "--client-id", "another"];
    expect((await cli(another, { cwd })).stderr).toContain("Log in first");
    for (const words of [[url], ["one"], ["--config", ".mcp.json"]]) {
      const before = tokens.length;
      const bridge = await served([...words, "--store", "store", "--http"], {}, cwd);
      const client = await connect(bridge.url, answering("2025-11-25"));
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      await client.close();
      expect(tokens.length).toBeGreaterThan(before);
    }
  });
});
