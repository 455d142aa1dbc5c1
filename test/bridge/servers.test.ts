import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bridge, type BridgeOptions, type Upstream as Target } from "@mcp-codegen/bridge";
import { connectInMemory, McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { eventually } from "../support/eventually.js";
import { child } from "./support/child.js";
import { clientAt, IDS, only, upstreamAt } from "./support/stage.js";

const NEWEST = "2026-07-28";

const hostileProgram = join(import.meta.dirname, "support/hostile.mjs");

async function stage(
  servers: Readonly<Record<string, McpServer>>,
  options: BridgeOptions = {},
  down = NEWEST,
) {
  const errors: string[] = [];
  const targets = Object.entries(servers).map(([name, server]): [string, Target] => [
    name,
    () => connectInMemory(server),
  ]);
  const server = await bridge(Object.fromEntries(targets), {
    onerror: ({ message }) => errors.push(message),
    ...options,
  });
  onTestFinished(() => server.close());
  const { client } = await clientAt(down, server);
  return { client, server, errors };
}

/** Creates a server whose lists are returned by a function. */
function listing(tools: () => readonly object[]): McpServer {
  const server = new McpServer(
    { name: "listing", version: "1.0.0" },
    { capabilities: { tools: {} }, checkContent: false, onerror: () => {} },
  );
  server.setHandler("tools/list", () => ({ tools: tools() }) as never);
  server.setHandler("tools/call", ({ name }) => ({ content: [{ type: "text", text: name }] }));
  return server;
}

/** Creates a server whose tool list is fresh for a while. */
const fresh = (ttlMs: number, cacheScope: "public" | "private") => {
  const server = new McpServer(
    { name: "fresh", version: "1.0.0" },
    { freshness: { "tools/list": { ttlMs, cacheScope } } },
  );
  server.registerTool("now", {}, () => "now");
  return server;
};

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});

