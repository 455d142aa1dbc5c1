import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { connect, connectInMemory, revisions } from "@mcp-codegen/universal";
import { eventually } from "../support/eventually.js";
import { child } from "./support/child.js";
import { caller, overHttp } from "./support/people.js";
import { clientAt, IDS, only, outcomeOf, type Upstream, upstreamAt } from "./support/stage.js";

/** The number of rounds. `npm run survival:bridge` asks more often. */
const ROUNDS = Math.max(8, Number(process.env["MCP_ROUNDS"] ?? 0) / 5);

const PAIRS = IDS.flatMap((down) => IDS.map((up) => [down, up] as const));

const inMemory =
  ({ server }: Upstream) =>
  () =>
    connectInMemory(server);

describe("callers", () => {
  it("are each asked their own questions, before one program over stdio", async () => {
    const { target, effects } = child("2025-11-25");
    const url = await overHttp(target);
    const callers = await Promise.all([
      caller(url, "2025-11-25", "ada"),
      caller(url, "2025-06-18", "bob"),
      caller(url, "2026-07-28", "cyd"),
    ]);
    const rounds = ROUNDS;
    const results = callers.map(async ({ client, name }) => {
      const texts: unknown[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const { content } = await client.callTool("ask", { text: `${name} ${round}` });
        texts.push(content);
      }
      return texts;
    });
    for (const [index, texts] of (await Promise.all(results)).entries()) {
      const { name, requested } = callers[index]!;
      const expected = Array.from({ length: rounds }, (_, round) => `${name} ${round}`);
      expect(requested).toEqual(expected);
      expect(texts).toEqual(expected.map((text) => [{ type: "text", text: `${text} ${name}` }]));
    }
    expect(effects()).toHaveLength(3 * rounds);
  }, 600_000);

  it("do not share a conversation: principals, sessions, connections", async () => {
    const { target } = child("2025-11-25");
    const url = await overHttp(target);
    const pidOf = async (id: string, name: string): Promise<unknown> => {
      const { client } = await caller(url, id, name);
      return JSON.stringify((await client.callTool("pid")).content);
    };
    const [one, two, three, four] = [
      await pidOf("2026-07-28", "ada"),
      await pidOf("2026-07-28", "ada"),
      await pidOf("2026-07-28", "bob"),
      await pidOf("2025-06-18", "ada"),
    ];
    expect(one).toBe(two);
    expect(new Set([one, three, four]).size).toBe(3);
  });

  it("declare what they can do, and no more", async () => {
    const behind = upstreamAt("2025-11-25");
    const declared: unknown[] = [];
    behind.server.setHandler("tools/list", (_params, ctx, next) => {
      declared.push(ctx.client.capabilities);
      return next();
    });
    const server = await bridge(inMemory(behind));
    onTestFinished(() => server.close());
    const able = await clientAt("2025-11-25", server, {
      onSample: undefined,
      roots: undefined,
      onRoots: undefined,
    });
    await able.client.listTools();
    const plain = await clientAt("2025-11-25", server, {
      onSample: undefined,
      onRoots: undefined,
      onElicit: undefined,
    });
    await plain.client.listTools();
    const different = [...new Set(declared.map((one) => JSON.stringify(one)))];
    expect(different.map((one) => JSON.parse(one) as unknown)).toEqual([
      { elicitation: { form: {}, url: {} } },
      {},
    ]);
  });

  it("have another conversation for a request that declares more", async () => {
    const { target, pids } = child("2025-11-25");
    const server = await bridge(target);
    onTestFinished(() => server.close());
    const { client } = await clientAt("2026-07-28", server);
    const declaring = async (clientCapabilities: object): Promise<string> => {
      const meta = { "io.modelcontextprotocol/clientCapabilities": clientCapabilities };
      return JSON.stringify((await client.callTool({ name: "pid", _meta: meta })).content);
    };
    const plain = await declaring({});
    const able = await declaring({ elicitation: { form: {} } });
    expect(able).not.toBe(plain);
    expect(await declaring({ elicitation: { form: {} } })).toBe(able);
    expect(await declaring({})).toBe(plain);
    // The third process belongs to no caller.
    expect(pids()).toHaveLength(3);
  });

  it("are refused if there are too many, until unused conversations have ended", async () => {
    const { target } = child("2025-11-25");
    const url = await overHttp(target, { conversations: { max: 2 } });
    const [ada, bob, cyd] = await Promise.all(
      ["ada", "bob", "cyd"].map(async (name) => (await caller(url, "2026-07-28", name)).client),
    );
    await ada!.callTool("pid");
    await bob!.callTool("pid");
    await expect(cyd!.callTool("pid")).rejects.toThrow("Busy: too many conversations");
    await eventually(async () => expect((await cyd!.callTool("pid")).content).toHaveLength(1));
  });

  it("lose a conversation that they have not used for the time `idle`, and open another one", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const behind = upstreamAt("2025-11-25");
    const served = new Set<unknown>();
    const ended: unknown[] = [];
    behind.server.setHandler("tools/call", (params, { session }, next) => {
      if (!served.has(session)) void session.closed.then(() => ended.push(params.name));
      served.add(session);
      return next();
    });
    const server = await bridge(inMemory(behind), { conversations: { idle: 1000 } });
    onTestFinished(() => server.close());
    const { client: idle } = await clientAt("2026-07-28", server);
    const { client: busy } = await clientAt("2026-07-28", server);
    const abort = new AbortController();
    const running = busy.callTool("slow", {}, { signal: abort.signal }).catch(() => "aborted");
    await eventually(() => expect(behind.effects["slow"]).toBe(1));
    await idle.callTool("echo", { text: "first" });

    await vi.advanceTimersByTimeAsync(900);
    await idle.callTool("echo", { text: "in time" });
    await vi.advanceTimersByTimeAsync(900);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    await eventually(() => expect(ended).toEqual(["echo"]));
    expect(served.size).toBe(2);
    await idle.callTool("echo", { text: "again" });
    expect(served.size).toBe(3);
    abort.abort();
    expect(await running).toBe("aborted");
  });

  it("keep their conversations without a limit if `idle` is infinite", async () => {
    const repeating = vi.spyOn(globalThis, "setInterval");
    onTestFinished(() => repeating.mockRestore());
    const server = await bridge(inMemory(upstreamAt("2025-11-25")), {
      conversations: { idle: Infinity },
    });
    onTestFinished(() => server.close());
    const { client } = await clientAt("2026-07-28", server);
    await client.callTool("echo", { text: "first" });
    const delays = repeating.mock.calls.map(([, delay]) => delay!);
    expect(Math.max(...delays)).toBe(2 ** 31 - 1);
  });

  it.each(PAIRS)(
    "that cannot answer are named what they lack: a client of %s, a server of %s",
    async (down, up) => {
      const behind = upstreamAt(up);
      const server = await bridge(inMemory(behind), { onerror: () => {} });
      onTestFinished(() => server.close());
      const { client } = await clientAt(down, server, {
        onElicit: undefined,
        onSample: undefined,
        onRoots: undefined,
      });
      for (const [tool, ability] of [
        ["pay", "elicitation"],
        ["sample", "sampling"],
      ] as const) {
        const outcome = JSON.stringify(await outcomeOf(client.callTool(tool)));
        expect(outcome).toContain(ability);
        expect(outcome).not.toContain("failed");
        // A server in a session knows what its client lacks, and answers by itself.
        const isRefused = [down, up].every((id) => id === "2026-07-28");
        expect(outcome).toMatch(isRefused ? /-32021/ : /"isError":true/);
      }
    },
  );

  it.each(PAIRS.filter(([down]) => down >= "2025-06-18"))(
    "that cannot answer further kinds are named them: a client of %s, a server of %s",
    async (down, up) => {
      const behind = upstreamAt(up);
      behind.server.registerTool("agent", {}, async (ctx) => {
        const message = { role: "user", content: { type: "text", text: "Go" } } as const;
        const tools = [{ name: "x", inputSchema: { type: "object" } }] as const;
        await ctx.sample({ maxTokens: 9, messages: [message], tools: tools as never });
        return "done";
      });
      const server = await bridge(inMemory(behind), { onerror: () => {} });
      onTestFinished(() => server.close());
      const { client } = await clientAt(down, server, {
        onElicit: { form: () => ({ action: "decline" }) },
        onRoots: undefined,
      });
      for (const [tool, ability] of [
        ["visit", /elicitation/],
        ["roots", /roots/],
        ["agent", /sampling|tools/],
      ] as const) {
        const outcome = JSON.stringify(await outcomeOf(client.callTool(tool)));
        expect(outcome).toMatch(/-32021|"isError":true/);
        expect(outcome).toMatch(ability);
        expect(outcome).not.toContain("failed");
      }
      const { client: plain } = await clientAt(down, server, { onElicit: undefined });
      for (const use of [plain.getPrompt("asking"), plain.readResource("notes://asking")]) {
        const outcome = JSON.stringify(await outcomeOf(use));
        expect(outcome).toMatch(/-32021|-32602/);
        expect(outcome).toContain("elicitation");
      }
    },
  );

  it("without a name share a conversation that declares nothing, over stateless HTTP", async () => {
    const { target, pids } = child("2025-11-25");
    const url = await overHttp(target);
    for (let count = 0; count < 3; count += 1) {
      const client = await connect(url, {
        revisions: only("2026-07-28"),
        onElicit: () => ({ action: "accept", content: {} }),
      });
      await client.callTool("echo", { text: "hi" });
      expect((await client.callTool("ask", { text: "q" })).isError).toBe(true);
      await client.close();
    }
    expect(pids()).toHaveLength(1);
  });

  it("keep their own log level and hear their own log", async () => {
    const url = await overHttp(inMemory(upstreamAt("2025-11-25")));
    const [one, two] = [
      await caller(url, "2025-11-25", "ada"),
      await caller(url, "2025-06-18", "bob"),
    ];
    const received: string[] = [];
    one.client.on("log", ({ data }) => received.push(`ada ${String(data)}`));
    two.client.on("log", ({ data }) => received.push(`bob ${String(data)}`));
    await two.client.setLogLevel("error");
    await one.client.callTool("steps");
    await two.client.callTool("steps");
    await eventually(() => expect(received).toEqual(["ada a line"]));
  });

  it("cancel their calls", async () => {
    for (const id of ["2026-07-28", "2025-06-18"]) {
      for (const up of ["2026-07-28", "2025-03-26"]) {
        const behind = upstreamAt(up);
        const { client } = await caller(await overHttp(inMemory(behind)), id, "ada");
        const abort = new AbortController();
        const call = client.callTool("slow", {}, { signal: abort.signal });
        await eventually(() => expect(behind.effects["slow"]).toBe(1));
        abort.abort();
        await expect(call).rejects.toThrow();
        await eventually(() => expect(behind.aborted).toHaveLength(1));
      }
    }
  });

  it.each(revisions.map(({ id }) => id))("follow lists and resources at %s", async (id) => {
    for (const up of ["2026-07-28", "2025-06-18"]) {
      const behind = upstreamAt(up);
      const { client } = await caller(await overHttp({ notes: inMemory(behind) }), id, "ada");
      let changes = 0;
      const updated: string[] = [];
      await client.on("toolsChanged", () => (changes += 1)).ready;
      await client.subscribe("notes://motd", (uri) => updated.push(uri));
      await client.listTools();
      behind.server.registerTool("late", {}, () => "late");
      behind.server.resourceUpdated("notes://motd");
      await eventually(() => expect(changes).toBeGreaterThan(0));
      await eventually(() => expect(updated).toEqual(["notes://motd"]));
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("notes_late");
      await client.unsubscribe("notes://motd");
    }
  });
});
