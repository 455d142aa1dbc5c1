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

/** Runs the same program as a child of another process, as `npx` does. */
const wrapped = (...args: readonly string[]): StdioTarget => {
  const start = `require("node:child_process").spawn(process.execPath, ${JSON.stringify([program, ...args])}, { stdio: "inherit" }).on("exit", process.exit)`;
  return { command: process.execPath, args: ["-e", start], stderr: "keep" };
};

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
  test.each(revisions.map(({ id }) => id))("of %s are recognised and can be called", async (id) => {
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
    expect(client.era).toBe("session");
  });

  test.each([
    ["of all revisions", command("slow"), revisions[0]!.id],
    ["started by a wrapper", wrapped("slow"), revisions[0]!.id],
    ["of the official SDK, which continue in an open session", command("late"), "2026-07-28"],
  ])(
    "%s are used at the newest revision, however slowly they start (ERA-02, ERA-12)",
    async (_, target, id) => {
      const eras = new MemoryEraCache();
      const errors: Error[] = [];
      const onerror = (error: Error): void => void errors.push(error);
      const client = await connect(target, { probeTimeout: 100, eras, onerror });
      expect(client.revision).toBe(id);
      expect((await client.listTools()).tools).not.toEqual([]);
      expect(errors).toEqual([]);
      const again = await connect(target, { probeTimeout: 100, eras });
      expect(again.revision).toBe(id);
    },
  );

  test("that ignore the probe are probed each time, because silence proves nothing (ERA-12)", async () => {
    const requested: string[] = [];
    const eras = {
      get: () => undefined,
      set: (...call: [string, unknown]) => void requested.push(...(call as string[])),
    };
    const client = await connect(command("silent"), { probeTimeout: 100, eras });
    expect([client.era, requested]).toEqual(["session", []]);
  });

  test("are started again if they exit on the probe, and not probed the next time (ERA-06, ERA-12)", async () => {
    const eras = new MemoryEraCache();
    const target = command("exits");
    const client = await connect(target, { eras });
    expect(client.era).toBe("session");
    const again = await connect(target, { eras, probeTimeout: 1 });
    expect(again.era).toBe("session");
  });

  test("are named in the error if they do not start", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(connect({ command: nowhere })).rejects.toThrow("nowhere");
  });

  test("of the official SDK are used without a session", async () => {
    const client = await connect(command("official"));
    expect(client.era).toBe("stateless");
    expect(client.server.info).toMatchObject({ name: "official" });
    expect((await client.callTool("hello")).content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("of the official SDK are used with a session if an option says so", async () => {
    const older = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
    const client = await connect(command("official"), { revisions: older });
    expect(client.era).toBe("session");
    expect((await client.listTools()).tools).toMatchObject([{ name: "hello" }]);
  });
});
