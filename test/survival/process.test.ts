import { describe, expect, it, vi } from "vitest";
import { ServerExitError, StdioClientTransport } from "../../runtime/stdio/client/stdio-client.js";
import { isRunning, useProcesses, work } from "../engine/support/processes.js";
import { TinyClient } from "../engine/support/tiny-endpoints.js";

const processes = useProcesses();

describe("a server process", () => {
  it("ends with its input, timers or not (P01, STDIO-11)", async () => {
    const child = await processes.initialized();
    await child.call(1, ...work("keep a timer"));
    child.process.stdin!.end();
    expect(await child.exit).toEqual({ code: 0, signal: null });
  });

  it("answers pending requests first (P01)", async () => {
    const child = await processes.initialized();
    child.ask(1, ...work("take a while"));
    child.process.stdin!.end();
    expect(await child.exit).toEqual({ code: 0, signal: null });
    expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
  });

  it("reads a last line without a newline (P01)", async () => {
    const child = await processes.initialized();
    child.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    child.process.stdin!.end();
    expect(await child.next()).toMatchObject({ id: 1, result: {} });
    expect((await child.exit).code).toBe(0);
  });

  it("aborts handlers that do not end (P01)", async () => {
    const child = await processes.initialized({ drain: 50 });
    child.ask(1, ...work("end when aborted"));
    child.process.stdin!.end();
    expect((await child.exit).code).toBe(0);
    expect(child.stderr).toContain("aborted: The connection was closed on this side");
    expect(child.stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  it("ends without an error when its reader is gone (P02)", async () => {
    const child = await processes.initialized();
    await child.until(() => child.stderr.includes("serving"));
    child.stderr = "";
    child.process.stdout!.destroy();
    for (let id = 0; id < 10; id++) child.ask(id, "ping");
    expect((await child.exit).code).toBe(0);
    expect(child.stderr).toBe("");
  });

  it("survives a closed stderr (P02)", async () => {
    const child = await processes.initialized();
    child.process.stderr!.destroy();
    for (let line = 0; line < 10; line++) {
      child.write("garbage\n");
      expect((await child.next()).error.code).toBe(-32700);
    }
    await child.staysAlive();
    child.process.stdin!.end();
    expect((await child.exit).code).toBe(0);
  });

  it("ends without an error when both are closed (P02)", async () => {
    const child = await processes.initialized();
    child.process.stderr!.destroy();
    child.process.stdout!.destroy();
    child.write("garbage\n");
    child.ask(1, "ping");
    expect((await child.exit).code).toBe(0);
  });

  it("does not outlive a killed parent (P03)", async () => {
    const server = JSON.stringify([processes.path("tiny-server"), "{}"]);
    const parent = processes.run("--eval", [
      `const { spawn } = require("node:child_process");
       const child = spawn(process.execPath, ${server}, { stdio: ["pipe", "pipe", "inherit"] });
       child.stdout.pipe(process.stdout);
       process.stdin.pipe(child.stdin);
       process.stderr.write("pid " + child.pid + "\\n");`,
    ]);
    await parent.initialize();
    await parent.until(() => parent.stderr.includes("serving"));
    const pid = Number(/pid (\d+)/.exec(parent.stderr)![1]);
    expect(isRunning(pid)).toBe(true);
    parent.process.kill("SIGKILL");
    await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000 });
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("drains after %s (P04)", async (signal) => {
    const child = await processes.initialized();
    child.ask(1, ...work("take a while"));
    await child.staysAlive();
    child.process.kill(signal);
    expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
    expect(await child.exit).toEqual({ code: 0, signal: null });
  });

  it("ends at once at a second signal (P04)", async () => {
    const child = await processes.initialized({ drain: 60_000 });
    child.ask(1, ...work("never end"));
    await child.staysAlive();
    child.process.kill("SIGTERM");
    child.process.kill("SIGINT");
    expect([128 + 2, 128 + 15]).toContain((await child.exit).code);
  });
});

describe("a client whose server process fails", () => {
  it("reports code, signal and last lines of a killed server, without a zombie (P05)", async () => {
    const { client, pid } = await processes.connected();
    await client.request(...work("write to stderr"));
    const pending = client.request(...work("never end"));
    process.kill(pid, "SIGKILL");
    await expect(pending).rejects.toBeInstanceOf(ServerExitError);
    await expect(pending).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      exitCode: null,
      exitSignal: "SIGKILL",
      message: expect.stringMatching(/SIGKILL[^]*famous last words/),
    });
    expect(await client.closed).toBeInstanceOf(ServerExitError);
    expect(isRunning(pid)).toBe(false);
    await expect(client.request("ping")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  it("reports code and last lines of a server that exits in a call (P05)", async () => {
    const { client } = await processes.connected();
    await expect(client.request(...work("exit with 3"))).rejects.toMatchObject({
      exitCode: 3,
      exitSignal: null,
      stderr: expect.stringContaining("about to exit"),
      message: expect.stringMatching(/exited with code 3; it wrote:\n[^]*about to exit/),
    });
  });

  it("reports a server that exits before its first message (P05)", async () => {
    const { connecting } = processes.misbehaving("exits at once");
    await expect(connecting).rejects.toMatchObject({ exitCode: 7, stderr: "line 1\nline 2" });
  });

  it("detects the end of a server although its child holds the output open (P05)", async () => {
    const { connecting } = processes.misbehaving("leaves a child that holds the output");
    await expect(connecting).rejects.toMatchObject({ exitCode: 5 });
  });

  it("ends a server that never writes after the timeout (P06)", async () => {
    const { client, connecting, transport } = processes.misbehaving("never writes", {}, 200);
    await expect(connecting).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await client.closed;
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("waits for a server that never reads, then fails (P06)", async () => {
    const { transport, connecting } = processes.misbehaving("never reads", {
      maxWaitingBytes: 8_000_000,
    });
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

  it("kills a server that ignores the end of input and SIGTERM (P06, STDIO-09, STDIO-10)", async () => {
    const said: string[] = [];
    const { client, transport } = processes.misbehaving("ignores everything", {
      stderr: (text) => said.push(text),
    });
    await vi.waitUntil(() => said.join("").includes("here"), { timeout: 20_000 });
    await client.close();
    expect(isRunning(transport.pid!)).toBe(false);
  });

  it("keeps only the end of a flood on stderr, which does not block (P06, STDIO-06)", async () => {
    const script = `
      process.stderr.write("noise\\n".repeat(2_000_000), () => {
        process.stderr.write("last words", () => process.exit(9));
      });`;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["-e", script],
      stderr: "keep",
    });
    const client = new TinyClient();
    const error = (await client
      .connect(transport)
      .catch((reason: unknown) => reason)) as ServerExitError;
    expect(error).toMatchObject({ exitCode: 9, stderr: expect.stringMatching(/last words$/) });
    expect(error.stderr.split("\n").length).toBeLessThanOrEqual(20);
  });
});

describe("user code in a server process", () => {
  it("prints to stderr (P07, STDIO-03)", async () => {
    const child = await processes.initialized();
    const answer = await child.call(1, ...work("print to the console"));
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await child.until(() => /log\ninfo\ndebug\n[^]*dir: 1/.test(child.stderr));
    for (const line of child.stdout.trimEnd().split("\n")) JSON.parse(line);
  });

  it("prints to stdout if an option says so (P07)", async () => {
    const child = await processes.initialized({ redirectConsole: false });
    child.ask(1, ...work("print to the console"));
    await child.until(() => child.stdout.includes("log\ninfo\ndebug\n"));
    expect(child.stderr).not.toContain("info");
  });

  it.each(["leave a rejection unhandled", "throw in a timer"])(
    "ends the process with a code and the reason if handlers %s (P08)",
    async (deed) => {
      const child = await processes.initialized();
      child.ask(1, ...work("never end"));
      child.ask(2, ...work(deed));
      expect((await child.exit).code).toBeGreaterThan(0);
      expect(child.stderr).toContain("nobody waits for this");
    },
  );

  it.each(["leave a rejection unhandled", "throw in a timer"])(
    "is only reported, if an option says so, when handlers %s (P08)",
    async (deed) => {
      const child = await processes.initialized({ orphans: "report" });
      child.ask(1, ...work("take a while"));
      expect(await child.call(2, ...work(deed))).toMatchObject({ id: 2, result: {} });
      await child.until(() => child.stderr.includes("Not caught: Error: nobody waits for this"));
      expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
      await child.staysAlive();
      child.process.stdin!.end();
      expect((await child.exit).code).toBe(0);
    },
  );

  it.each([Number.NaN, 2 ** 31, Number.MAX_VALUE, Infinity])(
    "prevents a timeout of %d from ending early (P09)",
    async (timeout) => {
      const { client } = await processes.connected();
      await expect(
        client.request(...work("take a while"), { timeout, maxTotalTimeout: timeout }),
      ).resolves.toEqual({ done: true });
    },
  );

  it("does not wait with a timeout of zero or less (P09)", async () => {
    const { client } = await processes.connected();
    for (const timeout of [0, -1]) {
      await expect(client.request(...work("never end"), { timeout })).rejects.toMatchObject({
        code: "REQUEST_TIMEOUT",
      });
    }
    await expect(client.request("ping")).resolves.toEqual({});
  });
});
