import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "@mcp-codegen/universal";
import { clientTasks, type SavedTask } from "@mcp-codegen/universal/tasks";
import { noRedis, RedisServer } from "../../../support/redis-server.js";
import { revisionOf } from "./revisions.js";
import { Child } from "../../../engine/support/child.js";
import { bundle } from "../../../support/bundle.js";

let built: string;
const program = (name: string): string => join(built, `${name}.mjs`);

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "mcp-tasks-"));
  for (const name of ["server", "client"])
    await bundle(join(import.meta.dirname, `${name}.ts`), program(name));
}, 120_000);
afterAll(() => rmSync(built, { recursive: true }));

function started(name: string, args: readonly string[]): Child {
  const child = new Child(program(name), args);
  onTestFinished(async () => {
    child.process.kill("SIGKILL");
    await child.exit;
  });
  return child;
}

async function kill(child: Child): Promise<void> {
  child.process.kill("SIGKILL");
  await child.exit;
}

async function sharedRedis(): Promise<string> {
  const server = await RedisServer.start();
  onTestFinished(() => server.stop());
  return `redis://127.0.0.1:${server.port}`;
}

function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @param lease - milliseconds; on a busy machine, a server can also lose a short lease */
async function serving(
  folder: string,
  lease = 6000,
): Promise<{ readonly server: Child; readonly url: string }> {
  const server = started("server", [folder, String(lease)]);
  const { url } = (await server.next()) as { readonly url: string };
  return { server, url };
}

async function startedTask(url: string, tool: string, revision: string) {
  const client = started("client", [url, tool, revision]);
  const { task } = (await client.next()) as { readonly task: SavedTask };
  return { client, task };
}

/** Returns the task that this process controls. */
async function resumed(
  url: string,
  saved: SavedTask,
  revision: string,
  onElicit?: () => { action: "accept" },
) {
  const tasks = clientTasks();
  const options = { extensions: [tasks], revisions: revisionOf(revision) };
  const client = await connect(url, { ...options, ...(onElicit && { onElicit }) });
  onTestFinished(() => client.close());
  return tasks.resumeTask(saved);
}

describe.each([
  ["2026-07-28", "files", sharedFolder],
  ["2025-11-25", "files", sharedFolder],
  ["2026-07-28", "Redis", sharedRedis],
  ["2025-11-25", "Redis", sharedRedis],
] as const)("processes at %s that share tasks in %s", (revision, kind, shared) => {
  const isMissing = kind === "Redis" && noRedis !== undefined;
  describe.skipIf(isMissing)("a task whose client was killed", () => {
    it("returns its result to another process that has its handle", async () => {
      const { url } = await serving(await shared());
      const { client, task } = await startedTask(url, "work", revision);
      await kill(client);
      const handle = await resumed(url, task, revision);
      expect(await handle.result()).toMatchObject({ content: [{ text: "done" }] });
    });
  });

  describe.skipIf(isMissing)("a task whose server was killed", () => {
    it("fails within its lease, at another server with the same store", async () => {
      const folder = await shared();
      const { server, url } = await serving(folder, 1000);
      const { task } = await startedTask(url, "wait", revision);
      await kill(server);
      const other = await serving(folder);
      const handle = await resumed(other.url, task, revision);
      await expect(handle.result()).rejects.toMatchObject({ code: -32603 });
    });
  });

  describe.skipIf(isMissing)("a task that another server runs", () => {
    it("accepts answers, and cancellation, at any server", async () => {
      const folder = await shared();
      const { url } = await serving(folder);
      const other = await serving(folder);
      const { client, task } = await startedTask(url, "ask", revision);
      await kill(client);
      const handle = await resumed(other.url, task, revision, () => ({ action: "accept" }));
      expect(await handle.result()).toMatchObject({ content: [{ text: "accept" }] });
    });

    it("stops when it is cancelled at any server", async () => {
      const folder = await shared();
      const { server, url } = await serving(folder);
      const other = await serving(folder);
      const { task } = await startedTask(url, "wait", revision);
      const handle = await resumed(other.url, task, revision);
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow("cancelled");
      expect(await server.next()).toEqual({ event: "aborted" });
    });
  });
});
