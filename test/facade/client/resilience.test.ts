import { expect, test, vi } from "vitest";
import { type EraCache, MemoryEraCache } from "@mcp-codegen/runtime/facade/client";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import { event, serve, stream } from "../../http/client/support/mcp-server.js";
import type { RawPeer, Wire } from "../../engine/support/raw-peer.js";
import { KEY } from "../../stateless/client/support/raw-server.js";
import { connect, scripted, scriptedSession } from "./support/connecting.js";
import { talkativeServer } from "./support/talkative-server.js";
import { eventually } from "../../support/eventually.js";

const quick: ConnectOptions = { relisten: { initialDelay: 1, maxDelay: 5 } };

async function agree(server: RawPeer): Promise<Wire> {
  const { id, params } = await server.next();
  const tag = { [KEY.subscription]: id };
  const { notifications } = params;
  server.tell("notifications/subscriptions/acknowledged", { notifications, _meta: tag });
  return tag;
}

function refuse(server: RawPeer, id: unknown, code: number, data?: object): void {
  server.say({ jsonrpc: "2.0", id, error: { code, message: "no", ...(data && { data }) } });
}

test("the era that a client of some revisions detects does not bind others (ERA-12)", async () => {
  const handler = createHttpHandler(talkativeServer());
  const fetch = (url: URL, init: RequestInit): Promise<Response> => handler(new Request(url, init));
  const eras: EraCache = new MemoryEraCache();
  const visit = async (options: ConnectOptions): Promise<string> =>
    (await connect("http://localhost/", { eras, http: { fetch }, ...options })).era;
  expect(await visit({ revisions: revisions.slice(1) })).toBe("session");
  expect(await visit({ probeTimeout: 0 })).toBe("session");
  expect(await visit({})).toBe("stateless");
});

test("a subscription that a busy server refuses is retried, and reported once (LIST-11)", async () => {
  const { client, server, errors } = await scripted(quick);
  const received: string[] = [];
  client.on("toolsChanged", () => received.push("tools"));
  for (let time = 0; time < 3; time += 1) refuse(server, (await server.next()).id, -32603);
  const tag = await agree(server);
  server.tell("notifications/tools/list_changed", { _meta: tag });
  expect(received).toEqual(["tools"]);
  expect(errors).toMatchObject([{ code: -32603 }]);
});

test("a resource that a server no longer sends notification for is named (LIST-06)", async () => {
  const { client, server, errors } = await scripted(quick);
  const subscribing = client.subscribe("a:b");
  await agree(server);
  await subscribing;
  client.on("toolsChanged", () => {});
  const { id } = await server.next();
  const tag = { [KEY.subscription]: id };
  const notifications = { toolsListChanged: true };
  server.tell("notifications/subscriptions/acknowledged", { notifications, _meta: tag });
  await eventually(() => expect(errors).toMatchObject([{ code: "CAPABILITY" }]));
  expect(errors[0]!.message).toContain("a:b");
});

test("a resource cannot be subscribed to after the connection has closed (T8)", async () => {
  const one = await scripted();
  await one.client.close();
  const closed = { code: "CONNECTION_CLOSED" };
  await expect(one.client.subscribe("a:b")).rejects.toMatchObject(closed);
  const other = await scripted();
  const subscribing = other.client.subscribe("a:b");
  other.server.receiver.closed();
  await expect(subscribing).rejects.toMatchObject(closed);
});

test("handlers of the user see current events and an invalidated cache (CACHE-09)", async () => {
  const received: string[] = [];
  const { client, server } = await scripted({
    handlers: {
      "notifications/tools/list_changed": async () => {
        received.push("handler");
        await client.listTools();
      },
    },
  });
  client.on("toolsChanged", () => received.push("event"));
  const tag = await agree(server);
  const list = client.listTools();
  server.answer((await server.next()).id, { tools: [], ttlMs: 60_000 });
  await list;
  server.tell("notifications/tools/list_changed", { _meta: tag });
  const again = await server.next();
  expect(again.method).toBe("tools/list");
  expect(received).toEqual(["event", "handler"]);
  server.answer(again.id, { tools: [] });
});

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

