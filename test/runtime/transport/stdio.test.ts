import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BuiltFixtures } from "../support/build-fixtures.js";
import { Child } from "../support/child.js";

let fixtures: BuiltFixtures;
const children: Child[] = [];

beforeAll(() => {
  fixtures = new BuiltFixtures();
}, 60_000);

afterEach(() => {
  for (const child of children.splice(0)) child.process.kill("SIGKILL");
});

afterAll(() => fixtures.remove());

function started(settings: object = {}): Child {
  const child = new Child(fixtures.path("tiny-server"), [JSON.stringify(settings)]);
  children.push(child);
  return child;
}

async function initialized(settings: object = {}): Promise<Child> {
  const child = started(settings);
  await child.initialize();
  return child;
}

const alive = async (child: Child): Promise<void> => {
  expect(await child.call("alive", "ping")).toEqual({ jsonrpc: "2.0", id: "alive", result: {} });
};

describe("input, at a server process", () => {
  it.each([
    ["F01: not JSON", "hello\n", -32700],
    ["F02: not JSON-RPC", "{}\n", -32600],
    ["F03: truncated", '{"jsonrpc":"2.0",\n', -32700],
  ])("%s: answered, one line on stderr, alive", async (_name, line, code) => {
    const child = await initialized();
    await child.until(() => child.stderr.includes("serving"));
    child.stderr = "";
    child.write(line);
    expect(await child.next()).toMatchObject({ id: null, error: { code } });
    await alive(child);
    expect(child.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("F04: single bytes", async () => {
    const child = await initialized();
    const message = { jsonrpc: "2.0", id: 1, method: "text/echo", params: { text: "日本 🔑" } };
    for (const byte of new TextEncoder().encode(`${JSON.stringify(message)}\n`)) {
      child.write(new Uint8Array([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await child.next()).result).toEqual({ text: "日本 🔑" });
  });

  it("F05: 1000 requests in one chunk are all answered", async () => {
    const child = await initialized();
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    child.write(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(""));
    const answered = new Set<number>();
    for (const _ of ids) answered.add((await child.next()).id);
    expect(answered).toEqual(new Set(ids));
  });

  it("F06: a line above the limit is refused, the next is served", async () => {
    const child = await initialized();
    child.write(`"${"x".repeat(5 * 1024 * 1024)}"\n`);
    expect(await child.next()).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("too large") },
    });
    await alive(child);
  });

  it("F07: bytes without end: memory is bounded, it gives up with a reason", async () => {
    const child = await initialized({ maxLineBytes: 100_000 });
    const junk = new Uint8Array(50_000).fill(0x78);
    for (let chunk = 0; chunk < 100; chunk++) child.write(junk);
    expect(await child.next()).toMatchObject({ error: { code: -32600 } });
    expect((await child.exit).code).toBe(1);
    expect(child.stderr).toMatch(/Serving failed: No newline in \d+ bytes/);
  });

  it("F09: a byte order mark first", async () => {
    const child = started();
    child.write("\ufeff");
    await child.initialize();
    await alive(child);
  });

  it("F11: invalid UTF-8 is refused, never replaced", async () => {
    const child = await initialized();
    child.write('{"jsonrpc":"2.0","id":1,"method":"text/echo","params":{"text":"');
    child.write(new Uint8Array([0xff, 0xfe]));
    child.write('"}}\n');
    expect(await child.next()).toMatchObject({ error: { code: -32700 } });
    await alive(child);
  });

  it("F12: odd characters come back unchanged, on one line (STDIO-02)", async () => {
    const child = await initialized();
    const text = "\ud800 \u0000 \u2028 \u2029 \n \r\n \u007f";
    expect((await child.call(1, "text/echo", { text })).result).toEqual({ text });
    expect(child.stdout.trimEnd().split("\n")).toHaveLength(2);
  });

  it("F13: nesting of 100 000 levels", async () => {
    const child = await initialized();
    child.write(`${"[".repeat(100_000)}${"]".repeat(100_000)}\n`);
    expect(await child.next()).toMatchObject({ id: null, error: { code: -32600 } });
    await alive(child);
  });

  it("F19: a batch on one line (BATCH-09)", async () => {
    const child = await initialized();
    child.write(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n',
    );
    expect(await child.next()).toHaveLength(2);
  });
});

describe("output, of a server process", () => {
  it("P07: what user code prints goes to stderr (STDIO-03)", async () => {
    const child = await initialized();
    const answer = await child.call(1, "text/work", { do: "print to the console" });
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await child.until(() => /log\ninfo\ndebug\n[^]*dir: 1/.test(child.stderr));
    for (const line of child.stdout.trimEnd().split("\n")) JSON.parse(line);
  });

  it("P07: unless it is told not to", async () => {
    const child = await initialized({ redirectConsole: false });
    child.ask(1, "text/work", { do: "print to the console" });
    await child.until(() => child.stdout.includes("log\ninfo\ndebug\n"));
    expect(child.stderr).not.toContain("info");
  });

  it("ERR-11: a failing handler leaks nothing to the peer, and all to stderr", async () => {
    const child = await initialized();
    const { error } = await child.call(1, "text/work", { do: "fail with a secret" });
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    await child.until(() => child.stderr.includes("the secret is 42"));
    expect(child.stderr).toContain("tiny-server.js");
  });

  it("waits for a slow reader, and loses nothing", async () => {
    const child = await initialized();
    child.process.stdout!.pause();
    child.ask(1, "text/work", { do: "tell a lot" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.process.stdout!.resume();
    for (let index = 0; index < 200; index++) {
      expect((await child.next()).params.headline).toHaveLength(100_000);
    }
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });
});

describe("the end of a server process", () => {
  it("P01: the end of its input ends it, timers or not (STDIO-11)", async () => {
    const child = await initialized();
    await child.call(1, "text/work", { do: "keep a timer" });
    child.process.stdin!.end();
    expect(await child.exit).toEqual({ code: 0, signal: null });
  });

  it("P01: requests under way are answered first", async () => {
    const child = await initialized();
    child.ask(1, "text/work", { do: "take a while" });
    child.process.stdin!.end();
    expect(await child.exit).toEqual({ code: 0, signal: null });
    expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
  });

  it("P01: a last line without a newline counts", async () => {
    const child = await initialized();
    child.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    child.process.stdin!.end();
    expect(await child.next()).toMatchObject({ id: 1, result: {} });
    expect((await child.exit).code).toBe(0);
  });

  it("P01: what does not end is aborted", async () => {
    const child = await initialized({ drain: 50 });
    child.ask(1, "text/work", { do: "end when aborted" });
    child.process.stdin!.end();
    expect((await child.exit).code).toBe(0);
    expect(child.stderr).toContain("aborted: The connection was closed on this side");
    expect(child.stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("P04: %s drains it", async (signal) => {
    const child = await initialized();
    child.ask(1, "text/work", { do: "take a while" });
    await alive(child);
    child.process.kill(signal);
    expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
    expect(await child.exit).toEqual({ code: 0, signal: null });
  });

  it("P04: a second signal ends it at once", async () => {
    const child = await initialized({ drain: 60_000 });
    child.ask(1, "text/work", { do: "never end" });
    await alive(child);
    child.process.kill("SIGTERM");
    child.process.kill("SIGINT");
    expect([128 + 2, 128 + 15]).toContain((await child.exit).code);
  });

  it("P02: a reader that has gone away ends it quietly", async () => {
    const child = await initialized();
    await child.until(() => child.stderr.includes("serving"));
    child.stderr = "";
    child.process.stdout!.destroy();
    for (let id = 0; id < 10; id++) child.ask(id, "ping");
    expect((await child.exit).code).toBe(0);
    expect(child.stderr).toBe("");
  });

  it("P02: stderr that is closed harms nothing", async () => {
    const child = await initialized();
    child.process.stderr!.destroy();
    for (let line = 0; line < 10; line++) {
      child.write("garbage\n");
      expect((await child.next()).error.code).toBe(-32700);
    }
    await alive(child);
    child.process.stdin!.end();
    expect((await child.exit).code).toBe(0);
  });

  it("P02: both closed", async () => {
    const child = await initialized();
    child.process.stderr!.destroy();
    child.process.stdout!.destroy();
    child.write("garbage\n");
    child.ask(1, "ping");
    expect((await child.exit).code).toBe(0);
  });

  it("exit: false leaves the process alone", async () => {
    const child = await initialized({ exit: false });
    await child.call(1, "text/work", { do: "keep a timer" });
    child.process.stdin!.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(child.process.exitCode).toBeNull();
    child.process.kill("SIGTERM");
    expect((await child.exit).signal).toBe("SIGTERM");
  });
});
