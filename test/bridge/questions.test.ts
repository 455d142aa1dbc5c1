import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { connectInMemory, type McpClient, McpServer } from "@mcp-codegen/universal";
import { bin } from "../cli/cli.js";
import { eventually } from "../support/eventually.js";
import { child, program } from "./support/child.js";
import { caller, overHttp } from "./support/people.js";
import { clientAt, IDS, only } from "./support/stage.js";

/** The number of rounds. `npm run survival:bridge` asks more often. */
const ROUNDS = Math.max(8, Number(process.env["MCP_ROUNDS"] ?? 0) / 5);
const NEWEST = "2026-07-28";
const PAIRS = IDS.flatMap((down) => IDS.map((up) => [down, up] as const));
const requestedSchema = { type: "object", properties: {} } as const;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const textOf = ({ content }: object & { content?: unknown }) =>
  (content as { text?: string }[])[0]!.text;

/** Creates a server whose tool `ask` asks after a delay chosen by its call, and whose tool `nap` only waits. */
function sleepy(id: string) {
  const effects: string[] = [];
  const server = new McpServer(
    { name: "sleepy", version: "1.0.0" },
    { revisions: only(id), logging: true, onerror: () => {} },
  );
  const inputSchema = { type: "object", properties: { ms: {}, text: {} } } as const;
  server.registerTool("ask", { inputSchema }, async ({ ms, text }, ctx) => {
    effects.push(`ask ${String(text)}`);
    await sleep(Number(ms));
    const { action } = await ctx.elicit({ message: String(text), requestedSchema });
    return `${String(text)} ${action}`;
  });
  server.registerTool("nap", { inputSchema }, async ({ ms, text }, ctx) => {
    await sleep(Number(ms));
    ctx.log("warning", String(text));
    return `${String(text)} slept`;
  });
  return { server, effects, target: () => connectInMemory(server) };
}

