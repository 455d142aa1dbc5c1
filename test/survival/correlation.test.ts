import { Server } from "@mcp-codegen/2025-11-25";
import { describe, expect, it, vi } from "vitest";
import { Prompts, Tools } from "../../runtime/features/index.js";
import { isRunning, useProcesses, work } from "../engine/support/processes.js";
import { RawPeer } from "../engine/support/raw-peer.js";
import { rawClientOf, type ServerContext, TinyServer } from "../engine/support/tiny-endpoints.js";

const processes = useProcesses();

const welcome =
  '{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"one","capabilities":{"text":{}},"serverInfo":{}}}';
const sounds = (text: string): string => `{"jsonrpc":"2.0","id":$ID,"result":{"text":"${text}"}}`;

describe("request ids at a server process", () => {
  it("are refused when in flight, and the first request is answered (I01)", async () => {
    const child = await processes.initialized();
    child.ask(1, ...work("take a while"));
    expect(await child.call(1, "ping")).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await child.next()).toMatchObject({ id: 1, result: { done: true } });
  });

  it("may be equal on two connections (I02)", async () => {
    const [one, two] = await Promise.all([processes.initialized(), processes.initialized()]);
    one.ask(1, ...work("take a while"));
    expect((await two.call(1, "text/echo", { text: "two" })).result).toEqual({ text: "two" });
    two.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect((await one.next()).result).toEqual({ done: true });
  });

  it.each([0, "", "日本🔑", "x".repeat(1024)])(
    "may be %j, also in a cancellation (I03)",
    async (id) => {
      const child = await processes.initialized();
      expect((await child.call(id, "ping")).id).toBe(id);
      child.ask(id, ...work("end when aborted"));
      child.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      await child.until(() => child.stderr.includes("aborted: The peer cancelled"));
      await child.staysAlive();
    },
  );

  it.each([
    ["an id of 1 MB", "x".repeat(2 ** 20)],
    ["null", null],
  ])("must not be %s (I03, I04)", async (_name, id) => {
    const child = await processes.initialized();
    expect(await child.call(id, "ping")).toMatchObject({ id: null, error: { code: -32600 } });
    await child.staysAlive();
  });

  it("are ignored in responses to unknown requests and in responses with both result and error (I05)", async () => {
    const child = await processes.initialized();
    for (const id of [99, "x", null]) {
      child.say({ jsonrpc: "2.0", id, result: {} });
      child.say({ jsonrpc: "2.0", id, error: { code: 1, message: "no" } });
      child.say({ jsonrpc: "2.0", id, result: {}, error: { code: 1, message: "no" } });
    }
    await child.staysAlive();
  });

  it("are ignored in progress for unknown requests (I07)", async () => {
    const child = await processes.initialized();
    for (const progressToken of ["x", 7, null, {}]) {
      const params = { progressToken, progress: 1 };
      child.say({ jsonrpc: "2.0", method: "notifications/progress", params });
    }
    await child.staysAlive();
  });

  it("are ignored in cancellations of unknown, finished and initialize requests (I08)", async () => {
    const child = await processes.initialized();
    await child.call(1, "ping");
    child.ask(2, ...work("take a while"));
    for (const requestId of ["init", 1, 99, "2", null, {}]) {
      child.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    }
    expect(await child.next()).toMatchObject({ id: 2, result: { done: true } });
    await child.staysAlive();
  });

  it("have at most one outcome when a cancellation crosses the response (I09)", async () => {
    const child = await processes.initialized();
    for (let id = 0; id < 100; id++) {
      child.ask(id, ...work(id % 2 ? "nothing" : "nothing yet"));
      child.say(cancelled(id));
    }
    child.ask("end", "ping");
    const answered: unknown[] = [];
    for (let id = (await child.next()).id; id !== "end"; id = (await child.next()).id) {
      answered.push(id);
    }
    expect(new Set(answered).size).toBe(answered.length);
    expect(answered).toEqual(Array.from({ length: 50 }, (_, index) => 2 * index + 1));
  });
});

