import { describe, expect, it, vi } from "vitest";
import { isRunning, useProcesses, work } from "../engine/support/processes.js";
import { TinyClient } from "../engine/support/tiny-endpoints.js";
import { StdioClientTransport } from "../../runtime/stdio/client/index.js";

const processes = useProcesses();

const INITIALIZED = JSON.stringify({
  jsonrpc: "2.0",
  id: "$ID",
  result: { protocolVersion: "one", capabilities: { text: {} }, serverInfo: { name: "raw" } },
}).replace('"$ID"', "$ID");

describe("StdioClientTransport", () => {
  it("starts a server, exchanges messages with it, and ends it (STDIO-01, STDIO-09, STDIO-07)", async () => {
    const { client, pid } = await processes.connected();
    await expect(client.request("text/echo", { text: "日本" })).resolves.toEqual({ text: "日本" });
    const closed = client.closed;
    await client.close();
    expect(await closed).toBeUndefined();
    expect(isRunning(pid)).toBe(false);
  });

  it("passes on the needed environment variables and the given ones, and no others", async () => {
    process.env["MCP_TEST_SECRET"] = "42";
    const { client } = await processes.connected({ env: { GIVEN: "yes" }, cwd: "/" });
    delete process.env["MCP_TEST_SECRET"];
    const { env, cwd } = (await client.request(...work("show its environment"))) as {
      env: Record<string, string>;
      cwd: string;
    };
    expect(cwd).toBe("/");
    expect(env).toMatchObject({ GIVEN: "yes", PATH: process.env["PATH"] });
    expect(env).not.toHaveProperty("MCP_TEST_SECRET");
  });

  it.each([undefined, {}, { command: "" }])("needs a command, not %j", (options) => {
    const create = () => new StdioClientTransport(options as never);
    expect(create).toThrow("A stdio client needs { command, args }");
  });

  it("uses no shell: arguments are passed unchanged", async () => {
    const args = [processes.path("tiny-server"), "{}", "$HOME; echo *", "two words", "'\""];
    const { client } = await processes.connected({ args });
    const { args: received } = (await client.request(...work("show its environment"))) as {
      args: string[];
    };
    expect(received.slice(3)).toEqual(args.slice(2));
  });

  it.each([
    ["a program that does not exist", { command: "/no/such/program" }, /ENOENT$/],
    ["a whole command line", { command: "node server.js" }, /; arguments belong in args/],
    ["a folder that does not exist", { cwd: "/no/such/folder" }, /ENOENT$/],
    ["an impossible name", { command: "a\0b" }, /null bytes/],
  ])("rejects connect() with an explanation: %s", async (_name, options, problem) => {
    const client = new TinyClient();
    const connecting = client.connect(processes.transportTo("tiny-server", [], options));
    await expect(connecting).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      message: expect.stringMatching(/^Cannot start /),
    });
    await expect(connecting).rejects.toThrow(problem);
  });

  it("ends when the server closes its output (STDIO-12)", async () => {
    const { client, connecting, transport } = processes.misbehaving("closes its output");
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await client.closed;
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("reports text between messages, with advice (STDIO-03)", async () => {
    const { client } = processes.misbehaving("prints greetings");
    await expect.poll(() => client.errors.length).toBeGreaterThan(0);
    expect(client.errors[0]!.message).toContain('the server wrote "starting up"');
    expect(client.errors[0]!.message).toContain("standard error");
    await client.close();
  });

  it("can discard stderr (STDIO-06)", async () => {
    const { client } = await processes.connected({ stderr: "ignore" });
    await expect(client.request(...work("exit with 3"))).rejects.toMatchObject({ stderr: "" });
  });

  it("writes only lines of JSON, whatever the strings (STDIO-04)", async () => {
    const { client } = await processes.connected();
    const text = "a\nb\r\nc\u2028";
    await expect(client.request("text/echo", { text })).resolves.toEqual({ text });
  });

  it("answers each of many concurrent requests", async () => {
    const { client } = await processes.connected();
    const texts = Array.from({ length: 2000 }, (_, index) => `text ${index}`);
    const answers = await Promise.all(texts.map((text) => client.request("text/echo", { text })));
    expect(answers.map(({ text }) => text)).toEqual(texts);
  });

  it("accepts one connection: another needs a new transport", async () => {
    const { client, transport } = await processes.connected();
    await client.close();
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    const again = await processes.connected();
    await expect(again.client.request("ping")).resolves.toEqual({});
  });

  it("leaves no process running when it closes while the server starts", async () => {
    const { client, transport, connecting } = processes.misbehaving("never writes");
    await client.close();
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(transport.pid).toBeDefined();
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("starts no process after it was closed", async () => {
    const transport = processes.transportTo("misbehave", ["never writes"], {});
    await transport.close();
    const connecting = new TinyClient().connect(transport);
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(transport.pid).toBeUndefined();
  });

  it("ends in order with a server that still writes a lot (STDIO-09)", async () => {
    const said: string[] = [];
    const { client } = processes.misbehaving("says much at the end", {
      stderr: (text) => said.push(text),
      closeGrace: Infinity,
    });
    await vi.waitUntil(() => said.join("").includes("here"), { timeout: 20_000 });
    await client.close();
    expect(said.join("")).toContain("said it all");
  });

  it("rejects a pending request when it closes", async () => {
    const { client } = await processes.connected();
    const pending = client.request(...work("never end"));
    await client.close();
    await expect(pending).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  describe("with a response above the limit", () => {
    const limit = { maxLineBytes: 10_000 };
    const problem =
      /cannot be read: the line is too large, the limit is 10000 bytes \(option maxLineBytes\)/;
    const padding = "x".repeat(20_000);

    it.each([
      ["first", `{"jsonrpc":"2.0","id":$ID,"result":{"text":"${padding}"}}`],
      ["last", `{"result":{"text":"${padding}"},"jsonrpc":"2.0","id":$ID}`],
    ])("rejects that request at once, if the id comes %s", async (_, line) => {
      const { client, connecting } = processes.scripted(
        { initialize: [INITIALIZED], "text/echo": [line], ping: [] },
        limit,
      );
      await connecting;
      const other = client.request("ping");
      await expect(client.request("text/echo", { text: "" })).rejects.toMatchObject({
        code: "INVALID_MESSAGE",
        message: expect.stringMatching(problem),
      });
      await expect(Promise.race([other, "waits"])).resolves.toBe("waits");
      other.catch(() => {});
    });

    it("rejects all pending requests, if its request is unknown", async () => {
      const line = `[{"jsonrpc":"2.0","id":$ID,"result":{"text":"${padding}"}}]`;
      const script = { initialize: [INITIALIZED], "text/echo": [line], ping: [] };
      const { client, connecting } = processes.scripted(script, limit);
      await connecting;
      const other = client.request("ping");
      const own = client.request("text/echo", { text: "" });
      for (const one of [other, own]) await expect(one).rejects.toThrow(problem);
    });

    it("names the default of 64 MiB, below which responses arrive", async () => {
      const args = [processes.path("tiny-server"), '{"maxLineBytes":50000000}'];
      const { client } = await processes.connected({ args });
      const text = "x".repeat(40_000_000);
      expect((await client.request("text/echo", { text })).text.length).toBe(text.length);
      await expect(client.request(...work("give 100 MB"))).rejects.toThrow("67108864 bytes");
    });
  });
});
