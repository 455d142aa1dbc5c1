import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ServerExitError,
  type StdioClientOptions,
  StdioClientTransport,
} from "../../../runtime/transport/stdio-client.js";
import { BuiltFixtures } from "../support/build-fixtures.js";
import { TinyClient } from "../support/tiny-endpoints.js";

let fixtures: BuiltFixtures;
const clients: TinyClient[] = [];

beforeAll(() => {
  fixtures = new BuiltFixtures();
}, 60_000);

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

afterAll(() => fixtures.remove());

type Overrides = Partial<StdioClientOptions>;

function transportTo(
  name: string,
  args: readonly string[],
  options: Overrides,
): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    stderr: "keep",
    args: [fixtures.path(name), ...args],
    closeGrace: 100,
    ...options,
  });
}

async function connected(options: Overrides = {}) {
  const transport = transportTo("tiny-server", ["{}"], { closeGrace: 5000, ...options });
  const client = new TinyClient();
  clients.push(client);
  await client.connect(transport);
  return { client, transport, pid: transport.pid! };
}

/** Connects to a process that will not answer. */
function misbehaving(manner: string, options: Overrides = {}, timeout = 60_000) {
  const transport = transportTo("misbehave", [manner], options);
  const client = new TinyClient({}, { timeout });
  clients.push(client);
  const connecting = client.connect(transport);
  connecting.catch(() => {});
  return { client, transport, connecting };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const work = (deed: string) => ["text/work", { do: deed }] as const;

describe("StdioClientTransport", () => {
  it("starts a server, talks to it, and ends it (STDIO-01, STDIO-09)", async () => {
    const { client, pid } = await connected();
    await expect(client.request("text/echo", { text: "日本" })).resolves.toEqual({ text: "日本" });
    const closed = client.closed;
    await client.close();
    expect(await closed).toBeUndefined();
    expect(isRunning(pid)).toBe(false);
  });

  it("passes on what is needed of the environment, what is given, and nothing else", async () => {
    process.env["MCP_TEST_SECRET"] = "42";
    const { client } = await connected({ env: { GIVEN: "yes" }, cwd: "/" });
    delete process.env["MCP_TEST_SECRET"];
    const { env, cwd } = (await client.request(...work("show its environment"))) as {
      env: Record<string, string>;
      cwd: string;
    };
    expect(cwd).toBe("/");
    expect(env).toMatchObject({ GIVEN: "yes", PATH: process.env["PATH"] });
    expect(env).not.toHaveProperty("MCP_TEST_SECRET");
  });

  it("uses no shell: arguments arrive as they are", async () => {
    const args = [fixtures.path("tiny-server"), "{}", "$HOME; echo *", "two words", "'\""];
    const { client } = await connected({ args });
    const { args: received } = (await client.request(...work("show its environment"))) as {
      args: string[];
    };
    expect(received.slice(3)).toEqual(args.slice(2));
  });

  it.each([
    ["a program that does not exist", { command: "/no/such/program" }],
    ["a folder that does not exist", { cwd: "/no/such/folder" }],
    ["a name that cannot be one", { command: "a\0b" }],
  ])("%s: connect() fails and says so", async (_name, options) => {
    const client = new TinyClient();
    const connecting = client.connect(transportTo("tiny-server", [], options));
    await expect(connecting).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      message: expect.stringMatching(/^Cannot start /),
    });
  });

  it("P05: a server that is killed in a call: code, signal, last words, no zombie", async () => {
    const { client, pid } = await connected();
    const pending = client.request(...work("never end"));
    process.kill(pid, "SIGKILL");
    await expect(pending).rejects.toBeInstanceOf(ServerExitError);
    await expect(pending).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      exitCode: null,
      exitSignal: "SIGKILL",
      message: expect.stringContaining("SIGKILL"),
    });
    expect(await client.closed).toBeInstanceOf(ServerExitError);
    expect(isRunning(pid)).toBe(false);
    await expect(client.request("ping")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  it("P05: a server that exits in a call: its code and its last lines", async () => {
    const { client } = await connected();
    await expect(client.request(...work("exit with 3"))).rejects.toMatchObject({
      exitCode: 3,
      exitSignal: null,
      stderr: expect.stringContaining("about to exit"),
      message: expect.stringMatching(/exited with code 3; it wrote:\n[^]*about to exit/),
    });
  });

  it("P05: a server that exits before it has said anything", async () => {
    const { connecting } = misbehaving("exits at once");
    await expect(connecting).rejects.toMatchObject({ exitCode: 7, stderr: "line 1\nline 2" });
  });

  it("P05: a child of the server that holds the output does not hide its end", async () => {
    const { connecting } = misbehaving("leaves a child that holds the output");
    await expect(connecting).rejects.toMatchObject({ exitCode: 5 });
  });

  it("STDIO-12: a server that closes its output has ended the conversation", async () => {
    const { client, connecting, transport } = misbehaving("closes its output");
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await client.closed;
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("P06: a server that never writes: the timeout ends it, and the process", async () => {
    const { client, connecting, transport } = misbehaving("never writes", {}, 200);
    await expect(connecting).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await client.closed;
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("P06: a server that never reads: sending asks to wait, then fails", async () => {
    const { transport, connecting } = misbehaving("never reads", { maxWaitingBytes: 8_000_000 });
    await vi.waitUntil(() => transport.pid !== undefined, { timeout: 20_000 });
    await new Promise((resolve) => setImmediate(resolve));
    const params = { text: "x".repeat(500_000) };
    const waits: unknown[] = [];
    for (let index = 0; index < 40; index++) {
      waits.push(transport.send({ jsonrpc: "2.0", method: "notifications/typing", params }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(waits.some((wait) => wait instanceof Promise)).toBe(true);
    await expect(connecting).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      cause: { message: expect.stringContaining("does not read") },
    });
    await Promise.all(waits);
  });

  it("P06: a server that ignores the end of input and SIGTERM is killed (STDIO-09)", async () => {
    const here: string[] = [];
    const { client, transport } = misbehaving("ignores everything", {
      stderr: (text) => here.push(text),
    });
    await vi.waitUntil(() => here.join("").includes("here"), { timeout: 20_000 });
    await client.close();
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("P06: floods on stderr block nothing, and only the end is kept", async () => {
    const script = `
      process.stderr.write("noise\\n".repeat(2_000_000), () => {
        process.stderr.write("last words", () => process.exit(9));
      });`;
    const transport = new StdioClientTransport({ command: process.execPath, args: ["-e", script] });
    const client = new TinyClient();
    const error = (await client
      .connect(transport)
      .catch((reason: unknown) => reason)) as ServerExitError;
    expect(error).toMatchObject({ exitCode: 9, stderr: expect.stringMatching(/last words$/) });
    expect(error.stderr.split("\n").length).toBeLessThanOrEqual(20);
  });

  it("stderr can be thrown away", async () => {
    const { client } = await connected({ stderr: "ignore" });
    await expect(client.request(...work("exit with 3"))).rejects.toMatchObject({ stderr: "" });
  });

  it("STDIO-04: nothing but lines of JSON goes to the server, whatever the strings", async () => {
    const { client } = await connected();
    const text = "a\nb\r\nc\u2028";
    await expect(client.request("text/echo", { text })).resolves.toEqual({ text });
  });

  it("many requests at once are answered each", async () => {
    const { client } = await connected();
    const texts = Array.from({ length: 2000 }, (_, index) => `text ${index}`);
    const answers = await Promise.all(texts.map((text) => client.request("text/echo", { text })));
    expect(answers.map(({ text }) => text)).toEqual(texts);
  });

  it("serves one connection: for another a new one is made", async () => {
    const { client, transport } = await connected();
    await client.close();
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    const again = await connected();
    await expect(again.client.request("ping")).resolves.toEqual({});
  });

  it("close() while the server starts leaves no process behind", async () => {
    const { client, transport, connecting } = misbehaving("never writes");
    await client.close();
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(transport.pid).toBeDefined();
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("a transport that was closed starts nothing", async () => {
    const transport = transportTo("misbehave", ["never writes"], {});
    await transport.close();
    const connecting = new TinyClient().connect(transport);
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(transport.pid).toBeUndefined();
  });

  it("a server that still has much to say can end in order (STDIO-09)", async () => {
    const said: string[] = [];
    const { client } = misbehaving("says much at the end", {
      stderr: (text) => said.push(text),
      closeGrace: Infinity,
    });
    await vi.waitUntil(() => said.join("").includes("here"), { timeout: 20_000 });
    await client.close();
    expect(said.join("")).toContain("said it all");
  });

  it("a request under way is rejected by close()", async () => {
    const { client } = await connected();
    const pending = client.request(...work("never end"));
    await client.close();
    await expect(pending).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});
