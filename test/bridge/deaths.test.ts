import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connect, connectInMemory, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { eventually } from "../support/eventually.js";
import { child, isAlive } from "./support/child.js";
import { clientAt, only, upstreamAt } from "./support/stage.js";

/** The number of rounds in which all the server's processes are killed. More kills need more rounds. */
const ROUNDS = 4;
/** The number of kills. `npm run survival:bridge` kills more often. */
const KILLS = Number(process.env["MCP_ROUNDS"] ?? ROUNDS);
const CALLS = 25;

const dead = () => Promise.reject(new Error("no route"));

describe("a server that dies", () => {
  it.each(["2025-11-25", "2026-07-28"])(
    `is killed at least ${KILLS} times: each call of a client of %s is answered or fails, and no effect happens twice`,
    async (down) => {
      const { target, effects, pids } = child("2025-11-25");
      const restart = { retries: 1000, initialDelay: 1, maxDelay: 1 };
      const server = await bridge({ ...target, restart }, { onerror: () => {} });
      onTestFinished(() => server.close());
      const { client } = await clientAt(down, server, {
        onElicit: async () => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
          return { action: "accept", content: { text: "yes" } };
        },
      });
      const answered: string[] = [];
      const failed: string[] = [];
      let kills = 0;
      let round = 0;
      for (; round < ROUNDS || kills < KILLS; round += 1) {
        const calls = Array.from({ length: CALLS }, async (_, index) => {
          const text = `${round}-${index}`;
          const [tool, expected] = index % 5 ? ["echo", `child: ${text}`] : ["ask", `${text} yes`];
          try {
            const result = await client.callTool(tool!, { text });
            expect(result.content).toEqual([{ type: "text", text: expected }]);
            answered.push(`${tool} ${text}`);
          } catch (error) {
            expect((error as Error).message).toMatch(/^The server (has ended|cannot be reached)/);
            failed.push(`${tool} ${text}`);
          }
        });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
        // A client without a session uses up to 50 processes for its calls.
        const alive = pids().filter(isAlive);
        for (const pid of alive) process.kill(pid, "SIGKILL");
        kills += alive.length;
        await Promise.all(calls);
        await client.callTool("echo", { text: `after ${round}` }).catch(() => {});
      }
      expect(answered.length + failed.length).toBe(round * CALLS);
      const done = effects();
      expect(new Set(done).size).toBe(done.length);
      for (const text of answered) expect(done).toContain(text);
    },
    60_000 + KILLS * 2_000,
  );

  it("fails the calls under way at once, and clients read its lists again", async () => {
    const { target, pids, effects } = child("2025-06-18");
    const server = await bridge(target, { onerror: () => {} });
    onTestFinished(() => server.close());
    let changes = 0;
    const { client } = await clientAt("2025-11-25", server);
    client.on("toolsChanged", () => (changes += 1));
    const waiting = client.callTool("wait");
    await eventually(() => expect(effects()).toEqual(["wait"]));
    process.kill(pids().at(-1)!, "SIGKILL");
    await expect(waiting).rejects.toThrow("The server has ended before its response to tools/call");
    await eventually(() => expect(changes).toBeGreaterThan(0));
    const { content } = await client.callTool("echo", { text: "again" });
    expect(content).toEqual([{ type: "text", text: "child: again" }]);
  });

  it("leaves no process behind when the bridge closes", async () => {
    const { target, pids } = child("2025-11-25");
    const server = await bridge(target);
    const { client } = await clientAt("2025-11-25", server);
    await client.callTool("echo", { text: "hi" });
    expect(pids().length).toBeGreaterThan(0);
    await server.close();
    await eventually(() => expect(pids().filter(isAlive)).toEqual([]));
  });

  it("ends the process of a session together with the session", async () => {
    const { target, pids } = child("2025-11-25");
    const server = await bridge(target);
    onTestFinished(() => server.close());
    const client = await connect(await connectInMemory(server), {
      revisions: server.revisions.filter(({ id }) => id === "2025-06-18"),
      onElicit: () => ({ action: "decline" }),
    });
    await client.callTool("echo", { text: "hi" });
    const own = pids().at(-1)!;
    await client.close();
    await eventually(() => expect(isAlive(own)).toBe(false));
  });

  it("does not empty the lists of the others, and is named", async () => {
    const errors: string[] = [];
    const alive = upstreamAt("2025-11-25", "alive");
    const server = await bridge(
      {
        dead: { command: process.execPath, args: ["-e", "process.exit(1)"] },
        alive: () => connectInMemory(alive.server),
      },
      { onerror: ({ message }) => errors.push(message), connect: { stdio: { stderr: "ignore" } } },
    );
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-11-25", server);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.every(({ name }) => name.startsWith("alive_"))).toBe(true);
    expect(errors[0]).toMatch(/^dead cannot be reached: /);
    await expect(client.callTool("dead_echo")).rejects.toThrow(
      'The server "dead" cannot be reached',
    );
    const { content } = await client.callTool("alive_echo", { text: "hi" });
    expect(content).toEqual([{ type: "text", text: "alive: hi" }]);
  });

  it("rejects at the start if no server can be reached", async () => {
    await expect(bridge({ one: dead, two: dead })).rejects.toThrow("no route");
  });

  it("that cannot be reached at the start is announced once it can be", async () => {
    let isUp = false;
    const [flaky, alive] = [upstreamAt("2025-11-25"), upstreamAt("2025-11-25")];
    const server = await bridge(
      {
        flaky: () => (isUp ? connectInMemory(flaky.server) : dead()),
        alive: () => connectInMemory(alive.server),
      },
      { onerror: () => {} },
    );
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-11-25", server);
    const changed = new Promise<void>((resolve) => client.on("toolsChanged", () => resolve()));
    isUp = true;
    await changed;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("flaky_echo");
  });

  it("is not tried again at once", async () => {
    let tries = 0;
    let isUp = true;
    const behind = upstreamAt("2025-11-25");
    const alive = new McpServer({ name: "other", version: "1.0.0" });
    const server = await bridge(
      {
        flaky: () => {
          tries += 1;
          return isUp ? connectInMemory(behind.server) : Promise.reject(new Error("down"));
        },
        alive: () => connectInMemory(alive),
      },
      { onerror: () => {} },
    );
    onTestFinished(() => server.close());
    const { client } = await clientAt("2025-11-25", server);
    await client.callTool("flaky_echo", { text: "hi" });
    isUp = false;
    await behind.server.close();
    const before = tries;
    for (let count = 0; count < 50; count += 1) await client.callTool("flaky_echo").catch(() => {});
    expect(tries - before).toBeLessThan(5);
  });
});

