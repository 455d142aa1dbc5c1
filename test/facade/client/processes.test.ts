import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MemoryEraCache, type StdioTarget } from "@mcp-codegen/runtime/facade/client";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import { bundle } from "../../behaviour/support/bundle.js";
import { connect } from "./support/connecting.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-universal-"));
const program = join(folder, "servers.mjs");

beforeAll(() => bundle("test/facade/client/support/stdio-servers.ts", program), 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const command = (...args: readonly string[]): StdioTarget => ({
  command: process.execPath,
  args: [program, ...args],
  stderr: "keep",
});

const answers: ConnectOptions = {
  onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
  onSample: () => ({
    role: "assistant",
    content: { type: "text", text: "hi" },
    model: "some model",
  }),
  onRoots: () => [{ uri: "file:///work" }],
};

describe("processes", () => {
  test.each(revisions.map(({ id }) => id))("of %s are recognised and asked", async (id) => {
    const client = await connect(command("one", id), answers);
    expect(client.revision).toBe(id);
    expect((await client.callTool("ask-together")).content).toMatchObject([
      { text: "1 some model" },
    ]);
    await client.close();
    expect(await client.closed).toBeUndefined();
  });

  test("of all revisions are used at the newest", async () => {
    const client = await connect(command("all"), answers);
    expect(client.revision).toBe(revisions[0]!.id);
    const updated = new Promise<string>((resolve) => {
      void client.subscribe("memory://text", resolve).then(() => client.callTool("change"));
    });
    expect(await updated).toBe("memory://text");
  });

  test("get a handshake when they ignore the probe (ERA-04)", async () => {
    const client = await connect(command("silent"), { probeTimeout: 100 });
    expect(client.era).toBe("handshake");
  });

  test("of the official SDK that start slowly are used in the session that they open (ERA-12)", async () => {
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    const client = await connect(command("late"), { probeTimeout: 100, onerror });
    expect(client.era).toBe("handshake");
    await client.ping();
    expect(errors).toEqual([]);
  });

  test("are started again when they exit on the probe, and not probed the next time (ERA-06, ERA-12)", async () => {
    const eras = new MemoryEraCache();
    const target = command("exits");
    const client = await connect(target, { eras });
    expect(client.era).toBe("handshake");
    const again = await connect(target, { eras, probeTimeout: 1 });
    expect(again.era).toBe("handshake");
  });

  test("are named when they do not start", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(connect({ command: nowhere })).rejects.toThrow("nowhere");
  });

  test("of the official SDK are used without a session", async () => {
    const client = await connect(command("official"));
    expect(client.era).toBe("stateless");
    expect(client.server.info).toMatchObject({ name: "official" });
    expect((await client.callTool("hello")).content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("of the official SDK are used with a session on request", async () => {
    const older = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
    const client = await connect(command("official"), { revisions: older });
    expect(client.era).toBe("handshake");
    expect((await client.listTools()).tools).toMatchObject([{ name: "hello" }]);
  });
});