describe("questions", () => {
  it("of several people with one principal reach the person whose call asks", async () => {
    const { target, effects } = child("2025-11-25");
    const url = await overHttp(target);
    const people = await Promise.all(
      ["ada", "bob", "cyd"].map((name) => caller(url, NEWEST, name, { principal: "token" })),
    );
    await Promise.all(
      people.map(async ({ client, name, requested }) => {
        const expected = Array.from({ length: ROUNDS }, (_, round) => `${name} ${round}`);
        for (const text of expected) {
          expect(textOf(await client.callTool("ask", { text }))).toBe(`${text} ${name}`);
        }
        expect(requested).toEqual(expected);
      }),
    );
    expect(new Set(effects()).size).toBe(3 * ROUNDS);
    expect(effects()).toHaveLength(3 * ROUNDS);
  }, 600_000);

  it("of people with the token of the command reach them", async () => {
    const words = ["--http", "0", "--token-env", "TOKEN", "--", process.execPath, program];
    const started = spawn(process.execPath, [bin, "bridge", ...words, "2025-11-25"], {
      env: { ...process.env, TOKEN: "secret" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void started.kill("SIGTERM"));
    let text = "";
    started.stderr.setEncoding("utf8").on("data", (more: string) => (text += more));
    await eventually(() => expect(text).toMatch(/ at http:\/\/\S+;/));
    const url = / at (http:\/\/\S+);/.exec(text)![1]!;
    await Promise.all(
      ["ada", "bob"].map(async (name) => {
        const { client, requested } = await caller(url, NEWEST, name, { principal: "secret" });
        for (let round = 0; round < ROUNDS; round += 1) {
          const { content } = await client.callTool("ask", { text: `${name} ${round}` });
          expect(content).toEqual([{ type: "text", text: `${name} ${round} ${name}` }]);
        }
        expect(requested.every((one) => one.startsWith(name))).toBe(true);
      }),
    );
  }, 600_000);

  it.each(PAIRS.filter((pair) => pair.every((id) => id >= "2025-06-18")))(
    "reach a client of %s beside its other calls of a server of %s, and each call once",
    async (down, up) => {
      const { target, effects } = sleepy(up);
      const server = await bridge(target, { onerror: () => {} });
      onTestFinished(() => server.close());
      const seen: string[] = [];
      const { client } = await clientAt(down, server, {
        onElicit: async ({ message }) => {
          seen.push(message);
          await sleep(100);
          return { action: "accept", content: {} };
        },
      });
      const asking = ["a", "b", "c"].map((text) => client.callTool("ask", { ms: 20, text }));
      const naps = ["1", "2", "3", "4"].map((text) => client.callTool("nap", { ms: 60, text }));
      expect((await Promise.all(asking)).map(textOf)).toEqual(["a accept", "b accept", "c accept"]);
      expect((await Promise.all(naps)).map(textOf)).toEqual(
        ["1", "2", "3", "4"].map((text) => `${text} slept`),
      );
      expect(seen.toSorted()).toEqual(["a", "b", "c"]);
      const runs = up === NEWEST ? 2 : 1;
      expect(effects.toSorted()).toEqual(
        ["a", "b", "c"].flatMap((text) => Array<string>(runs).fill(`ask ${text}`)),
      );
    },
  );

  it("outlive the call that a session cancels beside them", async () => {
    const { target } = sleepy("2025-11-25");
    const server = await bridge(target, { onerror: () => {} });
    onTestFinished(() => server.close());
    let answer: (() => void) | undefined;
    const { client } = await clientAt("2025-11-25", server, {
      onElicit: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return { action: "accept", content: {} };
      },
    });
    const asking = client.callTool("ask", { ms: 50, text: "a" });
    const abort = new AbortController();
    const nap = client.callTool("nap", { ms: 10_000 }, { signal: abort.signal });
    await eventually(() => expect(answer).toBeDefined());
    answer = undefined;
    abort.abort();
    await expect(nap).rejects.toThrow();
    await eventually(() => expect(answer).toBeDefined());
    answer!();
    expect(textOf(await asking)).toBe("a accept");
  });

  it("do not let short calls open more than a few programs", async () => {
    const { target, pids } = child("2025-11-25");
    const url = await overHttp(target);
    const { client } = await caller(url, NEWEST, "ada");
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const results = await Promise.all(texts.map((text) => client.callTool("echo", { text })));
    expect(results.map(textOf)).toEqual(texts.map((text) => `child: ${text}`));
    expect(pids().length).toBeLessThan(12);
    const before = pids().length;
    for (const text of texts.slice(0, 5)) await client.callTool("echo", { text });
    expect(pids()).toHaveLength(before);
  }, 120_000);

  it("wait for a conversation if there are no more, as long as their call lasts", async () => {
    const { target, effects } = sleepy("2025-11-25");
    const url = await overHttp(target, { conversations: { max: 2 }, connect: { timeout: 600 } });
    const answers: (() => void)[] = [];
    const { client } = await caller(url, NEWEST, "ada", {
      onElicit: async () => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return { action: "accept", content: {} };
      },
    });
    const first = client.callTool("ask", { ms: 0, text: "first" });
    await eventually(() => expect(answers).toHaveLength(1));
    const abort = new AbortController();
    const cancelled = client.callTool("ask", { ms: 0, text: "no" }, { signal: abort.signal });
    const second = client.callTool("ask", { ms: 0, text: "second" });
    await sleep(100);
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    expect(effects).toEqual(["ask first"]);
    answers[0]!();
    expect(textOf(await first)).toBe("first accept");
    await eventually(() => expect(answers).toHaveLength(2));
    await expect(client.callTool("ask", { ms: 0, text: "late" })).rejects.toThrow("Busy");
    answers[1]!();
    expect(textOf(await second)).toBe("second accept");
    expect(effects).toEqual(["ask first", "ask second"]);
  });

  it("of a call that was aborted do not reach the next one of its principal", async () => {
    const { target, pids, effects } = child("2025-11-25");
    const url = await overHttp(target);
    const ada = await caller(url, NEWEST, "ada", { principal: "token" });
    const bob = await caller(url, NEWEST, "bob", { principal: "token" });
    const pid = textOf(await ada.client.callTool("pid"));
    const abort = new AbortController();
    const waiting = ada.client.callTool("wait", {}, { signal: abort.signal });
    await eventually(() => expect(effects()).toEqual(["wait"]));
    expect(textOf(await bob.client.callTool("pid"))).not.toBe(pid);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await eventually(() => {
      expect(() => process.kill(Number(pid), 0)).toThrow();
      expect(pids().length).toBeGreaterThan(2);
    });
  }, 120_000);
});

