import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision, Server } from "@mcp-codegen/2026-07-28";
import { Prompts, Resources, Tools } from "@mcp-codegen/2026-07-28/features";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryBus } from "../../../runtime/api/bus.js";
import { RpcError } from "../../../runtime/wire/errors.js";
import { META, RawClient, tagOf, type Wire } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const TOOLS = "notifications/tools/list_changed";
const PROMPTS = "notifications/prompts/list_changed";
const UPDATED = "notifications/resources/updated";
const text = (uri: string) => ({ contents: [{ uri, text: "text" }] });
const inputSchema = { type: "object" } as const;

let client: RawClient;

afterEach(() => {
  expect(client.problems).toEqual([]);
});

function withTools(): { server: Server; tools: Tools; prompts: Prompts } {
  const [tools, prompts] = [new Tools(), new Prompts()];
  return { server: new Server(info, {}, { features: [tools, prompts] }), tools, prompts };
}

async function listening(id: unknown, filter: object): Promise<Wire> {
  client.ask(id, "subscriptions/listen", { notifications: filter });
  return client.until(({ method, params }) => method === ACKNOWLEDGED && tagOf({ params }) === id);
}

function methodsOf(messages: Wire[]): string[] {
  return messages.map(({ method }) => method);
}

describe("subscriptions/listen", () => {
  it("acknowledges first, then sends the requested notifications and no others (LIST-02, LIST-03, LIST-15)", async () => {
    const { server, tools, prompts } = withTools();
    client = await RawClient.of(server, revision);
    const { params } = await listening(1, { toolsListChanged: true });
    expect(params.notifications).toEqual({ toolsListChanged: true });
    await client.rest();
    prompts.add({ name: "p" }, () => ({ messages: [] }));
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    expect(methodsOf(await client.rest())).toEqual([TOOLS]);
  });

  it.each([7, "7", 0, ""])("tags all with the unchanged id %j (LIST-04, META-16)", async (id) => {
    const { server, tools } = withTools();
    client = await RawClient.of(server, revision);
    await listening(id, { toolsListChanged: true });
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    const { params } = await client.notified(TOOLS);
    expect(tagOf({ params })).toBe(id);
  });

  it("omits undeclared and unknown types (LIST-03, LIST-14)", async () => {
    client = await RawClient.of(new Server(info), revision);
    const filter = { toolsListChanged: true, resourceSubscriptions: ["a:b"], unheardOf: true };
    const { params } = await listening(1, filter);
    expect(params.notifications).toEqual({});
  });

  it("acknowledges an empty filter and one without any type (LIST-14)", async () => {
    const { server } = withTools();
    client = await RawClient.of(server, revision);
    expect((await listening(1, {})).params.notifications).toEqual({});
    const nothing = { toolsListChanged: false, resourceSubscriptions: [] };
    expect((await listening(2, nothing)).params.notifications).toEqual({});
  });

  it("works several times at once, each with its own filter (LIST-07, STATE-07)", async () => {
    const { server, tools, prompts } = withTools();
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    await listening(2, { toolsListChanged: true, promptsListChanged: true });
    await client.rest();
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    prompts.add({ name: "p" }, () => ({ messages: [] }));
    const reported = (await client.rest()).map(({ method, params }) => [method, tagOf({ params })]);
    expect(reported.toSorted()).toEqual(
      [
        [TOOLS, 1],
        [TOOLS, 2],
        [PROMPTS, 2],
      ].toSorted(),
    );
  });

  it("is acknowledged before its own notifications, whatever other subscriptions receive (LIST-05)", async () => {
    const { server, tools } = withTools();
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    await client.rest();
    client.ask(2, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    const received = await client.rest();
    const [first] = received.filter(({ params }) => tagOf({ params }) === 2);
    expect(first?.method).toBe(ACKNOWLEDGED);
    expect(received.map(({ params }) => tagOf({ params }))).toContain(1);
  });

  it("sends nothing more, and no result, after a cancellation (LIST-09, CANC-13)", async () => {
    const { server, tools } = withTools();
    client = await RawClient.of(server, revision);
    await listening("one", { toolsListChanged: true });
    await listening(2, { toolsListChanged: true });
    client.tell("notifications/cancelled", { requestId: "one" });
    await client.rest();
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    const reported = await client.rest();
    expect(reported.map(({ params }) => tagOf({ params }))).toEqual([2]);
  });

  it("ignores a cancellation with an id of another type (CANC-14)", async () => {
    const { server, tools } = withTools();
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    client.tell("notifications/cancelled", { requestId: "1" });
    await client.rest();
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    expect(methodsOf(await client.rest())).toEqual([TOOLS]);
  });

  it("ends with a result and a cancellation when the server closes (LIST-10, LIST-16, GAP-02)", async () => {
    const { server } = withTools();
    client = await RawClient.of(server, revision);
    await listening("s", { toolsListChanged: true });
    await client.rest();
    await server.close();
    const [answer, cancelled] = await client.rest();
    expect(cancelled).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: "s" },
    });
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: "s",
      result: {
        resultType: "complete",
        _meta: { [META.subscription]: "s", [META.serverInfo]: info },
      },
    });
    expect(client.isClosed).toBe(true);
  });

  it("cancels nothing else when the server closes (CANC-12)", async () => {
    const hangs = { "tools/list": () => new Promise<never>(() => {}) };
    const server = new Server(info, hangs);
    client = await RawClient.of(server, revision);
    client.ask(1, "tools/list");
    await client.rest();
    await server.close();
    expect(await client.rest()).toEqual([]);
  });

  it("refuses an id that is in use, and continues", async () => {
    const { server, tools } = withTools();
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    const { error } = await client.call(1, "tools/list");
    expect(error.code).toBe(-32600);
    await client.rest();
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    expect(methodsOf(await client.rest())).toEqual([TOOLS]);
  });

  it("does not count as a request in flight", async () => {
    const tools = new Tools();
    const server = new Server(info, {}, { features: [tools], limits: { incoming: 1 } });
    client = await RawClient.of(server, revision);
    for (const id of [1, 2, 3]) await listening(id, { toolsListChanged: true });
    const { result } = await client.call(4, "tools/list");
    expect(result.tools).toEqual([]);
  });

  it("is not ended by handlerTimeout", async () => {
    const tools = new Tools();
    const server = new Server(info, {}, { features: [tools], handlerTimeout: 20 });
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.rest();
    tools.add({ name: "t", inputSchema }, () => ({ content: [] }));
    expect(methodsOf(await client.rest())).toEqual([TOOLS]);
  });

  it.each(["subscriptions", "allSubscriptions"])(
    "refuses more than the limit %s, until one has ended",
    async (name) => {
      const limits = { [name]: 2 };
      const server = new Server(info, {}, { features: [new Tools()], limits });
      client = await RawClient.of(server, revision);
      await listening(1, { toolsListChanged: true });
      await listening(2, { toolsListChanged: true });
      const { error } = await client.call(3, "subscriptions/listen", { notifications: {} });
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining("2 subscriptions"),
      });
      client.tell("notifications/cancelled", { requestId: 1 });
      await listening(4, {});
    },
  );

  it("refuses an invalid filter with -32602", async () => {
    client = await RawClient.of(new Server(info), revision);
    for (const notifications of [undefined, null, [], { toolsListChanged: "yes" }]) {
      const { error } = await client.call(String(notifications), "subscriptions/listen", {
        notifications,
      });
      expect(error.code).toBe(-32602);
    }
  });

  it("delivers notifications on the connection where they are sent (T6)", async () => {
    const handlers = { "tools/list": () => ({ tools: [] }) };
    const server = new Server(info, handlers, { capabilities: { tools: { listChanged: true } } });
    const other = await RawClient.of(server.fork(), revision);
    other.ask(1, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    client = await RawClient.of(server, revision);
    await listening(1, { toolsListChanged: true });
    await client.rest();
    await other.rest();
    await server.sendToolListChanged();
    expect(methodsOf(await client.rest())).toEqual([TOOLS]);
    expect(await other.rest()).toEqual([]);
  });

  it("refuses an undeclared notification", async () => {
    const server = new Server(info, { "tools/list": () => ({ tools: [] }) });
    client = await RawClient.of(server, revision);
    await expect(server.sendToolListChanged()).rejects.toMatchObject({ code: "LIFECYCLE" });
  });

  it("refuses notifications that belong to requests", async () => {
    const server = new Server(info, {}, { capabilities: { logging: {} } });
    client = await RawClient.of(server, revision);
    const sending = server.sendLoggingMessage({ level: "info", data: "x" });
    await expect(sending).rejects.toMatchObject({ code: "LIFECYCLE" });
  });
});

