import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileStore } from "@mcp-codegen/auth/node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Child } from "../../engine/support/child.js";
import { bundle } from "../../support/bundle.js";
import { startGuarded } from "../walk/guarded-server.js";
import type { ProgramSettings } from "./program.js";

let built: string;
let program: string;
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "mcp-auth-"));
  program = join(built, "program.mjs");
  await bundle(join(import.meta.dirname, "program.ts"), program);
});
afterAll(() => rmSync(built, { recursive: true }));

/** Starts a guarded server and logs in to it with a store. @param beforeToken - awaited by each refresh */
async function startLoggedIn(beforeToken: () => Promise<void>) {
  let isReady = false;
  const hook = async (): Promise<void> => (isReady ? beforeToken() : undefined);
  const guarded = await startGuarded({ provider: { beforeToken: hook } });
  const folder = mkdtempSync(join(tmpdir(), "mcp-auth-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await guarded.oauth({ store: fileStore({ folder }) }).login(guarded.url);
  isReady = true;
  const { provider, url } = guarded;
  provider.log.length = 0;
  const start = async (settings: Partial<ProgramSettings> = {}): Promise<Child> => {
    const given = { url, folder, isLocked: true, isStalled: false, ...settings };
    const child = new Child(program, [JSON.stringify(given)]);
    onTestFinished(async () => {
      child.process.kill("SIGKILL");
      await child.exit;
    });
    expect(await child.next()).toEqual({ event: "ready" });
    return child;
  };
  return { folder, log: provider.log, start };
}

/** Makes the access token in the store useless. */
async function spoil(folder: string, members: object): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = readFileSync(join(folder, name), "utf8");
    const { key, value } = JSON.parse(file) as { key: string; value: string };
    if (!key.startsWith("tokens ")) continue;
    const record = { ...(JSON.parse(value) as object), ...members };
    await fileStore({ folder }).set(key, JSON.stringify(record));
    return;
  }
  throw new Error("The store has no tokens");
}

const locks = (folder: string) => readdirSync(folder).filter((name) => name.includes(".lock"));

const answers = (children: readonly Child[]): Promise<unknown[]> => {
  for (const child of children) child.write("call\n");
  return Promise.all(children.map((child) => child.next()));
};

const SLOW = async () => void (await pause(200));
const GOOD = { text: expect.stringContaining("|ada read") as string };

describe("two processes that share the file store", () => {
  it.each([
    ["has expired", { expiresAt: 0 }],
    ["is refused", { accessToken: "no-token-of-this-server" }],
  ])(
    "refresh once when their access token %s, and each refresh token is used once (AUTH-46)",
    async (_what, members) => {
      const { folder, log, start } = await startLoggedIn(SLOW);
      const children = await Promise.all([start(), start()]);
      for (let round = 1; round <= 3; round += 1) {
        await spoil(folder, members);
        expect(await answers(children)).toEqual([GOOD, GOOD]);
        expect(log).toEqual(Array.from({ length: round }, () => "refresh_token"));
      }
      expect(locks(folder)).toEqual([]);
    },
  );

  it("lose their grant without the lock of the store, so that the test of the lock is valid", async () => {
    let arrived = 0;
    const second = new EventEmitter();
    const both = once(second, "arrival");
    const { folder, log, start } = await startLoggedIn(() => {
      arrived += 1;
      if (arrived === 2) second.emit("arrival");
      return both.then(() => {});
    });
    const settings = { isLocked: false };
    const children = await Promise.all([start(settings), start(settings)]);
    await spoil(folder, { expiresAt: 0 });
    await answers(children);
    expect(log).toContain("refresh_token: invalid_grant");
    expect(log).toContain("revoked");
  });

  it("continue if the one that holds the lock is killed", async () => {
    const { folder, log, start } = await startLoggedIn(SLOW);
    const holder = await start({ isStalled: true });
    const children = await Promise.all([start(), start()]);
    await spoil(folder, { expiresAt: 0 });
    holder.write("call\n");
    expect(await holder.next()).toEqual({ event: "stalled" });
    expect(locks(folder)).toHaveLength(1);
    const waiting = answers(children);
    expect(await Promise.race([waiting, pause(500)])).toBeUndefined();
    expect(log).toEqual([]);
    holder.process.kill("SIGKILL");
    expect(await waiting).toEqual([GOOD, GOOD]);
    expect(log).toEqual(["refresh_token"]);
    expect(locks(folder)).toEqual([]);
  });
});
