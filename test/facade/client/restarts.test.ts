import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { StdioTarget } from "@mcp-codegen/runtime/facade/client";
import type { ConnectOptions, McpClient } from "@mcp-codegen/universal";
import { connect } from "./support/connecting.js";
import { program } from "./support/fake-process.js";
import { eventually } from "../../support/eventually.js";

/** Creates a file in which a program makes a note at each start, and a function that reads the notes. */
function notes() {
  const folder = mkdtempSync(join(tmpdir(), "mcp-restart-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "notes");
  return { file, read: () => readFileSync(file, "utf8").split("\n").slice(0, -1) };
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  logging: {},
};
const LISTS = `
  const fs = require("node:fs");
  if (request.method === "tools/list") {
    const tools = [{ name: String(process.pid), inputSchema: { type: "object" } }];
    return answer(request.id, { result: { tools } });
  }
  if (request.method === "tools/call") {
    console.error("It is " + request.params.name);
    return process.exit(3);
  }`;

/** Creates a server that exits when a tool is called and records all other requests. */
const session = (file: string, starts = 100): StdioTarget =>
  program(`
    ${LISTS}
    const note = (text) => fs.appendFileSync(${JSON.stringify(file)}, text + "\\n");
    if (request.method === "server/discover") return answer(request.id, UNKNOWN);
    if (request.method === "initialize") {
      note("initialize");
      if (fs.readFileSync(${JSON.stringify(file)}, "utf8").split("initialize").length > ${starts} + 1)
        process.exit(4);
      const capabilities = ${JSON.stringify(CAPABILITIES)};
      return answer(request.id, { result: { ...INITIALIZED, capabilities } });
    }
    note(request.method + " " + (request.params.uri ?? request.params.level));
    answer(request.id, { result: {} });`);

const stateless = (file: string): StdioTarget =>
  program(`
    ${LISTS}
    const note = (text) => fs.appendFileSync(${JSON.stringify(file)}, text + "\\n");
    note(request.method);
    if (request.method === "server/discover") {
      const capabilities = ${JSON.stringify(CAPABILITIES)};
      return answer(request.id, { result: { supportedVersions: ["2026-07-28"], capabilities } });
    }
    if (request.method !== "subscriptions/listen") return answer(request.id, UNKNOWN);
    const { notifications } = request.params;
    const _meta = { "io.modelcontextprotocol/subscriptionId": request.id };
    const tell = (method, params) => process.stdout.write(
      JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta } }) + "\\n");
    note(JSON.stringify(notifications));
    tell("notifications/subscriptions/acknowledged", { notifications });
    setTimeout(() => {
      if (notifications.toolsListChanged) tell("notifications/tools/list_changed", {});
      for (const uri of notifications.resourceSubscriptions ?? [])
        tell("notifications/resources/updated", { uri });
    }, 20);`);

const pidOf = async (client: McpClient): Promise<string> =>
  (await client.listTools()).tools[0]!.name;

async function connected(target: StdioTarget, options: ConnectOptions = {}) {
  const errors: Error[] = [];
  const closed = vi.fn();
  const client = await connect(target, { onerror: (error) => errors.push(error), ...options });
  client.on("close", closed);
  return { client, errors, closed };
}

describe.each([
  ["with sessions", session],
  ["without sessions", stateless],
])("a process %s", (_, server) => {
  test("that exits is started again when it is needed, and the pending requests are rejected with its name (STDIO-13)", async () => {
    const { client, errors, closed } = await connected(server(notes().file));
    const [revision, first] = [client.revision, await pidOf(client)];
    for (const name of ["one", "two"]) {
      const lost = client.callTool(name);
      await expect(lost).rejects.toMatchObject({
        name: "ServerExitError",
        exitCode: 3,
        message: expect.stringContaining(`It is ${name}`),
      });
    }
    expect(client.revision).toBe(revision);
    const requests = await Promise.all([pidOf(client), pidOf(client)]);
    expect(new Set([first, ...requests]).size).toBe(2);
    expect(errors).toMatchObject([{ name: "ServerExitError" }, { name: "ServerExitError" }]);
    expect(closed).not.toHaveBeenCalled();
    await client.close();
    expect(await client.closed).toBeUndefined();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test("that is starting again holds requests until it is open", async () => {
    const { client } = await connected(server(notes().file));
    client.on("toolsChanged", () => {});
    const first = await pidOf(client);
    await expect(client.callTool("one")).rejects.toThrow();
    const requests: Promise<string>[] = [];
    for (let count = 0; count < 30; count += 1) {
      requests.push(pidOf(client));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(new Set([first, ...(await Promise.all(requests))]).size).toBe(2);
    await client.close();
  });

  test("that exits closes the connection if an option says so", async () => {
    const target = { ...server(notes().file), restart: false };
    const { client, closed } = await connected(target);
    await expect(client.callTool("one")).rejects.toMatchObject({ name: "ServerExitError" });
    expect(await client.closed).toMatchObject({ name: "ServerExitError" });
    await expect(client.listTools()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test("that has exited is not started again by close()", async () => {
    const { client } = await connected(server(notes().file));
    await expect(client.callTool("one")).rejects.toThrow();
    await client.close();
    expect(await client.closed).toBeUndefined();
    await expect(client.listTools()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

test("a client can be closed while its process starts again", async () => {
  const { file, read } = notes();
  const { command, args = [] } = session(file);
  const isSecond = `require("node:fs").existsSync(${JSON.stringify(file)})`;
  const silent = `if (${isSecond}) setInterval(() => {}, 1000); else { ${args[1]} }`;
  const target = { command, args: [args[0]!, silent], closeGrace: 50, stderr: "keep" } as const;
  const { client } = await connected(target);
  await expect(client.callTool("one")).rejects.toMatchObject({ name: "ServerExitError" });
  const listed = client.listTools();
  listed.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await client.close();
  await expect(listed).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await client.closed).toBeUndefined();
  expect(read()).toEqual(["initialize"]);
});

test("a process that keeps exiting is started again a few times only", async () => {
  const { file, read } = notes();
  const restart = { retries: 2, initialDelay: 10, maxDelay: 10 };
  const { client, closed } = await connected({ ...session(file, 1), restart });
  await expect(client.callTool("one")).rejects.toMatchObject({ name: "ServerExitError" });
  await expect(client.listTools()).rejects.toMatchObject({
    code: "CONNECTION_CLOSED",
    message: expect.stringMatching(
      /cannot be started again \(option restart\).*exited with code 4/s,
    ),
  });
  expect(await client.closed).toMatchObject({ exitCode: 4 });
  expect(closed).toHaveBeenCalledTimes(1);
  expect(read()).toHaveLength(3);
  await expect(client.listTools()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(read()).toHaveLength(3);
});

test("resource subscriptions and the log level are restored with a new session without a call (STDIO-13)", async () => {
  const { file, read } = notes();
  const { client } = await connected(session(file));
  const stale = new Promise<void>((resolve) => client.on("stale", resolve));
  await client.subscribe("a:b");
  await client.setLogLevel("error");
  const opened = ["initialize", "resources/subscribe a:b", "logging/setLevel error"];
  expect(read()).toEqual(opened);
  await expect(client.callTool("one")).rejects.toThrow();
  await stale;
  expect(read().slice(3).toSorted()).toEqual(opened.toSorted());
});

test("subscriptions of stateless requests are restored without a call (LIST-12, STDIO-13)", async () => {
  const { file, read } = notes();
  const { client } = await connected(stateless(file), { relisten: { initialDelay: 1 } });
  let [tools, resources] = [0, 0];
  client.on("toolsChanged", () => (tools += 1));
  await client.subscribe("a:b", () => (resources += 1));
  const requested = JSON.stringify({ toolsListChanged: true, resourceSubscriptions: ["a:b"] });
  await eventually(() => expect([tools > 0, resources > 0]).toEqual([true, true]));
  [tools, resources] = [0, 0];
  const stale = new Promise<void>((resolve) => client.on("stale", resolve));
  await expect(client.callTool("one")).rejects.toThrow();
  await stale;
  await eventually(() => expect([tools > 0, resources > 0]).toEqual([true, true]));
  expect(read().at(-1)).toBe(requested);
  expect(read().filter((note) => note === "server/discover")).toHaveLength(2);
});

/** Creates a server that ends at the first call, and at the first list after that. */
const fragile = (file: string): StdioTarget =>
  program(`
    const fs = require("node:fs");
    if (request.method === "server/discover") return answer(request.id, UNKNOWN);
    if (request.method === "initialize") return answer(request.id, { result: INITIALIZED });
    const { name = "list" } = request.params;
    const before = fs.existsSync(${JSON.stringify(file)})
      ? fs.readFileSync(${JSON.stringify(file)}, "utf8").split("\\n") : [];
    fs.appendFileSync(${JSON.stringify(file)}, name + "\\n");
    if (!before.includes(name)) process.exit(3);
    if (name !== "list") return answer(request.id, { result: { content: [] } });
    const inputSchema = { type: "object" };
    answer(request.id, { result: { tools: [
      { name: "safe", inputSchema, annotations: { idempotentHint: true } },
      { name: "reading", inputSchema, annotations: { readOnlyHint: true } },
      { name: "other", inputSchema, annotations: { idempotentHint: false } },
    ] } });`);

describe("requests that are lost with a process", () => {
  test("are sent again by default if they only read (RSM-08)", async () => {
    const { file, read } = notes();
    const { client } = await connected(fragile(file));
    expect((await client.listTools()).tools).toHaveLength(3);
    await expect(client.callTool("reading")).rejects.toMatchObject({ name: "ServerExitError" });
    expect(read()).toEqual(["list", "list", "reading"]);
  });

  test("are not sent again if the option is false", async () => {
    const { client } = await connected(fragile(notes().file), { retryLost: false });
    await expect(client.listTools()).rejects.toMatchObject({ name: "ServerExitError" });
  });

  test("are sent again if the tool is declared safe and an option says so", async () => {
    const { file, read } = notes();
    const { client } = await connected(fragile(file), { retryLost: true });
    expect((await client.listTools()).tools).toHaveLength(3);
    for (const name of ["safe", "reading"]) {
      expect(await client.callTool(name)).toMatchObject({ content: [] });
    }
    await expect(client.callTool("other")).rejects.toMatchObject({ name: "ServerExitError" });
    expect(read()).toEqual(["list", "list", "safe", "safe", "reading", "reading", "other"]);
  });

  test("are sent again if the caller says so", async () => {
    const { file, read } = notes();
    const retryLost = vi.fn(({ method }: { method: string }) => method === "tools/call");
    const { client } = await connected(fragile(file), { retryLost });
    expect(await client.callTool("other")).toMatchObject({ content: [] });
    await expect(client.listTools()).rejects.toMatchObject({ name: "ServerExitError" });
    expect(read()).toEqual(["other", "other", "list"]);
    expect(retryLost).toHaveBeenCalledTimes(2);
  });
});