describe("several servers", () => {
  it("are one: their names begin with that of the server, their URIs stay", async () => {
    const [one, two] = [upstreamAt("2025-06-18", "one"), upstreamAt(NEWEST, "two")];
    const { client } = await stage({ one: one.server, two: two.server });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(28);
    expect(client.server.instructions).toBe("# one\n\nUse one\n\n# two\n\nUse two");
    for (const name of ["one", "two"]) {
      const { content } = await client.callTool(`${name}_pay`);
      expect(content).toEqual([{ type: "text", text: "accept 42" }]);
      const { messages } = await client.getPrompt(`${name}_greet`, { who: "Ada" });
      expect(messages[0]?.content).toEqual({ type: "text", text: "Hello Ada" });
      const ref = { type: "ref/prompt", name: `${name}_greet` } as const;
      const { completion } = await client.complete({ ref, argument: { name: "who", value: "" } });
      expect(completion.values).toEqual(["Ada", "Bob"]);
    }
    expect([one.effects["pay"], two.effects["pay"]]).toEqual([1, 2]);
    await expect(client.callTool("pay")).rejects.toThrow('unknown tool "pay"');
  });

  it("have pages, and cursors that only their own list accepts", async () => {
    const [one, two] = [upstreamAt(NEWEST, "one"), upstreamAt("2025-11-25", "two")];
    const { client } = await stage({ one: one.server, two: two.server });
    const first = await client.request("tools/list", {});
    expect(first.tools).toHaveLength(8);
    const second = await client.request("tools/list", { cursor: first.nextCursor! });
    expect(second.tools).toHaveLength(8);
    const own = first.nextCursor!;
    const changed = `${own.slice(0, -2)}${own.endsWith("A") ? "Bw" : "Aw"}`;
    for (const cursor of ["", "nothing", '[["one","x"]]', "7", "[]", changed]) {
      await expect(client.request("tools/list", { cursor })).rejects.toMatchObject({
        code: -32_602,
      });
    }
    await expect(client.request("prompts/list", { cursor: own })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it("that list the same URI are told apart", async () => {
    const servers = ["one", "two"].map((name) => {
      const server = new McpServer({ name, version: "1.0.0" });
      server.registerResource("motd", "notes://motd", {}, () => `of ${name}`);
      server.registerResource("own", `notes://${name}`, {}, () => `own of ${name}`);
      return [name, server] as const;
    });
    const { client } = await stage(Object.fromEntries(servers));
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(["notes://motd", "notes://one", "mcp+two:notes://motd", "notes://two"]);
    const texts = uris.map(async (uri) => (await client.readResource(uri)).contents[0]);
    expect(await Promise.all(texts)).toMatchObject([
      { uri: uris[0], text: "of one" },
      { uri: uris[1], text: "own of one" },
      { uri: uris[2], text: "of two" },
      { uri: uris[3], text: "own of two" },
    ]);
    await expect(client.readResource("notes://none")).rejects.toMatchObject({ code: -32_602 });
  });

  it.each(["2025-11-25", "2026-07-28"])("link to their own resources, at %s", async (down) => {
    const servers = ["one", "two"].map((name) => {
      const server = new McpServer({ name, version: "1.0.0" });
      const ui = { ui: { resourceUri: "ui://page" }, "ui/resourceUri": "ui://page" };
      const text = `of ${name}`;
      server.registerTool("link", { _meta: ui }, () => [
        { type: "resource_link", uri: "notes://motd", name: "motd" },
        { type: "resource", resource: { uri: "notes://motd", text } },
      ]);
      server.registerPrompt("cite", {}, () => ({
        messages: [
          { role: "user", content: { type: "resource", resource: { uri: "notes://motd", text } } },
        ],
      }));
      const shelf = { contents: ["notes://shelf", "notes://motd"].map((uri) => ({ uri, text })) };
      server.registerResource("shelf", "notes://shelf", {}, () => shelf);
      server.registerResource("motd", "notes://motd", {}, () => text);
      server.registerResource("page", "ui://page", {}, () => text);
      const template = new ResourceTemplate("notes://users/{id}", {
        complete: { id: () => [text] },
      });
      server.registerResource("user", template, {}, (_uri, { id }) => `${id} ${text}`);
      return [name, server] as const;
    });
    const { client } = await stage(Object.fromEntries(servers), {}, down);
    const read = async (uri: string) => (await client.readResource(uri)).contents[0];
    // The first resource that a client sees under a URI keeps it.
    for (const name of ["two", "one"]) {
      const uri = name === "two" ? "notes://motd" : "mcp+one:notes://motd";
      const { content } = await client.callTool(`${name}_link`);
      expect(content).toMatchObject([{ uri }, { resource: { uri, text: `of ${name}` } }]);
      const { messages } = await client.getPrompt(`${name}_cite`);
      expect(messages[0]?.content).toMatchObject({ resource: { uri } });
      expect(await read(uri)).toMatchObject({ uri, text: `of ${name}` });
    }
    const { resources } = await client.listResources();
    const motds = resources.filter(({ name }) => name === "motd").map(({ uri }) => uri);
    expect(motds).toEqual(["mcp+one:notes://motd", "notes://motd"]);
    const shelf = await client.readResource("mcp+two:notes://shelf");
    expect(shelf.contents.map(({ uri }) => uri)).toEqual(["mcp+two:notes://shelf", "notes://motd"]);
    const pages = (await client.listTools()).tools.map(({ _meta }) => _meta);
    for (const [index, text] of ["of one", "of two"].entries()) {
      const { ui, "ui/resourceUri": older } = pages[index] as {
        ui: { resourceUri: string };
      } & Record<string, unknown>;
      expect(older).toBe(ui.resourceUri);
      expect(await read(ui.resourceUri)).toMatchObject({ uri: ui.resourceUri, text });
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    for (const [index, name] of ["one", "two"].entries()) {
      const { uriTemplate } = resourceTemplates[index]!;
      const ref = { type: "ref/resource", uri: uriTemplate } as const;
      const { completion } = await client.complete({ ref, argument: { name: "id", value: "" } });
      expect(completion.values).toEqual([`of ${name}`]);
      const uri = uriTemplate.replace("{id}", "7");
      expect(await read(uri)).toMatchObject({ uri, text: `7 of ${name}` });
    }
  });

  it.each(["2025-11-25", "2026-07-28"])(
    "report updates under the URI that a client knows, at %s",
    async (down) => {
      const servers = ["one", "two"].map((name) => {
        const server = new McpServer({ name, version: "1.0.0" }, { subscriptions: {} });
        server.registerResource("motd", "notes://motd", {}, () => `of ${name}`);
        server.registerResource("own", `notes://${name}`, {}, () => `own of ${name}`);
        return [name, server] as const;
      });
      const { client } = await stage(Object.fromEntries(servers), {}, down);
      await client.listResources();
      for (const uri of ["notes://motd", "mcp+two:notes://motd", "mcp+two:notes://two"]) {
        const updated: string[] = [];
        await client.subscribe(uri, (changed) => updated.push(changed));
        const [own] = /notes:.*/.exec(uri)!;
        await eventually(() => {
          for (const [, server] of servers) server.resourceUpdated(own);
          expect(updated).toContain(uri);
        });
        expect(new Set(updated)).toEqual(new Set([uri]));
        await client.unsubscribe(uri);
      }
    },
  );

  it("write logs under their names", async () => {
    const servers = ["one", "two"].map((name) => {
      const server = new McpServer({ name, version: "1.0.0" }, { logging: true });
      server.registerTool("work", {}, (ctx) => {
        ctx.log("warning", "a line", "steps");
        ctx.log("warning", "another");
        return "done";
      });
      return [name, server] as const;
    });
    const { server } = await stage(Object.fromEntries(servers));
    for (const down of IDS) {
      const lines: unknown[] = [];
      const { client } = await clientAt(down, server);
      client.on("log", (line) => lines.push(line));
      await client.setLogLevel("info");
      await client.callTool("two_work");
      await eventually(() => expect(lines).toHaveLength(2));
      expect(lines).toMatchObject([
        { logger: "two/steps", data: "a line" },
        { logger: "two", data: "another" },
      ]);
    }
  });

  it("with names that cannot be listed are reported at the start, and when a list changes", async () => {
    const long = "x".repeat(130);
    const behind = new McpServer({ name: "two", version: "1.0.0" });
    behind.registerTool("short", {}, () => "");
    const twins = listing(() => [tool("same"), tool("same"), tool(long)]);
    const { errors } = await stage({ one: twins, two: behind });
    const reported = (name: string) =>
      errors.filter((line) => line.startsWith(`${name}: the tool`));
    await eventually(() => expect(reported("one")).toHaveLength(2));
    expect(reported("one")).toEqual([
      expect.stringContaining('"same" is not listed: another one has the same name'),
      expect.stringContaining("it has more than 128 characters"),
    ]);
    behind.registerTool("y".repeat(128), {}, () => "");
    await eventually(() => expect(reported("two")).toHaveLength(1));
    expect(reported("one")).toHaveLength(2);
  });

  it("may be hostile: the others work, and what cannot be listed is named once", async () => {
    const long = "x".repeat(130);
    const hostile = listing(() => [
      ...Array.from({ length: 10_000 }, (_, index) => tool(`tool-${index}`)),
      ...["__proto__", "constructor", "toString"].map((name) => tool(name)),
      tool("large", { description: "x".repeat(10 * 1024 * 1024) }),
      tool(long),
    ]);
    const good = upstreamAt("2025-11-25", "good");
    const { client, errors } = await stage({ hostile, good: good.server });
    const { tools } = await client.listTools();
    const names = new Set(tools.map(({ name }) => name));
    expect(names.has("good_echo")).toBe(true);
    expect(names.has("hostile___proto__")).toBe(true);
    expect([...names].some((name) => name.includes(long))).toBe(false);
    await client.listTools();
    expect(errors.filter((line) => line.startsWith("hostile: the tool"))).toHaveLength(1);
    for (const name of ["__proto__", "constructor", "toString"]) {
      const { content } = await client.callTool(`hostile_${name}`);
      expect(content).toEqual([{ type: "text", text: name }]);
    }
    expect((await client.callTool("good_echo", { text: "hi" })).isError ?? false).toBe(false);
  });

  it.each(["2025-11-25", "2026-07-28"])(
    "are ten over stdio, one dead and one hostile: eight work as if they were alone, at %s",
    async (down) => {
      const names = Array.from({ length: 8 }, (_, index) => `good${index}`);
      const errors: string[] = [];
      const before = process.memoryUsage().rss;
      const started = performance.now();
      const server = await bridge(
        {
          dead: { command: process.execPath, args: ["-e", "process.exit(1)"] },
          hostile: { command: process.execPath, args: [hostileProgram] },
          ...Object.fromEntries(names.map((name) => [name, child("2025-11-25", name).target])),
        },
        {
          listTimeout: 60_000,
          policy: { "*": { deny: ["pid"] }, good0: { readOnly: true } },
          onerror: ({ message }) => errors.push(message),
        },
      );
      onTestFinished(() => server.close());
      expect(errors[0]).toContain("dead cannot be reached");
      const { client } = await clientAt(down, server);
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      expect(listed.filter((name) => name.startsWith("hostile_"))).toHaveLength(10_004);
      expect(listed).not.toContain("good1_pid");
      const others = names.slice(1);
      expect(listed).toEqual(expect.arrayContaining(others.map((name) => `${name}_echo`)));
      const called = others.map((name) => client.callTool(`${name}_echo`, { text: "hi" }));
      const contents = (await Promise.all(called)).map(({ content }) => content);
      expect(contents).toEqual(others.map((name) => [{ type: "text", text: `${name}: hi` }]));
      await expect(client.callTool("good0_echo", { text: "hi" })).rejects.toThrow("unknown tool");
      for (const name of ["__proto__", "constructor", "toString"]) {
        const { content } = await client.callTool(`hostile_${name}`);
        expect(content).toEqual([{ type: "text", text: name }]);
      }
      expect(performance.now() - started).toBeLessThan(120_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
    },
    150_000,
  );

  it("that do not answer in time are left out of a page", async () => {
    const slow = listing(() => []);
    let waiting = 0;
    slow.setHandler("tools/list", () => new Promise(() => (waiting += 1)));
    const good = upstreamAt("2025-11-25", "good");
    const { client, errors } = await stage({ slow, good: good.server }, { listTimeout: 2000 });
    expect((await client.request("tools/list", {})).tools).toHaveLength(4);
    expect(errors.at(-1)).toBe("slow: tools/list failed: there was no response in time");
    const before = waiting;
    expect((await client.request("tools/list", {})).tools).toHaveLength(4);
    expect(waiting).toBe(before);
  });

  it("that are late at the start are used once they are there", async () => {
    const there = new EventEmitter();
    const [late, good] = [upstreamAt(NEWEST, "late"), upstreamAt("2025-11-25", "good")];
    const errors: string[] = [];
    const server = await bridge(
      {
        late: () => once(there, "open").then(() => connectInMemory(late.server)),
        good: () => connectInMemory(good.server),
      },
      { listTimeout: 1000, onerror: ({ message }) => errors.push(message) },
    );
    onTestFinished(() => server.close());
    expect(errors).toContain("late cannot be reached: there was no response in time");
    const { client } = await clientAt("2025-11-25", server);
    const changed = new Promise<void>((resolve) => client.on("toolsChanged", () => resolve()));
    there.emit("open");
    await changed;
    await eventually(async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["late_echo", "good_echo"]));
    });
  });

  it("may be fresh for the least time, and private if one is", async () => {
    const { client } = await stage({ one: fresh(5000, "public"), two: fresh(1000, "private") });
    expect(await client.request("tools/list", {})).toMatchObject({
      ttlMs: 1000,
      cacheScope: "private",
    });
  });

  it.each([
    [{}, "bridge() needs a server"],
    [{ a: "http://one", a_b: "http://two" }, "The names a and a_b collide"],
    [{ "a b": "http://one" }, '"a b" is not a name for a server'],
    [{ a: "ftp://one" }, "A server is an http: or https: URL"],
    [{ a: 7 }, "a: expected a URL"],
    ["not a url", "A server is an http: or https: URL"],
  ])("are refused at the start if they are invalid: %j", async (given, problem) => {
    await expect(bridge(given as never)).rejects.toThrow(problem);
  });
});

describe("one server", () => {
  it.each(IDS)("can be used at %s only", async (id) => {
    const behind = upstreamAt(id);
    const server = await bridge(() => connectInMemory(behind.server), {
      connect: { revisions: [id] },
    });
    onTestFinished(() => server.close());
    const { client } = await clientAt(NEWEST, server);
    const { content } = await client.callTool("echo", { text: "hi" });
    expect(content).toEqual([{ type: "text", text: "upstream: hi" }]);
  });

  it("is described as it describes itself", async () => {
    const behind = upstreamAt("2025-11-25");
    const server = await bridge(() => connectInMemory(behind.server), {
      server: { revisions: only("2025-06-18") },
    });
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-06-18", server);
    expect(client.server).toMatchObject({
      info: { name: "upstream", version: "1.2.3" },
      instructions: "Use upstream",
    });
    expect(Object.keys(client.server.capabilities).toSorted()).toEqual([
      "completions",
      "logging",
      "prompts",
      "resources",
      "tools",
    ]);
  });

  it("without prompts or logs has none before the bridge either", async () => {
    const server = await bridge(() => connectInMemory(listing(() => [tool("one")])));
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-11-25", server);
    expect(client.server.capabilities).toEqual({ tools: { listChanged: true } });
    await expect(client.getPrompt("x")).rejects.toThrow();
  });
});