/** Sends one round of a call and returns its result. */
async function heldRound(client: McpClient, name: string, more: object = {}) {
  const params = { name, arguments: { ms: 0, text: "q" }, ...more };
  return (await client.request("tools/call", params as never, { rounds: "manual" })) as {
    readonly inputRequests?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
    readonly content?: unknown;
  };
}

const answersTo = ({ inputRequests = {}, requestState }: Awaited<ReturnType<typeof heldRound>>) => {
  const answers = Object.keys(inputRequests).map((key) => [key, { action: "accept", content: {} }]);
  return { requestState, inputResponses: Object.fromEntries(answers) as object };
};

describe("a held call", () => {
  const meta = { capabilities: { elicitation: { form: {} } }, onElicit: undefined };

  it.each(IDS.filter((id) => id >= "2025-06-18" && id !== NEWEST))(
    "returns what a server of %s says whose question was not answered in time; it runs once",
    async (up) => {
      const { server, target } = sleepy(up);
      let runs = 0;
      let isOver = false;
      server.registerTool("impatient", {}, async (ctx) => {
        runs += 1;
        try {
          return (await ctx.elicit({ message: "Now?", requestedSchema }, { timeout: 50 })).action;
        } catch {
          ctx.log("warning", "too late");
          isOver = true;
          return "not in time";
        }
      });
      const { client } = await caller(await overHttp(target), NEWEST, "ada", meta);
      const logged: unknown[] = [];
      client.on("log", ({ data }) => logged.push(data));
      await client.setLogLevel("info");
      const first = await heldRound(client, "impatient");
      expect(Object.keys(first.inputRequests!)).toHaveLength(1);
      await eventually(() => expect(isOver).toBe(true));
      await sleep(50);
      expect(textOf(await heldRound(client, "impatient", answersTo(first)))).toBe("not in time");
      await eventually(() => expect(logged).toEqual(["too late"]));
      await expect(heldRound(client, "impatient", answersTo(first))).rejects.toThrow(
        "not repeated",
      );
      expect(runs).toBe(1);
    },
  );

  it("of one principal does not take the place of another's", async () => {
    const { target, effects } = sleepy("2025-11-25");
    const url = await overHttp(target, { held: { perPrincipal: 1 } });
    const [ada, bob] = [
      await caller(url, NEWEST, "ada", meta),
      await caller(url, NEWEST, "bob", meta),
    ];
    const first = await heldRound(ada.client, "ask");
    await expect(heldRound(ada.client, "ask")).rejects.toThrow("Busy: too many calls await");
    const other = await heldRound(bob.client, "ask");
    for (const [{ client }, held] of [
      [ada, first],
      [bob, other],
    ] as const) {
      expect(textOf(await heldRound(client, "ask", answersTo(held)))).toBe("q accept");
    }
    expect(
      textOf(await heldRound(ada.client, "ask", answersTo(await heldRound(ada.client, "ask")))),
    ).toBe("q accept");
    expect(effects).toHaveLength(4);
  });
});

it("a log of one person's call does not reach another who has the same principal", async () => {
  const url = await overHttp(sleepy("2025-11-25").target);
  const seen: string[] = [];
  const people = await Promise.all(
    ["ada", "bob"].map(async (name) => {
      const { client } = await caller(url, NEWEST, name, {
        principal: "token",
        onElicit: undefined,
      });
      await client.setLogLevel("info");
      client.on("log", ({ data }) => seen.push(`${name}: ${String(data)}`));
      return client;
    }),
  );
  await Promise.all(
    people.map((client, index) =>
      client.callTool("nap", { ms: 20 + 60 * index, text: String(index) }),
    ),
  );
  expect(seen).not.toContain("bob: 0");
  await people[0]!.callTool("nap", { ms: 0, text: "alone" });
  await eventually(() => expect(seen).toContain("ada: alone"));
});