describe("the lifecycle of a server process", () => {
  const initialize = { protocolVersion: "one", capabilities: {}, clientInfo: { name: "raw" } };

  it("refuses a request before initialize, and a second initialize (I10)", async () => {
    const child = processes.started();
    expect(await child.call(1, "text/echo", { text: "" })).toMatchObject({
      id: 1,
      error: { code: -32600 },
    });
    await child.staysAlive();
    expect(await child.call(2, "initialize", initialize)).toHaveProperty("result");
    expect((await child.call(3, "text/echo", { text: "between" })).result.text).toBe("between");
    for (let time = 0; time < 2; time++) {
      child.say({ jsonrpc: "2.0", method: "notifications/initialized" });
    }
    expect(await child.call(4, "initialize", initialize)).toHaveProperty("error.code", -32600);
    await child.staysAlive();
  });

  it("answers an unknown method with -32601, and ignores an unknown notification (I11)", async () => {
    const child = await processes.initialized();
    child.say({ jsonrpc: "2.0", method: "notifications/no/such", params: [] });
    for (const method of ["server/discover", "user/ask", "notifications/typing"]) {
      expect(await child.call(1, method)).toMatchObject({
        error: { code: -32601, message: expect.stringContaining(method) },
      });
    }
    await child.staysAlive();
  });

  it.each(["toString", "__proto__", "constructor", "", "m".repeat(2 ** 20)])(
    "answers a method with the name %.20s with -32601 (I12)",
    async (method) => {
      const child = await processes.initialized();
      const { error } = await child.call(1, method);
      expect(error.code).toBe(-32601);
      expect(error.message.length).toBeLessThan(300);
      await child.staysAlive();
    },
  );

  it.each([
    ["9999-99-99", { result: { protocolVersion: "one" } }],
    ["", { result: { protocolVersion: "one" } }],
    [["one"], { error: { code: -32602 } }],
    [undefined, { error: { code: -32602 } }],
  ])("negotiates the version %j (I20)", async (protocolVersion, expected) => {
    const child = processes.started();
    const answer = await child.call(1, "initialize", { ...initialize, protocolVersion });
    expect(answer).toMatchObject(expected);
    await child.staysAlive();
  });
});

describe("handlers in a server process", () => {
  it.each([
    "throw a string",
    "throw undefined",
    "throw a frozen error",
    "throw a cyclic error",
    "return undefined",
    "return a BigInt",
    "return a cyclic object",
  ])("become -32603 without details if one should %s (I15)", async (deed) => {
    const child = await processes.initialized();
    expect(await child.call(1, ...work(deed))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: "Internal error" },
    });
    await child.staysAlive();
  });

  it("are answered once if one resolves twice (I15)", async () => {
    const child = await processes.initialized();
    expect((await child.call(1, ...work("resolve twice"))).result).toEqual({ first: true });
    await child.staysAlive();
  });

  it("may return 100 MB (I15)", async () => {
    const child = await processes.initialized();
    expect((await child.call(1, ...work("give 100 MB"))).result.text).toHaveLength(100_000_000);
    await child.staysAlive();
  });

  it("are aborted after the timeout, and the peer receives an error (I15)", async () => {
    const child = await processes.initialized({ handlerTimeout: 50 });
    expect(await child.call(1, ...work("end when aborted"))).toMatchObject({
      id: 1,
      error: { code: -32603 },
    });
    await child.until(() => child.stderr.includes("aborted: "));
    await child.staysAlive();
  });

  it("cancel a request that the client never answers (I16)", async () => {
    const child = processes.started();
    await child.initialize({ ask: {} });
    const [method, params] = work("ask the user");
    for (let id = 0; id < 3; id++) {
      const question = await child.call(id, method, params);
      expect(question.method).toBe("user/ask");
      expect(await child.next()).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: question.id },
      });
      expect((await child.next()).error.code).toBe(-32603);
      child.say({ jsonrpc: "2.0", id: question.id, result: { answer: "late" } });
    }
    await child.staysAlive();
  });

  it("are limited: of 100 000 concurrent requests the excess is refused as busy (I17)", async () => {
    const child = await processes.initialized();
    const count = 100_000;
    const [method, params] = work("never end");
    const lines = Array.from({ length: count }, (_, id) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    );
    child.write(`${lines.join("\n")}\n`);
    for (let refused = 4096; refused < count; refused++) {
      const { error } = await child.next();
      if (!error.message.startsWith("Busy")) throw new Error(`${refused}: ${error.message}`);
    }
    await child.staysAlive();
  });

  it("end when a client disconnects in the middle of a line (I19)", async () => {
    const child = await processes.initialized({ drain: 50 });
    child.say([1, 2].map((id) => ({ jsonrpc: "2.0", id, ...workParams("end when aborted") })));
    child.write('{"jsonrpc":"2.0","id":3,"meth');
    await child.until(() => child.stderr.includes("serving"));
    child.process.stdin!.end();
    expect(await child.exit).toEqual({ code: 0, signal: null });
    expect(child.stderr.match(/aborted: /g)).toHaveLength(2);
  });
});

