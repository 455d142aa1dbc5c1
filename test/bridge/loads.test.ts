import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { bridge, type BridgeOptions } from "@mcp-codegen/bridge";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connect, connectInMemory, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { eventually } from "../support/eventually.js";
import { child } from "./support/child.js";
import { only } from "./support/stage.js";

/** True to use larger loads, as `npm run survival:bridge` does. */
const IS_LARGE = process.env["MCP_ROUNDS"] !== undefined;
const CALLS = IS_LARGE ? 1000 : 200;
const QUESTIONS = IS_LARGE ? 10_000 : 300;

const NEWEST = "2026-07-28";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Returns the number of heap bytes in use. */
async function used(): Promise<number> {
  for (let count = 0; count < 3; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

async function overHttp(behind: Parameters<typeof bridge>[0], options: BridgeOptions = {}) {
  const server = await bridge(behind, { onerror: () => {}, ...options });
  const http = await listen(
    createHttpHandler(server, { authenticate: () => ({ principal: "ada" }) }),
  );
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  return http.url;
}

describe("many calls", () => {
  it.each([
    [NEWEST, "2025-11-25"],
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", NEWEST],
  ])(
    `at once are each answered once: ${CALLS} of %s, by a program of %s`,
    async (down, up) => {
      const { target, effects } = child(up);
      const url = await overHttp(target);
      const client = await connect(url, { revisions: only(down), eras: false });
      onTestFinished(() => client.close());
      const texts = Array.from({ length: CALLS }, (_, index) => `call ${index}`);
      const calls = texts.map(async (text) => (await client.callTool("echo", { text })).content);
      expect(await Promise.all(calls)).toEqual(
        texts.map((text) => [{ type: "text", text: `child: ${text}` }]),
      );
      expect(effects().toSorted()).toEqual(texts.map((text) => `echo ${text}`).toSorted());
    },
    120_000,
  );
});

/** Sends a call of the tool and leaves its question unanswered. */
async function abandon(url: string): Promise<unknown> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": NEWEST,
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": NEWEST,
      "mcp-method": "tools/call",
      "mcp-name": "pay",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "pay", arguments: {}, _meta: meta },
    }),
  });
  return JSON.parse((await answer.text()).replace(/^[^{]*data: /s, ""));
}

describe("questions that are never answered", () => {
  it(`end: ${QUESTIONS} calls leave nothing behind, and no more wait than may`, async () => {
    let waiting = 0;
    let most = 0;
    let requested = 0;
    const behind = new McpServer(
      { name: "asker", version: "1.0.0" },
      { revisions: only("2025-11-25"), onerror: () => {} },
    );
    behind.registerTool("pay", {}, async (ctx) => {
      requested += 1;
      waiting += 1;
      most = Math.max(most, waiting);
      const requestedSchema = { type: "object", properties: {} } as const;
      try {
        return (await ctx.elicit({ message: "Pay?", requestedSchema })).action;
      } finally {
        waiting -= 1;
      }
    });
    const max = QUESTIONS / 2;
    const held = { max, perPrincipal: max, ttl: IS_LARGE ? 8000 : 500 };
    const conversations = { max: 2 * max + 100 };
    const server = { rateLimits: false as const };
    const url = await overHttp(() => connectInMemory(behind), { held, conversations, server });
    const burst = async (count: number): Promise<Map<string, number>> => {
      const outcomes = new Map<string, number>();
      const worker = async (share: number): Promise<void> => {
        for (let index = 0; index < share; index += 1) {
          const { result, error } = (await abandon(url)) as {
            result?: { resultType: string };
            error?: { message: string };
          };
          const outcome = result?.resultType ?? error!.message;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: 20 }, () => worker(count / 20)));
      await eventually(() => expect(waiting).toBe(0));
      return outcomes;
    };
    await burst(100);
    const before = await used();
    const outcomes = await burst(QUESTIONS);
    const refused = outcomes.get("Busy: too many calls await a response") ?? 0;
    expect(refused + outcomes.get("input_required")!).toBe(QUESTIONS);
    expect(requested).toBe(100 + QUESTIONS);
    // Counts the calls that wait and those whose round is in progress.
    expect(most).toBeLessThanOrEqual(max + 20);
    expect(((await used()) - before) / QUESTIONS).toBeLessThan(IS_LARGE ? 300 : 8000);
  }, 600_000);
});
