import { describe, expect, it } from "vitest";
import { useProcesses } from "../engine/support/processes.js";

const processes = useProcesses();
const MIB = 1024 * 1024;

describe("lines at a server process", () => {
  it.each([
    ["a line that is not JSON", "hello\n", -32700],
    ["an empty object", "{}\n", -32600],
    ["a number", "42\n", -32600],
    ["a string", '"x"\n', -32600],
    ["null", "null\n", -32600],
    ["an object without its end", '{"jsonrpc":"2.0",\n', -32700],
  ])("are answered with one line on stderr: %s (F01, F02, F03)", async (_name, line, code) => {
    const child = await processes.initialized();
    await child.until(() => child.stderr.includes("serving"));
    child.stderr = "";
    child.write(line);
    expect(await child.next()).toMatchObject({ id: null, error: { code } });
    await child.staysAlive();
    expect(child.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it.each([7, "seven"])("are answered with a readable id: %j (F02)", async (id) => {
    const child = await processes.initialized();
    child.say({ id, method: "ping" });
    expect(await child.next()).toMatchObject({ id, error: { code: -32600 } });
    await child.staysAlive();
  });

  it("are processed after an object without its end (F03)", async () => {
    const child = await processes.initialized();
    child.write('{"jsonrpc":\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(await child.next()).toMatchObject({ error: { code: -32700 } });
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("may arrive as single bytes, also inside a character (F04)", async () => {
    const child = await processes.initialized();
    const message = { jsonrpc: "2.0", id: 1, method: "text/echo", params: { text: "日本 🔑" } };
    for (const byte of new TextEncoder().encode(`${JSON.stringify(message)}\n`)) {
      child.write(new Uint8Array([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await child.next()).result).toEqual({ text: "日本 🔑" });
  });

  it("are all answered if 1000 requests arrive in one chunk (F05)", async () => {
    const child = await processes.initialized();
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    child.write(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(""));
    const answered = new Set<number>();
    for (const _ of ids) answered.add((await child.next()).id);
    expect(answered).toEqual(new Set(ids));
  });

  it("are refused above the limit, and the next is processed (F06)", async () => {
    const child = await processes.initialized();
    child.write(`"${"x".repeat(5 * MIB)}"\n`);
    expect(await child.next()).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("too large") },
    });
    await child.staysAlive();
  });

  it("use bounded memory for an endless line, and end with a code and a reason (F07)", async () => {
    const child = await processes.initialized({ maxLineBytes: 100_000 });
    const junk = new Uint8Array(50_000).fill(0x78);
    for (let chunk = 0; chunk < 100; chunk++) child.write(junk);
    expect(await child.next()).toMatchObject({ error: { code: -32600 } });
    expect((await child.exit).code).toBe(1);
    expect(child.stderr).toMatch(/Serving failed: No newline in \d+ bytes/);
  });

  it("may be as long as the limit but no longer, also two in one chunk (F08)", async () => {
    const child = await processes.initialized({ maxLineBytes: 200 });
    child.write(padded(200, 1));
    expect((await child.next()).id).toBe(1);
    child.write(padded(201, 2));
    expect(await child.next()).toMatchObject({ id: 2, error: { code: -32600 } });
    child.write(padded(150, 3) + padded(150, 4));
    expect([(await child.next()).id, (await child.next()).id]).toEqual([3, 4]);
  });

  it("may begin with a byte order mark (F09)", async () => {
    const child = processes.started();
    child.write("\ufeff");
    await child.initialize();
    await child.staysAlive();
  });

  it("may have CRLF, blank lines, a lone CR and spaces, which are not answered (F10)", async () => {
    const child = await processes.initialized();
    child.write('\r\n\n  \t\r\n\r{"jsonrpc":"2.0","id":1,\r"method":"ping"}  \r\n\n');
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await child.staysAlive();
  });

  it("are refused if they are invalid UTF-8, never replaced (F11)", async () => {
    const child = await processes.initialized();
    child.write('{"jsonrpc":"2.0","id":1,"method":"text/echo","params":{"text":"');
    child.write(new Uint8Array([0xff, 0xfe]));
    child.write('"}}\n');
    expect(await child.next()).toMatchObject({ error: { code: -32700 } });
    await child.staysAlive();
  });

  it("return unusual characters unchanged on one line (F12, STDIO-02)", async () => {
    const child = await processes.initialized();
    const text = "\ud800 \u0000 \u2028 \u2029 \n \r\n \u007f";
    expect((await child.call(1, "text/echo", { text })).result).toEqual({ text });
    expect(child.stdout.trimEnd().split("\n")).toHaveLength(2);
  });

  it.each(["[", '{"a":'])("are refused with 100 000 levels of %s (F13)", async (opening) => {
    const child = await processes.initialized();
    const closing = opening === "[" ? "]" : "}";
    child.write(`${opening.repeat(100_000)}1${closing.repeat(100_000)}\n`);
    expect(await child.next()).toMatchObject({ id: null, error: { code: -32600 } });
    await child.staysAlive();
  });
});

describe("values at a server process", () => {
  it.each([
    ["1 M members", () => `{${Array.from({ length: 1e6 }, (_, key) => `"${key}":1`).join()}}`],
    ["10 M elements", () => `[${"1,".repeat(1e7 - 1)}1]`],
    ["a number of 20 MB", () => "1".repeat(20e6)],
  ])("are refused by size before they are parsed: %s (F14)", async (_name, text) => {
    const child = await processes.initialized();
    child.write(`{"jsonrpc":"2.0","id":1,"method":"text/work","params":{"a":${text()}}}\n`);
    expect(await child.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    await child.staysAlive();
  });

  it("may have as many members as the limit allows (F14)", async () => {
    const child = await processes.initialized();
    const members = Array.from({ length: 300_000 }, (_, key) => `"${key}":1`).join();
    child.write(`{"jsonrpc":"2.0","id":1,"method":"text/echo","params":{"text":"a",${members}}}\n`);
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: { text: "a" } });
  });

  const twice = '{"jsonrpc":"2.0","id":1,"method":"text/nothing","\\u006dethod":"ping"}\n';

  it("use the last of two members with one name (F15)", async () => {
    const child = await processes.initialized();
    child.write(twice);
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("must not repeat a member in strict mode (F15)", async () => {
    const child = await processes.initialized({ duplicateKeys: "refuse" });
    child.write(twice);
    expect(await child.next()).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining('two members named "method"') },
    });
    child.write('{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":{"b":1},"b":["a","a"]}}\n');
    expect(await child.next()).toMatchObject({ id: 2, result: {} });
  });

  it("keep members with the names of inherited ones (F16)", async () => {
    const child = await processes.initialized();
    const odd = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    child.write(
      `{"jsonrpc":"2.0","id":1,"method":"text/work","params":{"do":"give back","_meta":${odd},"__proto__":${odd}}}\n`,
    );
    const { params, polluted } = (await child.next()).result;
    expect(Object.hasOwn(params, "__proto__")).toBe(true);
    expect(JSON.stringify(params["_meta"])).toBe(odd);
    expect(polluted).toBe(false);
    await child.staysAlive();
  });

  it.each(["1e400", "1.5", "9007199254740993", "-1e30"])(
    "are invalid as an id: %s (F17)",
    async (id) => {
      const child = await processes.initialized();
      child.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
      expect(await child.next()).toMatchObject({ id: null, error: { code: -32600 } });
      await child.staysAlive();
    },
  );

  it("may be -0, the id 0, and any JSON number as a parameter (F17)", async () => {
    const child = await processes.initialized();
    child.write('{"jsonrpc":"2.0","id":-0,"method":"ping","params":{"n":9007199254740993}}\n');
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
  });
});

describe("batches at a server process", () => {
  const notifications = { jsonrpc: "2.0", method: "notifications/typing" };

  it("are refused by one response with the reason if the revision has none (F18)", async () => {
    const child = await processes.initialized({ batching: false });
    child.say([ping(1), ping(2)]);
    expect(await child.next()).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("no batches") },
    });
    await child.staysAlive();
  });

  it("are answered by one line if mixed (F19, BATCH-09, STDIO-08)", async () => {
    const child = await processes.initialized();
    child.say([ping(1), notifications, 42, { jsonrpc: "2.0", id: 2, method: "no/such" }, ping(3)]);
    const answers = await child.next();
    expect(answers.map(({ id, error }: never) => [id, (error as never)?.["code"]])).toEqual([
      [1, undefined],
      [null, -32600],
      [2, -32601],
      [3, undefined],
    ]);
  });

  it("are not answered if they hold only notifications (F19)", async () => {
    const child = await processes.initialized();
    child.say([notifications, notifications]);
    await child.staysAlive();
  });

  it.each([
    ["an empty batch", []],
    ["10 000 messages", Array.from({ length: 10_000 }, (_, id) => ping(id))],
  ])("are refused as a whole: %s (F19)", async (_name, batch) => {
    const child = await processes.initialized();
    child.say(batch);
    expect(await child.next()).toMatchObject({ id: null, error: { code: -32600 } });
    await child.staysAlive();
  });

  it.each([
    ["a batch", [ping(2)], null],
    ["initialize", { jsonrpc: "2.0", id: 2, method: "initialize", params: {} }, 2],
  ])("are refused for a member: %s (F19, BATCH-04)", async (_name, member, id) => {
    const child = await processes.initialized();
    child.say([member, ping(1)]);
    const [refused, answer] = await child.next();
    expect(refused).toMatchObject({ id, error: { code: expect.any(Number) } });
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await child.staysAlive();
  });
});

function ping(id: number): object {
  return { jsonrpc: "2.0", id, method: "ping" };
}

/** Returns a line of exactly this many bytes, not counting its newline. */
function padded(length: number, id: number): string {
  return `${JSON.stringify(ping(id)).padEnd(length)}\n`;
}
