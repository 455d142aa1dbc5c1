import { expect, test } from "vitest";
import { Client } from "@mcp-codegen/2026-07-28";
import {
  InvalidMessageError,
  LifecycleError,
  RpcError,
  UnsupportedRevisionError,
} from "@mcp-codegen/runtime";
import type { Message } from "../../../runtime/wire/messages/jsonrpc.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { connected, discovered, KEY, REVISION, withoutMeta, metaOf } from "./support/raw-server.js";

const info = { name: "test", version: "1" };

test("a client begins with a server/discover that describes itself (VER-01, DISC-01, META-09, META-10, META-11, ERA-05, STDIO-23)", async () => {
  const server = new RawPeer();
  const client = new Client(info, { "roots/list": () => ({ roots: [] }) });
  const connecting = client.connect(server);
  const probe = await server.next();
  expect(probe).toEqual({
    jsonrpc: "2.0",
    id: "discover-0",
    method: "server/discover",
    params: {
      _meta: { [KEY.revision]: REVISION, [KEY.info]: info, [KEY.capabilities]: { roots: {} } },
    },
  });
  server.answer(probe.id, discovered({ instructions: "Be kind" }));
  await connecting;
  expect(client.revision).toBe(REVISION);
  expect(client.server).toEqual({
    info: { name: "raw", version: "0" },
    capabilities: expect.objectContaining({ tools: { listChanged: true } }),
    instructions: "Be kind",
  });
  await client.close();
});

test("an anonymous client omits its identity (META-11)", async () => {
  const { server, client } = await connected({}, { anonymous: true });
  void client.listTools().catch(() => {});
  for (const message of [server.received[0], await server.next()]) {
    expect(Object.keys(metaOf(message))).toEqual([KEY.revision, KEY.capabilities]);
  }
});

test("each request has the envelope, and keeps its own members of _meta (META-09, T21)", async () => {
  const { server, client } = await connected();
  void client.request("tools/list", { _meta: { tracestate: "a=1", [KEY.revision]: "x" } });
  const requests = await server.next();
  expect(requests.params).toEqual({
    _meta: {
      tracestate: "a=1",
      [KEY.revision]: REVISION,
      [KEY.info]: info,
      [KEY.capabilities]: {},
    },
  });
  void client.callTool({ name: "add", arguments: { a: 1 } });
  expect(withoutMeta(await server.next())).toEqual({ name: "add", arguments: { a: 1 } });
});

test("a server of another revision is rejected by name (VER-03)", async () => {
  const server = new RawPeer();
  const connecting = new Client(info).connect(server);
  const probe = await server.next();
  const error = {
    code: -32022,
    message: "no",
    data: { supported: ["2099-01-01"], requested: "x" },
  };
  server.say({ jsonrpc: "2.0", id: probe.id, error });
  await expect(connecting).rejects.toThrow(UnsupportedRevisionError);
  await expect(connecting).rejects.toThrow("2099-01-01");
  expect(server.isClosed).toBe(true);
});

test("a server that refuses a revision which it lists receives one more request (VER-03, DISC-05)", async () => {
  const server = new RawPeer();
  const client = new Client(info);
  const connecting = client.connect(server);
  const error = { code: -32022, message: "?", data: { supported: [REVISION], requested: "x" } };
  const first = await server.next();
  server.say({ jsonrpc: "2.0", id: first.id, error });
  const second = await server.next();
  expect(second).toEqual({ ...first, id: second.id });
  server.answer(second.id, discovered());
  await connecting;
  await client.close();

  const other = new RawPeer();
  const refused = new Client(info).connect(other);
  for (let time = 0; time < 2; time += 1) {
    other.say({ jsonrpc: "2.0", id: (await other.next()).id, error });
  }
  await expect(refused).rejects.toMatchObject({ code: -32022 });
  expect(other.received).toHaveLength(2);
});

