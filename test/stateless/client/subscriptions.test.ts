import { expect, test } from "vitest";
import {
  InvalidMessageError,
  RequestTimeoutError,
  RpcError,
  subscribe,
} from "@mcp-codegen/runtime";
import type { Wire } from "../../engine/support/raw-peer.js";
import { type Connected, connected, KEY, withoutMeta } from "./support/raw-server.js";

const FILTER = { toolsListChanged: true, resourceSubscriptions: ["a:b"] };

async function opened({ client, server }: Connected, on?: (...received: unknown[]) => void) {
  const opening = subscribe(client, FILTER, { on });
  const requested = await server.next();
  acknowledge(server, requested.id, FILTER);
  return { requested, subscription: await opening };
}

function acknowledge(server: Connected["server"], id: unknown, notifications: object): void {
  const params = { notifications, ...tagged(id) };
  server.tell("notifications/subscriptions/acknowledged", params);
}

const tagged = (id: unknown): Wire => ({ _meta: { [KEY.subscription]: id } });

test("a subscription opens when the server has acknowledged its part of the filter (LIST-01, LIST-03, LIST-06)", async () => {
  const { client, server } = await connected();
  const opening = subscribe(client, FILTER);
  const requested = await server.next();
  expect(requested.method).toBe("subscriptions/listen");
  expect(withoutMeta(requested)).toEqual({ notifications: FILTER });
  acknowledge(server, requested.id, { toolsListChanged: true });
  const subscription = await opening;
  expect(subscription.id).toBe(requested.id);
  expect(subscription.filter).toEqual({ toolsListChanged: true });
  subscription.close();
});

test("its notifications are passed to the handlers of the client and those of the subscription (LIST-04)", async () => {
  const received: unknown[] = [];
  const all = await connected({
    "notifications/tools/list_changed": (_, { meta }) => void received.push(meta),
  });
  const { requested } = await opened(all, (...one) => received.push(one));
  all.server.tell("notifications/tools/list_changed", tagged(requested.id));
  expect(received).toEqual([
    ["notifications/tools/list_changed", tagged(requested.id)],
    { [KEY.subscription]: requested.id },
  ]);
});

test("notifications with an unknown subscription id or an id of another type are ignored (LIST-04, CANC-14)", async () => {
  const received: unknown[] = [];
  const all = await connected({
    "notifications/tools/list_changed": () => void received.push("handler"),
  });
  const { requested, subscription } = await opened(all, (...one) => received.push(one));
  all.server.tell("notifications/tools/list_changed", tagged(String(requested.id)));
  subscription.close();
  await subscription.closed;
  all.server.tell("notifications/tools/list_changed", tagged(requested.id));
  expect(received).toEqual([]);
});

test("several are open at the same time, each with its own notifications (LIST-07)", async () => {
  const received: unknown[] = [];
  const all = await connected();
  const first = await opened(all, () => received.push("first"));
  const second = await opened(all, () => received.push("second"));
  all.server.tell("notifications/tools/list_changed", tagged(second.requested.id));
  all.server.tell("notifications/tools/list_changed", tagged(first.requested.id));
  expect(received).toEqual(["second", "first"]);
});

test("closing it cancels the request (LIST-09)", async () => {
  const all = await connected();
  const { requested, subscription } = await opened(all);
  subscription.close();
  expect(await subscription.closed).toBeUndefined();
  expect(await all.server.next()).toMatchObject({
    method: "notifications/cancelled",
    params: { requestId: requested.id },
  });
});

const RESULT = (id: unknown): object => ({ resultType: "complete", ...tagged(id) });

test.each([
  ["a result", ["result"]],
  ["a notification", ["cancelled"]],
  ["a notification and a result", ["cancelled", "result"]],
  ["a result and a notification", ["result", "cancelled"]],
])("the server ends it with %s (LIST-10, CANC-12, GAP-02)", async (_, how) => {
  const all = await connected();
  const { requested, subscription } = await opened(all);
  for (const one of how) {
    if (one === "result") all.server.answer(requested.id, RESULT(requested.id));
    else all.server.tell("notifications/cancelled", { requestId: requested.id });
  }
  expect(await subscription.closed).toBeUndefined();
  expect(await all.server.rest()).toEqual([]);
  expect(all.errors).toEqual([]);
});

test("an invalid result at the end is reported as such (LIST-11)", async () => {
  const all = await connected();
  const { requested, subscription } = await opened(all);
  const cause = new Error("The stream broke");
  all.server.receiver.failed(requested.id, cause);
  expect(await subscription.closed).toBe(cause);
});

test("a server may refuse, not answer, or end a subscription before it acknowledges (LIST-14)", async () => {
  const { client, server } = await connected();
  const refused = subscribe(client, FILTER);
  server.say({
    jsonrpc: "2.0",
    id: (await server.next()).id,
    error: { code: -32601, message: "" },
  });
  await expect(refused).rejects.toThrow(RpcError);
  const ended = subscribe(client, FILTER);
  const { id } = await server.next();
  server.answer(id, RESULT(id));
  await expect(ended).rejects.toThrow(InvalidMessageError);
  const silent = subscribe(client, FILTER, { timeout: 5 });
  const requested = await server.next();
  await expect(silent).rejects.toThrow(RequestTimeoutError);
  expect((await server.next()).params.requestId).toBe(requested.id);
});

test("a signal ends it, before it opens and after", async () => {
  const { client, server } = await connected();
  const before = new AbortController();
  const opening = subscribe(client, FILTER, { signal: before.signal });
  await server.next();
  before.abort("enough");
  await expect(opening).rejects.toBe("enough");
  await server.next();
  const after = new AbortController();
  const second = subscribe(client, FILTER, { signal: after.signal });
  acknowledge(server, (await server.next()).id, FILTER);
  const { closed } = await second;
  after.abort("enough");
  expect(await closed).toBeUndefined();
});

test("a subscription has no timeout, and undeclared notifications are not requested", async () => {
  const { client, server } = await connected({}, { timeout: 5 });
  const opening = subscribe(client, { toolsListChanged: true, unknown: 1 });
  const requested = await server.next();
  acknowledge(server, requested.id, {});
  const { closed } = await opening;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await server.rest()).toEqual([]);
  await client.close();
  expect(await closed).toMatchObject({ code: "CONNECTION_CLOSED" });
});

test("an acknowledgement without any requested type is reported", async () => {
  const { server, errors } = await connected();
  acknowledge(server, "nothing", {});
  expect(errors).toHaveLength(1);
});
