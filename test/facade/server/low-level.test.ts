import { describe, expect, it } from "vitest";
import { inputRequired, ToolError } from "@mcp-codegen/universal";
import { customRequest, onCustom } from "../../../runtime/api/index.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

describe.each(REVISIONS)("a server at %s", (revision) => {
  const facts = factsOf(revision);

  const capabilitiesOf = async (server: McpServer) => {
    const talk = await Talk.with(server, revision);
    const opening = facts.isAlone ? await talk.call("server/discover") : talk.raw.received[0];
    return opening.result.capabilities;
  };

  it("declares the capabilities it has, and no others (T18)", async () => {
    expect(Object.keys(await capabilitiesOf(new McpServer()))).toEqual([]);
    const server = new McpServer({ subscriptions: false });
    server.registerTool("a", {}, () => "");
    server.registerResource("r", "demo://r", {}, () => "");
    const capabilities = await capabilitiesOf(server);
    expect(Object.keys(capabilities).toSorted()).toEqual(["resources", "tools"]);
    expect(capabilities.resources.subscribe).toBeUndefined();
  });

  it("declares logging only if it logs, and reports the first message that it does not send (DEP-03)", async () => {
    for (const options of [
      { logging: true },
      { logging: { initialLevel: "error" } },
      { capabilities: { logging: {} } },
    ] as const) {
      const server = new McpServer(options);
      expect(Object.keys(await capabilitiesOf(server))).toEqual(["logging"]);
      server.log("error", "sent");
      expect(server.reports.filter(({ message }) => message.includes("logging: true"))).toEqual([]);
    }
    for (const [logging, count] of [
      [undefined, 1],
      [false, 0],
    ] as const) {
      const server = new McpServer({ logging });
      server.registerTool("log", {}, (ctx) => {
        ctx.log("error", "unsent");
        return "";
      });
      const talk = await Talk.with(server, revision);
      await talk.call("tools/call", { name: "log" });
      await talk.call("tools/call", { name: "log" });
      server.log("error", "unsent");
      expect(talk.raw.received.map(({ method }) => method)).not.toContain("notifications/message");
      expect(server.reports.map(({ message }) => message)).toEqual(
        Array(count).fill(expect.stringContaining("pass logging: true to McpServer")),
      );
    }
  });

  it("answers any method with its handler, beside registered definitions", async () => {
    const server = new McpServer({
      handlers: {
        "tools/list": () => ({ tools: [{ name: "x", inputSchema: { type: "object" } }] }),
      },
    });
    server.setHandler("tools/call", ({ name }, ctx) => ({
      content: [{ type: "text", text: `${name} at ${ctx.revision}` }],
    }));
    server.registerPrompt("p", {}, () => "");
    const talk = await Talk.with(server, revision);
    expect((await talk.call("tools/list")).result.tools[0].name).toBe("x");
    expect((await talk.tool("x")).content[0].text).toBe(`x at ${revision}`);
    expect((await talk.call("prompts/list")).result.prompts).toHaveLength(1);
    expect(() => server.setHandler("tools/list", () => ({ tools: [] }))).toThrow(/connected/);
  });

  it("wraps all handlers in middleware, and takes features and messages of the user", async () => {
    const calls: string[] = [];
    const server = new McpServer({
      middleware: [
        (call, next) => {
          calls.push(`${call.kind} ${call.method} ${call.context.session.revision.id}`);
          return next();
        },
      ],
      features: [
        { handlers: { "completion/complete": () => ({ completion: { values: ["v"] } }) } },
      ],
      custom: [onCustom(customRequest("acme/echo"), () => ({ echoed: true }))],
    });
    server.registerTool("a", {}, () => "");
    const talk = await Talk.with(server, revision);
    await talk.tool("a");
    const argument = { name: "x", value: "" };
    const ref = { type: "ref/prompt", name: "p" };
    const { result } = await talk.call("completion/complete", { ref, argument });
    expect(result.completion.values).toEqual(["v"]);
    expect((await talk.call("acme/echo")).result.echoed).toBe(true);
    const methods = ["tools/call", "completion/complete", "acme/echo"];
    expect(calls).toEqual(methods.map((method) => `request ${method} ${revision}`));
  });

  it("serialises a list once for all clients until it changes", async () => {
    const server = new McpServer();
    let reads = 0;
    const annotations = {
      get title() {
        reads += 1;
        return "counted";
      },
    };
    const tool = server.registerTool("a", { annotations }, () => "");
    const list = async () => (await Talk.with(server, revision)).call("tools/list");
    const first = await list();
    const before = reads;
    expect((await list()).result).toEqual(first.result);
    expect(reads).toBe(before);
    tool.update({ description: "new" });
    expect((await list()).result.tools[0].description).toBe("new");
  });

  it("writes to the logs of sessions outside of requests (T7, X5)", async () => {
    const server = new McpServer({ logging: true });
    const talk = await Talk.with(server, revision);
    server.log("error", "all");
    server.log("error", 1, "l");
    const data = (await talk.notifications()).map(({ params }) => params.data);
    expect(data).toEqual(facts.isAlone ? [] : ["all", 1]);
  });

  it("fails calls of low-level tools in the same way as registered ones (T2)", async () => {
    const server = new McpServer();
    const roots = inputRequired.listRoots();
    server.setHandler("tools/call", ({ name }, ctx) => {
      if (name === "returns") return inputRequired({ requests: { roots } });
      if (name === "requires") ctx.require("roots");
      throw new ToolError("Not today");
    });
    const talk = await Talk.with(server, revision);
    const missing = facts.isAlone ? { code: -32021 } : { isError: true };
    expect(await talk.tool("returns")).toMatchObject(missing);
    expect(await talk.tool("requires")).toMatchObject(missing);
    const refusal = { isError: true, content: [{ type: "text", text: "Not today" }] };
    expect(await talk.tool("other")).toMatchObject(refusal);
  });

  it("serves many clients at once, each with its own messages (T26)", async () => {
    const server = new McpServer();
    server.registerTool("who", {}, async (ctx) => {
      await Promise.resolve();
      return JSON.stringify(ctx.client.capabilities);
    });
    const experimental = { capabilities: { experimental: { a: {} } } };
    const [one, two] = await Promise.all([
      Talk.with(server, revision, experimental),
      Talk.with(server, revision),
    ]);
    const [first, second] = await Promise.all([one.tool("who"), two.tool("who")]);
    expect(JSON.parse(first.content[0].text)).toEqual({ experimental: { a: {} } });
    expect(JSON.parse(second.content[0].text)).toEqual({});
    await server.close();
  });
});