describe("a client and the process of its server", () => {
  it("ignore a second response and a response to an unknown request (I05)", async () => {
    const { client, connecting } = processes.scripted({
      initialize: [welcome],
      "text/echo": ['{"jsonrpc":"2.0","id":99,"result":{}}', sounds("first"), sounds("second")],
    });
    await connecting;
    for (let time = 0; time < 2; time++) {
      await expect(client.request("text/echo", { text: "" })).resolves.toEqual({ text: "first" });
    }
    expect(client.errors[0]).toMatchObject({ code: "INVALID_MESSAGE" });
  });

  it.each([
    ["both a result and an error", '"result":{},"error":{"code":1,"message":"no"}'],
    ["neither", '"other":{}'],
  ])("reject a request whose response has %s (I06)", async (_name, members) => {
    const { client, connecting } = processes.scripted({
      initialize: [welcome],
      "text/echo": [`{"jsonrpc":"2.0","id":$ID,${members}}`],
    });
    await connecting;
    await expect(client.request("text/echo", { text: "" })).rejects.toMatchObject({
      code: "INVALID_MESSAGE",
    });
  });

  it("handle progress that is unknown, decreasing, flooding or late (I07)", async () => {
    const { client, connecting } = processes.scripted({
      initialize: [welcome],
      "text/echo": [
        progress(1, '"unknown"'),
        progress(2),
        progress(1),
        { repeat: 90_000, line: progress("1$N") },
        sounds("done"),
        progress(1e9),
      ],
      ping: ['{"jsonrpc":"2.0","id":$ID,"result":{}}'],
    });
    await connecting;
    const received: number[] = [];
    const onprogress = (notifications: { progress: number }): void =>
      void received.push(notifications.progress);
    await client.request("text/echo", { text: "" }, { onprogress });
    await client.request("ping");
    expect(client.errors.map(({ message }) => message)).toEqual([
      `Progress for "unknown", which is not a known token`,
      "Progress 1 follows 2: values that do not increase are ignored",
    ]);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
    expect([received[0], received.at(-1)]).toEqual([2, 189_999]);
    expect(received.length).toBeLessThan(10_000);
  });

  it("limit the pending requests, and the end rejects the rest (I18)", async () => {
    const { client, connecting } = processes.scripted({ initialize: [welcome] });
    await connecting;
    const outcomes = Array.from({ length: 5000 }, () =>
      client.request("text/echo", { text: "" }).catch((error: { code: string }) => error.code),
    );
    await expect(outcomes[4999]).resolves.toBe("OVERLOAD");
    await client.close();
    const codes = await Promise.all(outcomes);
    expect(codes.filter((code) => code === "OVERLOAD")).toHaveLength(5000 - 4096);
    expect(codes.filter((code) => code === "CONNECTION_CLOSED")).toHaveLength(4096);
  });

  it("reject pending requests when the server is gone, without unhandled rejections (I19)", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { client, pid } = await processes.connected();
    void client.request(...work("never end"));
    const pending = client.request("text/echo", { text: "x".repeat(3_000_000) });
    process.kill(pid, "SIGKILL");
    await expect(pending).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each([
    ["a revision that was not offered", '"9999-99-99"', "{}", "UNSUPPORTED_REVISION"],
    ["invalid capabilities", '"one"', '"all of them"', "INVALID_MESSAGE"],
    ["a revision that is not a string", "7", "{}", "INVALID_MESSAGE"],
  ])("explain %s and end the process (I21)", async (_name, version, capabilities, code) => {
    const result = `{"protocolVersion":${version},"capabilities":${capabilities},"serverInfo":{}}`;
    const { client, connecting, transport } = processes.scripted({
      initialize: [`{"jsonrpc":"2.0","id":$ID,"result":${result}}`],
    });
    await expect(connecting).rejects.toMatchObject({ code, message: expect.stringMatching(/\w/) });
    await client.closed;
    expect(isRunning(transport.pid!)).toBe(false);
  });
});

describe("names at a server with tools and prompts", () => {
  const odd = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  const result = { content: [{ type: "text" as const, text: "called" }] };

  async function serving(names: readonly string[]): Promise<RawPeer> {
    const tools = new Tools();
    const prompts = new Prompts();
    for (const name of names) {
      tools.add({ name, inputSchema: { type: "object" } }, () => result);
      prompts.add({ name }, () => ({ messages: [] }));
    }
    const server = new Server({ name: "odd", version: "1" }, {}, { features: [tools, prompts] });
    const raw = new RawPeer();
    await server.connect(raw);
    await raw.call("init", "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    return raw;
  }

  it.each(odd)("may be %s, which is unknown like any other (I13)", async (name) => {
    const raw = await serving(["plain"]);
    for (const method of ["tools/call", "prompts/get"]) {
      const [strange, usual] = [
        await raw.call(1, method, { name }),
        await raw.call(1, method, { name: "usual" }),
      ];
      expect(strange.error.code).toBe(-32602);
      expect(JSON.stringify(strange).replaceAll(name, "usual")).toBe(JSON.stringify(usual));
    }
  });

  it.each(odd)("may be %s, which is listed and works (I13)", async (name) => {
    const raw = await serving([name]);
    expect((await raw.call(1, "tools/list")).result.tools).toMatchObject([{ name }]);
    expect((await raw.call(2, "prompts/list")).result.prompts).toMatchObject([{ name }]);
    expect((await raw.call(3, "tools/call", { name })).result).toEqual(result);
    expect((await raw.call(4, "prompts/get", { name })).result).toEqual({ messages: [] });
  });

  it.each([["text"], [[]], [null], [5]])("have no arguments %j (I14)", async (given) => {
    const raw = await serving(["plain"]);
    for (const method of ["tools/call", "prompts/get"]) {
      const answer = await raw.call(1, method, { name: "plain", arguments: given });
      expect(answer).toMatchObject({ id: 1, error: { code: -32602 } });
    }
    expect((await raw.call(2, "ping")).result).toEqual({});
  });

  it("may have no arguments at all (I14)", async () => {
    const raw = await serving(["plain"]);
    expect((await raw.call(1, "tools/call", { name: "plain" })).result).toEqual(result);
  });
});

describe("two connections of one server", () => {
  it("keep their ids separate (I02, I08)", async () => {
    let signal: AbortSignal | undefined;
    const handlers = {
      "text/work": (_params: never, context: ServerContext) => {
        signal = context.signal;
        return new Promise(() => {});
      },
      "text/echo": () => ({ text: "" }),
    };
    const server = new TinyServer(handlers);
    const [one, two] = [await rawClientOf(server.fork()), await rawClientOf(server.fork())];
    one.ask(1, "text/work");
    two.tell("notifications/cancelled", { requestId: 1 });
    expect((await two.call(1, "text/echo", { text: "" })).result).toEqual({ text: "" });
    expect(await one.rest()).toEqual([]);
    expect(signal?.aborted).toBe(false);
  });
});

function cancelled(requestId: number): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

function progress(value: number | string, token = "$ID"): string {
  return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${value}}}`;
}

function workParams(deed: string): object {
  const [method, params] = work(deed);
  return { method, params };
}