test("a server that supports the revision but answers otherwise gets no other attempt (ERA-03)", async () => {
  const server = new RawPeer();
  const connecting = new Client(info).connect(server);
  const probe = await server.next();
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code: -32021, message: "more, please" } });
  await expect(connecting).rejects.toThrow(RpcError);
  expect(server.received).toHaveLength(1);
});

test("a session server is named as the reason", async () => {
  const server = new RawPeer();
  const connecting = new Client(info).connect(server);
  const probe = await server.next();
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code: -32601, message: "Unknown" } });
  await expect(connecting).rejects.toThrow(LifecycleError);
  await expect(connecting).rejects.toThrow(`does not seem to support ${REVISION}`);
});

test("members that a server may omit are filled in (BASE-21, CACHE-05, CACHE-13)", async () => {
  const { server, client } = await connected();
  const lists = [client.listTools(), client.listTools()] as const;
  const [first, second] = [await server.next(), await server.next()];
  server.answer(first.id, { tools: [] });
  server.answer(second.id, { tools: [], resultType: "complete", ttlMs: -5, cacheScope: "public" });
  expect(await lists[0]).toEqual({
    tools: [],
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
  });
  expect(await lists[1]).toEqual({
    tools: [],
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "public",
  });
  const call = client.callTool({ name: "x" });
  server.answer((await server.next()).id, { content: [] });
  expect(await call).toEqual({ content: [], resultType: "complete" });
});

test("an unknown resultType makes the result invalid (BASE-20, MRTR-03)", async () => {
  const { server, client } = await connected();
  const call = client.callTool({ name: "x" });
  server.answer((await server.next()).id, { content: [], resultType: "task" });
  await expect(call).rejects.toThrow(InvalidMessageError);
  const list = client.listTools();
  server.answer((await server.next()).id, { resultType: "input_required", requestState: "s" });
  await expect(list).rejects.toThrow(InvalidMessageError);
});

test("a request of the server is reported and gets no response (BASE-12, BASE-13, T2)", async () => {
  const { server, errors } = await connected({ "roots/list": () => ({ roots: [] }) });
  server.ask(7, "roots/list");
  server.ask(8, "ping");
  server.ask(9, "nonsense");
  expect(await server.rest()).toEqual([]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("roots/list"),
    expect.stringContaining("ping"),
    expect.stringContaining("nonsense"),
  ]);
});

test("an unreadable message is reported and gets no response (BASE-13, STDIO-14)", async () => {
  const { server, errors } = await connected();
  const unreadable = [
    { jsonrpc: "1.0", id: 99, method: "ping" },
    { jsonrpc: "2.0", id: {}, method: "ping" },
    { jsonrpc: "2.0", id: 7, method: 5 },
    [{ jsonrpc: "2.0", id: 8, method: "ping" }],
    [],
    "ping",
  ];
  for (const value of unreadable) server.say(value);
  server.say("{");
  server.receiver.malformed({ code: -32600, problem: "too long", value: { id: 1, method: "x" } });
  expect(await server.rest()).toEqual([]);
  expect(errors).toHaveLength(unreadable.length + 2);
});

test("an aborted request is cancelled with a notification (CANC-10)", async () => {
  const { server, client } = await connected();
  const abort = new AbortController();
  const call = client.callTool({ name: "x" }, { signal: abort.signal });
  const requests = await server.next();
  abort.abort("enough");
  await expect(call).rejects.toBe("enough");
  expect(await server.next()).toEqual({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: requests.id, reason: "enough" },
  });
});

test("no notification is sent if closing the request is enough (CANC-11)", async () => {
  const gone: unknown[] = [];
  class Letting extends RawPeer {
    readonly hooks = {
      stateless: {
        send: (message: Message) => this.send(message),
        cancel: (id: unknown) => gone.push(id) > 0,
      },
    };
  }
  const { server, client } = await connected({}, {}, new Letting());
  const call = client.callTool({ name: "x" }, { timeout: 1 });
  const requests = await server.next();
  await expect(call).rejects.toThrow("within 1 ms");
  expect(gone).toEqual([requests.id]);
  expect(await server.rest()).toEqual([]);
});
