import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "@mcp-codegen/universal";
import { clientTasks, type SavedTask } from "@mcp-codegen/universal/tasks";
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

function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @param lease - milliseconds: a short one is lost by a server on a busy machine, too */
async function serving(
  folder: string,
  lease = 6000,
): Promise<{ readonly server: Child; readonly url: string }> {
  const server = started("server", [folder, String(lease)]);
  const { url } = (await server.next()) as { readonly url: string };
  return { server, url };
}

async function startedTask(url: string, tool: string) {
  const client = started("client", [url, tool]);
  const { task } = (await client.next()) as { readonly task: SavedTask };
  return { client, task };
}

/** The task in the hands of this process. */
async function resumed(url: string, saved: SavedTask, onElicit?: () => { action: "accept" }) {
  const tasks = clientTasks();
  const client = await connect(url, { extensions: [tasks], ...(onElicit && { onElicit }) });
  onTestFinished(() => client.close());
  return tasks.resumeTask(saved);
}

describe("a task whose client was killed", () => {
  it("gives its result to another process that has its handle", async () => {
    const { url } = await serving(sharedFolder());
    const { client, task } = await startedTask(url, "work");
    await kill(client);
    const handle = await resumed(url, task);
    expect(await handle.result()).toMatchObject({ content: [{ text: "done" }] });
  });
});

describe("a task whose server was killed", () => {
  it("fails within its lease, at another server with the same store", async () => {
    const folder = sharedFolder();
    const { server, url } = await serving(folder, 1000);
    const { task } = await startedTask(url, "wait");
    await kill(server);
    const other = await serving(folder);
    const handle = await resumed(other.url, task);
    await expect(handle.result()).rejects.toMatchObject({ code: -32603 });
  });
});

describe("a task that another server works on", () => {
  it("takes answers, and its end, from any of them", async () => {
    const folder = sharedFolder();
    const { url } = await serving(folder);
    const other = await serving(folder);
    const { client, task } = await startedTask(url, "ask");
    await kill(client);
    const handle = await resumed(other.url, task, () => ({ action: "accept" }));
    expect(await handle.result()).toMatchObject({ content: [{ text: "accept" }] });
  });

  it("stops when it is cancelled at any of them", async () => {
    const folder = sharedFolder();
    const { server, url } = await serving(folder);
    const other = await serving(folder);
    const { task } = await startedTask(url, "wait");
    const handle = await resumed(other.url, task);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow("cancelled");
    expect(await server.next()).toEqual({ event: "aborted" });
  });
});
