import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision } from "@mcp-codegen/2026-07-28";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../behaviour/support/bundle.js";
import { Child } from "../../engine/support/child.js";
import type { Wire } from "../../engine/support/raw-peer.js";
import { envelope, META, tagOf } from "./support/raw-client.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-stateless-"));
const program = join(folder, "server.mjs");
const both = [revision.id, handshake.id];

let child: Child;

beforeAll(() => bundle("test/stateless/server/support/stdio-program.ts", program), 60_000);
afterEach(() => void child.process.kill("SIGKILL"));
afterAll(() => rmSync(folder, { recursive: true }));

function ask(id: unknown, method: string, params: object = {}, meta: object = {}): void {
  child.ask(id, method, { ...params, _meta: envelope(meta) });
}

async function call(id: unknown, method: string, params?: object, meta?: object): Promise<Wire> {
  ask(id, method, params, meta);
  return child.next();
}

async function listening(id: unknown): Promise<void> {
  const { params } = await call(id, "subscriptions/listen", {
    notifications: { toolsListChanged: true },
  });
  expect(params).toMatchObject({
    notifications: { toolsListChanged: true },
    _meta: { [META.subscription]: id },
  });
}

const textOf = ({ result }: Wire): string => result.content[0].text;

describe("a stateless process", () => {
  it("accepts several clients on one pipe and remembers none of them (STATE-01, STATE-02, STATE-04)", async () => {
    child = new Child(program, [revision.id]);
    for (const name of ["a", "b", "a"]) {
      const meta = { [META.clientInfo]: { name, version: "1" } };
      expect(textOf(await call(name, "tools/call", { name: "who" }, meta))).toContain(name);
    }
    const { result } = await call(1, "server/discover");
    expect(revision.methods.get("server/discover")!.result!(result)).toBe(true);
    child.process.stdin!.end();
    expect((await child.exit).code).toBe(0);
  });

  it("answers a handshake with its versions, and continues (VER-08)", async () => {
    child = new Child(program, [revision.id]);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c" } };
    child.ask(1, "initialize", params);
    const { id, error } = await child.next();
    expect(id).toBe(1);
    expect(error).toMatchObject({ code: -32022, data: { supported: [revision.id] } });
    expect((await call(2, "server/discover")).result.supportedVersions).toEqual([revision.id]);
  });

  it("cancels a request, and a subscription (CANC-10, CANC-13)", async () => {
    child = new Child(program, [revision.id]);
    ask(1, "tools/call", { name: "hang" });
    await listening(2);
    for (const requestId of [1, 2]) {
      child.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    }
    await child.until(() => child.stderr.includes("aborted"));
    expect((await call(3, "tools/call", { name: "grow" })).id).toBe(3);
    expect((await call(4, "tools/list")).result.tools).toHaveLength(5);
  });

  it("sends notifications of a request before the response (LOG-07, PROG-04, STDIO-16)", async () => {
    child = new Child(program, [revision.id]);
    const meta = { [META.logLevel]: "debug", progressToken: "p" };
    ask(1, "tools/call", { name: "talk" }, meta);
    const seen = [await child.next(), await child.next(), await child.next()];
    expect(seen.map(({ method = "answer" }) => method)).toEqual([
      "notifications/message",
      "notifications/progress",
      "answer",
    ]);
  });

  it.each(["end of input", "SIGTERM"])(
    "ends subscriptions in order at %s (LIST-10, GAP-02)",
    async (how) => {
      child = new Child(program, [revision.id]);
      await listening("one");
      await listening(2);
      if (how === "SIGTERM") child.process.kill("SIGTERM");
      else child.process.stdin!.end();
      const last: Wire[] = [];
      for (let count = 0; count < 4; count++) last.push(await child.next());
      for (const id of ["one", 2]) {
        const own = last.filter((message) => (message.id ?? message.params?.requestId) === id);
        expect(own.map(({ method = "answer" }) => method)).toEqual([
          "answer",
          "notifications/cancelled",
        ]);
        expect(own[0]!.result["_meta"][META.subscription]).toBe(id);
      }
      expect((await child.exit).code).toBe(0);
    },
  );
});

describe("a process with stateless requests and a session", () => {
  it("interleaves them on one pipe (ERA-14, ERA-15, ERA-16, ERA-22)", async () => {
    child = new Child(program, both);
    await listening("s");
    const clientInfo = { name: "session", version: "1" };
    const hello = { protocolVersion: handshake.id, capabilities: {}, clientInfo };
    child.ask("init", "initialize", hello);
    expect((await child.next()).result.protocolVersion).toBe(handshake.id);
    child.say({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (let id = 0; id < 100; id += 2) {
      child.ask(id, "tools/call", { name: "who" });
      const meta = { [META.clientInfo]: { name: `alone ${id + 1}`, version: "1" } };
      ask(id + 1, "tools/call", { name: "who" }, meta);
    }
    for (let count = 0; count < 100; count++) {
      const { id, result } = await child.next();
      const expected =
        id % 2 === 0
          ? `${handshake.id} ${JSON.stringify(clientInfo)}`
          : `${revision.id} ${JSON.stringify({ name: `alone ${id}`, version: "1" })}`;
      expect(result.content[0].text).toBe(expected);
    }
    child.ask("ping", "ping");
    expect(await child.next()).toEqual({ jsonrpc: "2.0", id: "ping", result: {} });
    ask("grow", "tools/call", { name: "grow" });
    const notifications = [await child.next(), await child.next(), await child.next()];
    expect(
      notifications.filter(({ method }) => method === "notifications/tools/list_changed"),
    ).toHaveLength(2);
    const tags = notifications.map(tagOf);
    expect(tags.filter((tag) => tag === "s")).toHaveLength(1);
  });
});