test("a list is fetched from its beginning after an invalid cursor (CACHE-11)", async () => {
  const { client, server } = await scripted();
  const first = client.listTools();
  server.answer((await server.next()).id, {
    tools: [tool("old")],
    ttlMs: 60_000,
    nextCursor: "gone",
  });
  server.answer((await server.next()).id, { tools: [] });
  await first;
  const second = client.listTools();
  const next = await server.next();
  expect(next.params.cursor).toBe("gone");
  refuse(server, next.id, -32602);
  const anew = await server.next();
  expect(anew.params.cursor).toBeUndefined();
  server.answer(anew.id, { tools: [tool("new")] });
  expect((await second).tools).toMatchObject([{ name: "new" }]);
  const third = client.listTools();
  refuse(server, (await server.next()).id, -32602);
  await expect(third).rejects.toMatchObject({ code: -32602 });
  expect(await server.rest()).toEqual([]);
});

test("a client that cannot open pages passes on the error -32042 unchanged", async () => {
  const form = vi.fn();
  const { client, server } = await scriptedSession({ onElicit: { form } });
  const call = client.callTool("x");
  const page = { mode: "url", message: "m", url: "https://a.example/", elicitationId: "1" };
  refuse(server, (await server.next()).id, -32042, { elicitations: [page] });
  await expect(call).rejects.toMatchObject({ code: -32042 });
  expect(form).not.toHaveBeenCalled();
});

test("a server cannot have a request repeated without a delay (-32042)", async () => {
  const { client, server } = await scriptedSession({ onElicit: () => ({ action: "accept" }) });
  const abort = new AbortController();
  const call = client.callTool("x", {}, { signal: abort.signal });
  const page = { mode: "url", message: "m", url: "https://a.example/", elicitationId: "1" };
  const refuseAndComplete = async ({ id }: Wire): Promise<Wire[]> => {
    refuse(server, id, -32042, { elicitations: [page] });
    const before = await server.rest();
    server.tell("notifications/elicitation/complete", { elicitationId: "1" });
    return [...before, ...(await server.rest())];
  };
  const [again, ...others] = await refuseAndComplete(await server.next());
  expect([again?.method, others]).toEqual(["tools/call", []]);
  expect(await refuseAndComplete(again)).toEqual([]);
  abort.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});

test("an unknown revision is compared with all known ones (VER-03)", async () => {
  const connecting = connect("http://server.example/", {
    http: {
      fetch: async (_, { body }) => {
        const { id } = JSON.parse(body as string);
        const error = { code: -32022, message: "no", data: { supported: ["2099-01-01"] } };
        return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
      },
    },
  });
  await expect(connecting).rejects.toMatchObject({
    offered: revisions.map(({ id }) => id),
    supported: ["2099-01-01"],
  });
});

test.each([
  ["cannot be resumed", undefined, ["stale"]],
  ["was resumed", "1", []],
])(
  "changes in a session may be missed if its stream was interrupted and %s (T8)",
  async (_, eventId, expected) => {
    let streams = 0;
    const notification = { jsonrpc: "2.0", method: "notifications/message" };
    const server = await serve({
      on: {
        GET: (_seen, response) => {
          streams += 1;
          const sent = { ...notification, params: { level: "info", data: streams } };
          stream(response, event(sent, eventId));
          if (streams === 1) response.end();
        },
      },
    });
    const client = await connect(server.url, {
      http: { reconnect: { initialDelay: 20 } },
      probeTimeout: 0,
    });
    const stale: string[] = [];
    const logged: unknown[] = [];
    client.on("stale", () => stale.push("stale"));
    client.on("log", ({ data }) => logged.push(data));
    await server.nth("GET", 2);
    await eventually(() => expect(logged).toContain(2));
    expect(stale).toEqual(expected);
  },
);

test.each([null, undefined, 1, {}])("%s is not a valid target", async (target) => {
  await expect(connect(target as never)).rejects.toThrow(
    /^The target must be a URL, a command.*; headers are an option, .*await connectInMemory\(/,
  );
});
