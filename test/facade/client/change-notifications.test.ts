import { expect, onTestFinished, test, vi } from "vitest";
import { LocalError } from "@mcp-codegen/runtime";
import type { ConnectOptions } from "@mcp-codegen/universal";
import type { RawPeer, Wire } from "../../engine/support/raw-peer.js";
import { KEY, metaOf, withoutMeta } from "../../stateless/client/support/raw-server.js";
import { type Scripted, scripted, scriptedSession } from "./support/connecting.js";
import { eventually } from "../../support/eventually.js";

const quick: ConnectOptions = { relisten: { initialDelay: 1, maxDelay: 5 } };

/** Returns the next subscription request, once the server has acknowledged it. */
async function listened(server: RawPeer, agreed?: object): Promise<Wire> {
  const requested = await server.next();
  expect(requested.method).toBe("subscriptions/listen");
  const notifications = agreed ?? requested.params.notifications;
  const meta = { [KEY.subscription]: requested.id };
  server.tell("notifications/subscriptions/acknowledged", { notifications, _meta: meta });
  return requested;
}

class Failure extends LocalError {
  readonly code = "HTTP";
  readonly status: number | undefined;

  constructor(status?: number) {
    super(`Status ${status}`);
    this.status = status;
  }
}

const tagged = (id: unknown, more: object = {}): object => ({
  ...more,
  _meta: { [KEY.subscription]: id },
});

test("listeners for list changes share one subscription (T8, LIST-01)", async () => {
  const { client, server } = await scripted();
  const received: string[] = [];
  client.on("toolsChanged", () => received.push("tools"));
  client.on("toolsChanged", () => received.push("tools again"));
  client.on("promptsChanged", () => received.push("prompts"));
  const requested = await listened(server);
  expect(withoutMeta(requested)).toEqual({
    notifications: { promptsListChanged: true, toolsListChanged: true },
  });
  server.tell("notifications/tools/list_changed", tagged(requested.id));
  server.tell("notifications/prompts/list_changed", tagged(requested.id));
  expect(received).toEqual(["tools", "tools again", "prompts"]);
  expect(await server.rest()).toEqual([]);
});

test("a larger subscription replaces the previous one (LIST-07)", async () => {
  const { client, server } = await scripted();
  client.on("toolsChanged", () => {});
  const first = await listened(server);
  await Promise.resolve();
  const subscribing = client.subscribe("a:b");
  const second = await listened(server);
  expect(withoutMeta(second)).toEqual({
    notifications: { resourceSubscriptions: ["a:b"], toolsListChanged: true },
  });
  await subscribing;
  const cancelled = await server.next();
  expect(cancelled).toMatchObject({
    method: "notifications/cancelled",
    params: { requestId: first.id },
  });
});

test("the subscription ends after the last listener is removed", async () => {
  const { client, server } = await scripted();
  const off = client.on("resourcesChanged", () => {});
  const { id } = await listened(server);
  await server.rest();
  off();
  expect(await server.next()).toMatchObject({
    method: "notifications/cancelled",
    params: { requestId: id },
  });
});

test("a resource subscription covers everything below its URI (T6, T8)", async () => {
  const { client, server } = await scripted();
  const [own, all]: [string[], string[]] = [[], []];
  client.on("resourceUpdated", (uri) => all.push(uri));
  const subscribing = client.subscribe("file:///a", (uri) => own.push(uri));
  const { id } = await listened(server);
  await subscribing;
  const below = ["file:///a", "file:///a/b", "file:///a?c", "file:///a#d"];
  for (const uri of [...below, "file:///ab"]) {
    server.tell("notifications/resources/updated", tagged(id, { uri }));
  }
  expect(own).toEqual(below);
  expect(all).toEqual([...below, "file:///ab"]);
});

test("notification types that the server does not acknowledge are reported (LIST-06)", async () => {
  const { client, server, errors } = await scripted();
  client.on("toolsChanged", () => {});
  client.on("promptsChanged", () => {});
  const subscribing = client.subscribe("a:b");
  await listened(server, { toolsListChanged: true });
  await expect(subscribing).rejects.toMatchObject({ code: "CAPABILITY" });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("promptsListChanged"),
  ]);
});

test.each([
  ["without a handshake", scripted],
  ["with a handshake", scriptedSession],
])(
  "change notifications that a server %s does not declare are not subscribed to, and reported (T8)",
  async (_, make) => {
    const { client, server, errors } = await make({}, { capabilities: { tools: {} } });
    client.on("toolsChanged", () => {});
    await expect(client.subscribe("a:b")).rejects.toMatchObject({ code: "CAPABILITY" });
    expect(errors).toHaveLength(1);
    expect(await server.rest()).toEqual([]);
  },
);

async function interrupted({ client, server }: Scripted, end: (id: unknown) => void) {
  const received: string[] = [];
  client.on("stale", () => received.push("stale"));
  client.on("toolsChanged", () => received.push("tools"));
  const { id } = await listened(server);
  await server.rest();
  end(id);
  const again = await listened(server);
  expect(again.id).not.toBe(id);
  await eventually(() => expect(received).toEqual(["stale"]));
  server.tell("notifications/tools/list_changed", tagged(again.id));
  expect(received).toEqual(["stale", "tools"]);
}

test("a broken subscription is opened again, and earlier results may be stale (LIST-11, LIST-12)", async () => {
  const all = await scripted(quick);
  await interrupted(all, (id) => all.server.receiver.failed(id as number, new Failure()));
});