/** Refuses some. */
function onsubscribe(uri: string): void {
  if (uri.endsWith("c")) throw new RpcError(-32602, "Not for you");
}

function withResources(options: object = {}): { server: Server; resources: Resources } {
  const resources = new Resources({ subscriptions: {}, ...options });
  resources.add({ uri: "file:///a/b", name: "b" }, text);
  resources.add({ uri: "file:///a/c", name: "c" }, text);
  return { server: new Server(info, {}, { features: [resources] }), resources };
}

describe("subscriptions/listen for resources", () => {
  it("declares resources.subscribe (RES-09)", async () => {
    client = await RawClient.of(withResources().server, revision);
    const { result } = await client.call(1, "server/discover");
    expect(result.capabilities).toEqual({ resources: { listChanged: true, subscribe: true } });
  });

  it("notifies changes of the requested URIs only (RES-09)", async () => {
    const { server, resources } = withResources();
    client = await RawClient.of(server, revision);
    const uris = ["file:///a/b"];
    const { params } = await listening(1, { resourceSubscriptions: uris });
    expect(params.notifications).toEqual({ resourceSubscriptions: uris });
    await client.rest();
    resources.updated("file:///a/b");
    resources.updated("file:///a/c");
    const reported = await client.rest();
    expect(reported.map(({ params: { uri } }) => uri)).toEqual(["file:///a/b"]);
  });

  it("notifies a change below a URI once (RES-08)", async () => {
    const { server, resources } = withResources();
    client = await RawClient.of(server, revision);
    await listening(1, { resourceSubscriptions: ["file:///a", "file:///a/", "file:///a/b"] });
    await client.rest();
    resources.updated("file:///a/b");
    resources.updated("file:///ab");
    const reported = await client.rest();
    expect(reported.map(({ params: { uri } }) => uri)).toEqual(["file:///a/b"]);
  });

  it("omits missing URIs, refused ones and those above the limit (LIST-03)", async () => {
    const { server } = withResources({ subscriptions: { onsubscribe, limit: 1 } });
    client = await RawClient.of(server, revision);
    const uris = ["file:///nowhere", "file:///a/c", "file:///a/b", "file:///a"];
    const { params } = await listening(1, { resourceSubscriptions: uris });
    expect(params.notifications).toEqual({ resourceSubscriptions: ["file:///a/b"] });
  });

  it("watches a URI while it has a subscriber, at any revision (T8)", async () => {
    const watched: string[] = [];
    const watch = (uri: string) => {
      watched.push(`+${uri}`);
      return () => void watched.push(`-${uri}`);
    };
    const resources = new Resources({ subscriptions: { watch } });
    resources.add({ uri: "a:b", name: "b" }, text);
    const server = new RevisionsServer([handshake, revision], info, {}, { features: [resources] });
    client = await RawClient.of(server, revision, handshake);
    await listening(1, { resourceSubscriptions: ["a:b"] });
    const hello = { protocolVersion: handshake.id, capabilities: {}, clientInfo: info };
    client.say({ id: 2, method: "initialize", params: hello });
    await client.answerTo(2);
    client.tell("notifications/initialized");
    client.say({ id: 3, method: "resources/subscribe", params: { uri: "a:b" } });
    await client.answerTo(3);
    await client.rest();
    resources.updated("a:b");
    const reported = await client.rest();
    expect(methodsOf(reported)).toEqual([UPDATED, UPDATED]);
    expect(reported.map(({ params }) => tagOf({ params })).toSorted()).toEqual([1, undefined]);
    client.tell("notifications/cancelled", { requestId: 1 });
    await client.rest();
    expect(watched).toEqual(["+a:b"]);
    await client.close();
    await client.rest();
    await server.closed;
    expect(watched).toEqual(["+a:b", "-a:b"]);
  });

  it("receives change notifications of another instance that shares the bus (T6)", async () => {
    const bus = new MemoryBus();
    const instances = [1, 2].map(() => {
      const resources = new Resources({ subscriptions: {} });
      resources.add({ uri: "a:b", name: "b" }, text);
      return { resources, server: new Server(info, {}, { features: [resources], bus }) };
    });
    client = await RawClient.of(instances[0]!.server, revision);
    await listening(1, { resourceSubscriptions: ["a:b"], resourcesListChanged: true });
    await client.rest();
    instances[1]!.resources.updated("a:b");
    instances[1]!.resources.add({ uri: "a:c", name: "c" }, text);
    expect(methodsOf(await client.rest()).toSorted()).toEqual([
      "notifications/resources/list_changed",
      UPDATED,
    ]);
  });
});