/** Starts a server over HTTP that can end and start again on the same port. */
async function remote(id: string, port = 0) {
  const server = new McpServer(
    { name: "remote", version: "1.0.0" },
    { revisions: only(id), logging: true },
  );
  let waiting = 0;
  server.registerTool("echo", {}, () => "hi");
  server.registerTool("wait", {}, () => new Promise(() => (waiting += 1)));
  server.registerTool("touch", {}, (ctx) => {
    server.resourceUpdated("notes://motd");
    ctx.log("info", "touched");
    return "done";
  });
  server.registerResource("motd", "notes://motd", {}, () => "Be kind");
  const http = await listen(createHttpHandler(server), { port });
  const end = async (): Promise<void> => {
    await Promise.all([server.close(), http.close()]);
  };
  onTestFinished(end);
  return { url: http.url, end, waiting: () => waiting };
}

describe.each(["2025-11-25", "2026-07-28"])("a server of %s over HTTP that ends", (up) => {
  it.each(["2025-11-25", "2026-07-28"])(
    "fails the calls of a client of %s at once; its subscriptions and log level return with it",
    async (down) => {
      const first = await remote(up);
      const server = await bridge(first.url, { onerror: () => {} });
      onTestFinished(() => server.close());
      const { client } = await clientAt(down, server);
      const [updated, logged]: [string[], unknown[]] = [[], []];
      client.on("log", ({ data }) => logged.push(data));
      await client.setLogLevel("info");
      await client.subscribe("notes://motd", (uri) => updated.push(uri));
      const call = client.callTool("wait");
      call.catch(() => {});
      await eventually(() => expect(first.waiting()).toBe(1));
      await first.end();
      await expect(call).rejects.toThrow(/server (has )?ended/);
      await expect(client.callTool("echo")).rejects.toThrow(/server/);

      await remote(up, Number(new URL(first.url).port));
      await eventually(async () => {
        await client.callTool("touch");
        expect(updated).toContain("notes://motd");
        expect(logged).toContain("touched");
      });
    },
    60_000,
  );
});