test("a subscription that the server ends is opened again (GAP-02)", async () => {
  const all = await scripted(quick);
  await interrupted(all, (id) => {
    all.server.tell("notifications/cancelled", { requestId: id });
    all.server.answer(id, { resultType: "complete", ...tagged(id) });
  });
});

test("the wait does not grow when the server ends subscriptions that were open (LIST-11)", async () => {
  const relisten = { initialDelay: 1000, maxDelay: 60_000 };
  const { client, server } = await scripted({ relisten });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  client.on("toolsChanged", () => {});
  for (let time = 0; time < 6; time += 1) {
    const { id } = await listened(server);
    await vi.advanceTimersByTimeAsync(5000);
    server.answer(id, { resultType: "complete", ...tagged(id) });
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect((await server.next()).method).toBe("subscriptions/listen");
});

test("a subscription is retried until it opens, but not after a refusal (LIST-11)", async () => {
  const all = await scripted(quick);
  const { client, server, errors } = all;
  client.on("toolsChanged", () => {});
  const { id } = await listened(server);
  await server.rest();
  server.receiver.failed(id, new Failure());
  for (let time = 0; time < 3; time += 1) {
    server.receiver.failed((await server.next()).id, new Failure(503));
  }
  server.say({
    jsonrpc: "2.0",
    id: (await server.next()).id,
    error: { code: -32601, message: "" },
  });
  await eventually(() => expect(errors).toMatchObject([{ code: -32601 }]));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await server.rest()).toEqual([]);
});

test("a session receives list changes without a request, and resource changes after a request (T8)", async () => {
  const { client, server } = await scriptedSession();
  const received: string[] = [];
  client.on("toolsChanged", () => received.push("tools"));
  expect(await server.rest()).toEqual([]);
  server.tell("notifications/tools/list_changed");
  const subscribing = Promise.all([
    client.subscribe("a:b", (uri) => received.push(uri)),
    client.subscribe("a:b", (uri) => received.push(`${uri} again`)),
  ]);
  const requested = await server.next();
  expect([requested.method, requested.params]).toEqual(["resources/subscribe", { uri: "a:b" }]);
  server.answer(requested.id, {});
  await subscribing;
  server.tell("notifications/resources/updated", { uri: "a:b" });
  expect(received).toEqual(["tools", "a:b", "a:b again"]);
  const ending = client.unsubscribe("a:b");
  const end = await server.next();
  expect([end.method, end.params]).toEqual(["resources/unsubscribe", { uri: "a:b" }]);
  server.answer(end.id, {});
  await ending;
});

test("the log of a stateless server is requested if there is a listener (T7)", async () => {
  const { client, server } = await scripted();
  const received: unknown[] = [];
  client.on("log", (message) => received.push(message));
  const call = client.callTool("x");
  const requested = await server.next();
  expect(metaOf(requested)).toMatchObject({ "io.modelcontextprotocol/logLevel": "info" });
  server.tell("notifications/message", { level: "info", data: "hello" });
  server.answer(requested.id, { content: [] });
  await call;
  expect(received).toEqual([{ level: "info", data: "hello" }]);
});

test("a listener that throws is reported, and the others are called", async () => {
  const { client, server, errors } = await scriptedSession();
  const received: string[] = [];
  client.on("toolsChanged", () => {
    throw new Error("oops");
  });
  client.on("toolsChanged", async () => {
    throw new Error("oops, later");
  });
  client.on("toolsChanged", () => received.push("tools"));
  server.tell("notifications/tools/list_changed");
  await eventually(() => expect(errors).toHaveLength(2));
  expect(received).toEqual(["tools"]);
});

test("fresh results are cached until the server sends a change notification (CACHE-05, CACHE-09)", async () => {
  const { client, server } = await scripted();
  client.on("toolsChanged", () => {});
  const { id } = await listened(server);
  await server.rest();
  const list = client.listTools();
  server.answer((await server.next()).id, { tools: [], ttlMs: 60_000 });
  await list;
  await client.listTools();
  expect(await server.rest()).toEqual([]);
  server.tell("notifications/tools/list_changed", tagged(id));
  const again = client.listTools();
  const requested = await server.next();
  expect(requested.method).toBe("tools/list");
  server.answer(requested.id, { tools: [] });
  await again;
});

test("notification handlers of the user replace the events", async () => {
  const received: unknown[] = [];
  const { server } = await scriptedSession({
    handlers: { "notifications/message": (params: unknown) => void received.push(params) },
  });
  server.tell("notifications/message", { level: "info", data: 1 });
  expect(received).toEqual([{ level: "info", data: 1 }]);
});

test("a subscription that does not open at first is retried (LIST-11)", async () => {
  const { client, server } = await scripted(quick);
  const received: string[] = [];
  client.on("toolsChanged", () => received.push("tools"));
  server.receiver.failed((await server.next()).id, new Failure());
  server.tell("notifications/cancelled", { requestId: (await server.next()).id });
  const { id } = await listened(server);
  server.tell("notifications/tools/list_changed", tagged(id));
  expect(received).toEqual(["tools"]);
});

test.each([401, 404])("the HTTP status %d is final and reported", async (status) => {
  const { client, server, errors } = await scripted(quick);
  client.on("toolsChanged", () => {});
  server.receiver.failed((await server.next()).id, new Failure(status));
  await eventually(() => expect(errors).toMatchObject([{ status }]));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await server.rest()).toEqual([]);
});
