import { describe, expect, it, vi } from "vitest";
import { memoryStores } from "@mcp-codegen/testing/stores";
import type { SharedStores } from "../../../runtime/http/server/sharing/index.js";
import { storeAccess } from "../../../runtime/http/server/sharing/instances.js";
import { Replica } from "../../../runtime/http/server/sharing/replica.js";
import type { LocalSession } from "../../../runtime/http/server/sessions/session-sharing.js";
import { InstanceEvents } from "../../../runtime/http/server/sharing/shared-streams.js";
import { ACCEPT, answerIn, EventReader, initialize, tool, type Wire } from "../server/serve.js";
import { instances, type Instance, RoamingClient, Shared } from "./support/instances.js";

const progressing = { progressToken: "p" };
const echo = tool(99, "echo", { text: "" });

/** Ways for an instance to find out that the store has lost a session. */
const findings = {
  "another request": async (client: RoamingClient) => {
    expect((await client.at(0).post(echo)).status).toBe(404);
  },
  "a notification": async (client: RoamingClient) => {
    const notification = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
    expect((await client.at(0).post(notification)).status).toBe(404);
  },
  "a GET": async (client: RoamingClient) => {
    expect((await client.at(0).get()).status).toBe(404);
  },
  "a heartbeat": async (_client: RoamingClient, one: Instance) => {
    await expect.poll(() => one.handler.sessions).toBe(0);
  },
};

async function opened(lease?: number) {
  const stores: SharedStores = memoryStores({ sessionTtl: lease ?? 60_000 });
  const ids: string[] = [];
  const { create } = stores.sessions;
  stores.sessions.create = (id, record) => {
    ids.push(id);
    return create.call(stores.sessions, id, record);
  };
  const all = instances(2, { shared: new Shared(stores), ...(lease && { lease }) });
  const client = await new RoamingClient(all).open("2025-11-25");
  const [one] = all as [Instance];
  /** Removes the session from the stores without sending a message to any instance. */
  const lose = (): Promise<boolean> => stores.sessions.end(ids[0]!);
  return { all, client, one, lose };
}

async function result(reading: Promise<Wire>): Promise<unknown> {
  return (await reading).result?.content[0].text;
}

describe.each(Object.entries(findings))("a session whose loss is found by %s", (name, find) => {
  it("answers the pending requests with their results, and rejects later ones (SESS-08, SESS-09)", async () => {
    const { client, one, lose } = await opened(name === "a heartbeat" ? 200 : undefined);
    const plain = client.at(0).post(tool(1, "wait"));
    const stream = new EventReader(await client.at(0).post(tool(2, "wait", {}, progressing)));
    expect(await stream.message()).toMatchObject({ method: "notifications/progress" });
    await expect.poll(() => one.called).toEqual(["wait", "wait"]);
    await lose();
    await find(client, one);
    for (const index of [0, 1]) expect((await client.at(index).post(echo)).status).toBe(404);
    one.gate.open();
    const response = await plain;
    expect(response.status).toBe(200);
    expect(await result(answerIn(response))).toBe("waited");
    expect(await result(stream.message())).toBe("waited");
    expect(await stream.message()).toBeUndefined();
    expect([one.called, one.aborted]).toEqual([["wait", "wait"], []]);
    await expect.poll(() => one.server.server.sessions.size).toBe(0);
  });
});

type Listen = Parameters<Replica["listen"]>;

const reader = () => ({ stop: vi.fn() });
const replica = () => new Replica({ lasting: {} } as LocalSession, {}, true);

describe("of several GETs for the messages of a session, the last one is served", () => {
  it.each([
    ["in their order", [1, 2], 2],
    ["if the store answers the later one first", [2, 1], 2],
  ])("%s", (_, numbers, served) => {
    const one = replica();
    const readers = new Map(numbers.map((number) => [number, reader()]));
    for (const [number, each] of readers) one.listen(each as unknown as Listen[0], number);
    for (const [number, { stop }] of readers)
      expect(stop).toHaveBeenCalledTimes(number === served ? 0 : 1);
  });

  it("even if another instance serves it before the earlier one begins here", () => {
    const one = replica();
    const here = reader();
    one.listensElsewhere(2);
    one.listen(here as unknown as Listen[0], 1);
    expect(here.stop).toHaveBeenCalledTimes(1);
  });
});

it("a stored session that cannot be read is reported, and does not end the process", async () => {
  const stores: SharedStores = memoryStores();
  const [one] = instances(2, { shared: new Shared(stores) }) as [Instance];
  const response = await one.handler(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: ACCEPT },
      body: JSON.stringify(initialize("2025-11-25")),
    }),
  );
  const session = response.headers.get("mcp-session-id")!;
  await stores.sessions.remember(session, "no JSON", 10);
  await stores.mail.sendAll(JSON.stringify({ kind: "changed", session }), "other");
  await expect.poll(() => one.errors).toEqual([expect.any(SyntaxError)]);
});

it("a stream that the store has lost is not created again", async () => {
  const { streams } = memoryStores();
  const events = new InstanceEvents(streams, "one", storeAccess(1_000, undefined));
  for (const name of ["lost", "kept"]) events.open("session", name, { ids: [1], isBatch: false });
  vi.spyOn(streams, "append").mockResolvedValueOnce(undefined);
  expect(await events.append("session", "lost", { index: 1, data: "{}" })).toBe("lost");
  const open = vi.spyOn(streams, "open");
  await events.renew();
  expect(open.mock.calls.map(([, stream]) => stream)).toEqual(["kept"]);
});

describe("a session that the store has lost", () => {
  it("sends no more requests to its client: their handlers throw", async () => {
    const { client, one, lose } = await opened();
    one.server.registerTool("ask late", {}, async (ctx) => {
      await one.gate.passed;
      const { roots } = await ctx.listRoots();
      return String(roots.length);
    });
    const asking = client.at(0).post(tool(1, "ask late"));
    await lose();
    expect((await client.at(0).post(echo)).status).toBe(404);
    one.gate.open();
    const answer = await answerIn(await asking);
    expect(answer.error ?? answer.result.isError).toBeTruthy();
  });

  it("is released at once if no request is pending", async () => {
    const { client, one, lose } = await opened();
    await lose();
    expect((await client.at(0).post(echo)).status).toBe(404);
    expect([one.handler.sessions, one.server.server.sessions.size]).toEqual([0, 0]);
  });

  it("answers its requests with errors if the instance closes before they end", async () => {
    const { client, one, lose } = await opened();
    const plain = client.at(0).post(tool(1, "wait"));
    await expect.poll(() => one.called).toEqual(["wait"]);
    await lose();
    expect((await client.at(0).post(echo)).status).toBe(404);
    await one.handler.close(0);
    expect(await answerIn(await plain)).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(one.aborted).toEqual(["wait"]);
  });
});

describe("an instance that closes in the middle of a request", () => {
  it.each([
    ["plain", undefined],
    ["streamed", progressing],
  ])("responds to a %s one with an error, never with 404 or 503", async (_form, meta) => {
    const { client, one } = await opened();
    const posting = client.at(0).post(tool(1, "wait", {}, meta));
    await expect.poll(() => one.called).toEqual(["wait"]);
    await one.handler.close(0);
    const response = await posting;
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});
