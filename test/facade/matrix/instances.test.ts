import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connect, type McpClient } from "@mcp-codegen/universal";
import { bundle } from "../../behaviour/support/bundle.js";
import { ProxiedFleet } from "../../http/server/stateless/support/proxied-fleet.js";
import { HttpLink } from "./support/http-link.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const PATIENCE = { timeout: 15_000 };
const folder = mkdtempSync(join(tmpdir(), "mcp-matrix-fleet-"));
const program = join(folder, "server.mjs");

beforeAll(() => bundle("test/facade/matrix/support/fleet-program.ts", program), 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const { of } = hosts();

async function fleet(isDeadly: boolean): Promise<ProxiedFleet> {
  const one = new ProxiedFleet(program);
  onTestFinished(() => one.stop());
  await one.start(3);
  one.isDeadly = isDeadly;
  return one;
}

async function connected(url: string): Promise<McpClient> {
  const client = await connect(url, {
    eras: false,
    onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
    onSample: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }),
    onRoots: () => [{ uri: "file:///work" }],
  });
  onTestFinished(() => client.close());
  return client;
}

async function official(url: string): Promise<OfficialClient> {
  const client = new OfficialClient(
    { name: "official", version: "2" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    },
  );
  for (const [method, answer] of Object.entries(AGREEABLE)) {
    client.setRequestHandler(method as never, answer as never);
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

/** Functions that call a tool as each kind of client does. */
const callers: Readonly<Record<string, (url: string, tool: string) => Promise<unknown>>> = {
  raw: async (url, tool) => {
    const link = new HttpLink(url);
    const speaker = await Speaker.over(link, "2026-07-28", { answers: AGREEABLE });
    const text = await speaker.text(tool);
    expect(speaker.violations).toEqual([]);
    return text;
  },
  universal: async (url, tool) => {
    const { content } = await (await connected(url)).callTool(tool);
    return (content as { text: unknown }[])[0]?.text;
  },
  official: async (url, tool) => {
    const { content } = await (await official(url)).callTool({ name: tool });
    return (content as unknown as { text: unknown }[])[0]?.text;
  },
};

describe.each(Object.entries(callers))("a %s client (STATE-03, MRTR-19)", (_, call) => {
  test.each([
    ["sequence", false],
    ["parallel", false],
    ["sequence", true],
    ["parallel", true],
  ])(
    "receives the same result in %s from one process as from three, each killed after its response: %s",
    async (tool, isDeadly) => {
      const alone = await call((await of("2026-07-28", "http")).url, tool);
      const three = await fleet(isDeadly);
      expect(await call(three.url, tool)).toBe(alone);
      expect(alone).toBe("ordered Ada Paris (m) file:///work");
      expect(three.requests.filter((number) => number > 0).length).toBeGreaterThan(1);
      if (isDeadly) await expect.poll(() => three.count).toBeGreaterThan(3);
    },
  );
});

test("a subscription survives the process that holds it (T8, T25)", async () => {
  const one = new ProxiedFleet(program);
  onTestFinished(() => one.stop());
  await one.start(1);
  const client = await connect(one.url, { eras: false, relisten: { initialDelay: 10 } });
  onTestFinished(() => client.close());
  const received: string[] = [];
  client.on("stale", () => received.push("stale"));
  client.on("toolsChanged", () => received.push("tools"));
  await client.subscribe("maximal://one", (uri) => received.push(uri));
  one.isDeadly = true;
  expect((await client.callTool("work")).content).toMatchObject([{ text: "done" }]);
  await expect.poll(() => one.count, PATIENCE).toBe(2);
  one.isDeadly = false;
  await expect.poll(() => received, PATIENCE).toContain("stale");
  await client.callTool("change", { what: "tools" });
  await client.callTool("change", { what: "maximal://one" });
  await expect.poll(() => received, PATIENCE).toContain("maximal://one");
  expect(received.filter((what) => what !== "stale")).toEqual(["tools", "maximal://one"]);
});