const nobody = (): never => {
  throw new Error("unreachable");
};

describe("a server", () => {
  it("accepts stateless requests and a session over one connection (T26)", async () => {
    const server = new McpServer();
    server.registerTool("at", {}, (ctx) => ctx.revision);
    const [newest, before] = REVISIONS;
    const talk = await Talk.with(server, before!);
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": newest,
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const alone = await talk.call("tools/call", { name: "at", _meta: envelope });
    expect(alone.result.content[0].text).toBe(newest);
    expect((await talk.tool("at")).content[0].text).toBe(before);
  });

  it("fails fast if there is no channel to the client", async () => {
    const server = new McpServer();
    server.registerTool("ask", {}, async (ctx) => String((await ctx.listRoots()).roots.length));
    const raw = new RawPeer();
    const oneWay = Object.assign(raw, { hooks: { canAsk: () => false } });
    await server.fork().connect(oneWay);
    const [, before] = REVISIONS;
    const clientInfo = { name: "raw", version: "1" };
    const capabilities = { roots: {} };
    await raw.call(0, "initialize", { protocolVersion: before, capabilities, clientInfo });
    raw.tell("notifications/initialized");
    const { result } = await raw.call(1, "tools/call", { name: "ask" });
    expect(result.isError).toBe(true);
    expect(server.reports.map(String).join()).toMatch(/cannot reach the peer now/);
  });

  it("passes each loss to onloss (T12)", async () => {
    const losses: object[] = [];
    const server = new McpServer({ onloss: (loss) => void losses.push(loss) });
    const icons = [{ src: "https://example.com/a.png" }];
    server.registerTool("a", { icons }, () => "");
    server.registerTool("b", { icons }, () => "");
    const revision = REVISIONS.find((id) => !factsOf(id).icons)!;
    const talk = await Talk.with(server, revision);
    await talk.call("tools/list");
    const loss = { revision, method: "tools/list", reason: "does not exist" };
    expect(losses).toMatchObject([
      { ...loss, path: "/tools/0/icons" },
      { ...loss, path: "/tools/1/icons" },
    ]);
    expect(server.reports).toEqual([]);
  });

  it("rejects handlers that no request could reach", () => {
    for (const method of ["tools/cal", "initialize", "sampling/createMessage", "tools"]) {
      expect(() => new McpServer({ handlers: { [method]: nobody } })).toThrow(
        `"${method}" is not a message that a server handles`,
      );
      expect(() => new McpServer().setHandler(method as "ping", nobody)).toThrow(TypeError);
    }
    const notCallable = { "tools/list": {} as never };
    expect(() => new McpServer({ handlers: notCallable })).toThrow(/not a function/);
  });

  it("needs a revision, and accepts changes of unknown lists", async () => {
    expect(() => new McpServer({ revisions: [] })).toThrow(/revisions/);
    const server = new McpServer({ capabilities: { prompts: {} } });
    server.registerTool("a", {}, () => "");
    const talk = await Talk.with(server, REVISIONS[1]!);
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    expect((await talk.notifications()).map(({ method }) => method)).toEqual([
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
    ]);
  });
});
