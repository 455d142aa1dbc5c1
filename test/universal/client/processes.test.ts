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

beforeAll(() => bundle("test/universal/client/support/stdio-servers.ts", program), 60_000);
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

  test("of all revisions are spoken to in the newest", async () => {
    const client = await connect(command("all"), answers);
    expect(client.revision).toBe(revisions[0]!.id);
    const updated = new Promise<string>((resolve) => {
      void client.subscribe("memory://text", resolve).then(() => client.callTool("change"));
    });
    expect(await updated).toBe("memory://text");
  });

  test("that say nothing to the probe get a handshake (ERA-04)", async () => {
    const client = await connect(command("silent"), { probeTimeout: 100 });
    expect(client.era).toBe("handshake");
  });

  test("that answer the probe too late are what they were taken for (ERA-06)", async () => {
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    const client = await connect(command("late"), { probeTimeout: 100, onerror });
    expect(client.era).toBe("handshake");
    expect(errors).toEqual([]);
  });

  test("that exit on the probe are started again, and not probed the next time (ERA-06, ERA-12)", async () => {
    const eras = new MemoryEraCache();
    const target = command("exits");
    const client = await connect(target, { eras });
    expect(client.era).toBe("handshake");
    const again = await connect(target, { eras, probeTimeout: 1 });
    expect(again.era).toBe("handshake");
  });

  test("that do not start are told by name", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(connect({ command: nowhere })).rejects.toThrow("nowhere");
  });

  test("of the official SDK are spoken to without a handshake", async () => {
    const client = await connect(command("official"));
    expect(client.era).toBe("stateless");
    expect(client.server.info).toMatchObject({ name: "official" });
    expect((await client.callTool("hello")).content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("of the official SDK are spoken to with a handshake where that is wanted", async () => {
    const older = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
    const client = await connect(command("official"), { revisions: older });
    expect(client.era).toBe("handshake");
    expect((await client.listTools()).tools).toMatchObject([{ name: "hello" }]);
  });
});
