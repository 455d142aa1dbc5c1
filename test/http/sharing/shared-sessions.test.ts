import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { SharedSessions } from "../../../runtime/http/server/sharing/index.js";
import { answerIn, EventReader, initialize, tool, type Wire } from "../server/serve.js";
import { instances, REVISIONS, RoamingClient, Shared } from "./support/instances.js";
import { eventually } from "../../support/eventually.js";

const subscribe = (id: number, method: string) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { uri: "news:///all" },
});
const progressing = { progressToken: "p" };

const authenticate = (request: { header(name: string): string | undefined }) => ({
  principal: request.header("authorization") ?? "nobody",
});

describe.each(REVISIONS)("a session that instances share, at %s", (revision) => {
  it("continues at each of them", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    for (const index of [0, 1, 2, 0]) {
      const { result } = await client.at(index).call(index, "tools/call", {
        name: "echo",
        arguments: { text: `at ${index}` },
      });
      expect(result.content[0].text).toBe(`at ${index}`);
    }
    expect(all.map(({ handler }) => handler.sessions)).toEqual([1, 1, 1]);
  });

  it("receives responses at the instance that sent the requests", async () => {
    const client = await new RoamingClient(instances(3)).open(revision);
    const reader = new EventReader(await client.at(0).post(tool(1, "ask")));
    const question: Wire = await reader.message();
    expect(question.method).toBe("roots/list");
    const answer = { jsonrpc: "2.0", id: question.id, result: { roots: [{ uri: "file:///a" }] } };
    expect((await client.at(2).post(answer)).status).toBe(202);
    expect((await reader.message()).result.content[0].text).toBe("1");
  });

  it("receives its client's progress at the instance that sent the request", async () => {
    const client = await new RoamingClient(instances(3)).open(revision);
    const reader = new EventReader(await client.at(0).post(tool(1, "ask-for-long")));
    const { id, params }: Wire = await reader.message();
    const { progressToken } = params["_meta"];
    for (const progress of [1, 2]) {
      const notifications = { progressToken, progress };
      const method = "notifications/progress";
      const response = await client
        .at(progress)
        .post({ jsonrpc: "2.0", method, params: notifications });
      expect(response.status).toBe(202);
    }
    await client.at(2).post({ jsonrpc: "2.0", id, result: { roots: [] } });
    expect((await reader.message()).result.content[0].text).toBe("1 2");
  });

  it("cancels a request at whichever instance runs it", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    const reader = new EventReader(await client.at(1).post(tool(5, "wait", {}, progressing)));
    await reader.message();
    const params = { requestId: 5, reason: "no longer needed" };
    await client.at(2).post({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await expect.poll(() => all[1]!.aborted).toEqual(["wait"]);
  });

  it("ends everywhere, with all its running requests", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    const reader = new EventReader(await client.at(0).post(tool(5, "wait", {}, progressing)));
    await reader.message();
    const listening = new EventReader(await client.at(2).get());
    expect((await client.at(1).delete()).status).toBe(200);
    await expect.poll(() => all[0]!.aborted).toEqual(["wait"]);
    expect(await reader.message()).toMatchObject({ id: 5, error: { code: -32603 } });
    expect([await reader.message(), await listening.message()]).toEqual([undefined, undefined]);
    for (const index of [0, 1, 2]) {
      expect((await client.at(index).post(tool(6, "echo", { text: "" }))).status).toBe(404);
    }
    expect(all.map(({ handler }) => handler.sessions)).toEqual([0, 0, 0]);
  });

  it("ends once, for its owner, and when it is idle", async () => {
    const all = instances(2, {
      shared: new Shared(memoryStores({ sessionTtl: 200 })),
      http: { authenticate },
    });
    const clients = [
      await new RoamingClient(all, { Authorization: "ada" }).open(revision),
      await new RoamingClient(all, { Authorization: "ada" }).open(revision),
    ];
    const [one, other] = clients as [RoamingClient, RoamingClient];
    expect((await one.at(1).delete({ Authorization: "eve" })).status).toBe(404);
    const ends = await Promise.all([one.at(0).delete(), one.at(1).delete()]);
    expect(ends.map(({ status }) => status).toSorted()[0]).toBe(200);
    expect((await one.at(0).delete()).status).toBe(404);
    await sleep(300);
    expect((await other.at(1).post(tool(1, "echo", { text: "" }))).status).toBe(404);
  });

  it("has the log level that was set at one of them", async () => {
    const client = await new RoamingClient(instances(3)).open(revision);
    const logs = async (index: number): Promise<number> => {
      const response = await client.at(index).post(tool(1, "log"));
      return (await response.text()).split("in detail").length - 1;
    };
    expect(await logs(1)).toBe(0);
    await client.at(0).call(2, "logging/setLevel", { level: "debug" });
    expect([await logs(0), await logs(1), await logs(2)]).toEqual([1, 1, 1]);
    await client.at(2).call(3, "logging/setLevel", { level: "error" });
    expect([await logs(0), await logs(1), await logs(2)]).toEqual([0, 0, 0]);
  });

  it("receives each change notification once, until it unsubscribes at any of them", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    await client.at(0).post(subscribe(1, "resources/subscribe"));
    const reader = new EventReader(await client.at(1).get());
    await client.at(2).call(2, "tools/call", { name: "echo", arguments: { text: "" } });
    for (const [index, { server }] of all.entries()) server.resourceUpdated(`news:///all/${index}`);
    const received = [await reader.message(), await reader.message(), await reader.message()];
    const uris = received.map(({ params }) => params.uri).toSorted();
    expect(uris).toEqual(["news:///all/0", "news:///all/1", "news:///all/2"]);
    await client.at(2).post(subscribe(3, "resources/unsubscribe"));
    await sleep(20);
    for (const { server } of all) server.resourceUpdated("news:///all/unheard");
    all[1]!.server.registerTool("another", {}, () => "");
    expect(await reader.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    await reader.cancel();
  });

  it("moves its stream to where its client listens now, and loses nothing in between", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    await client.at(0).post(subscribe(1, "resources/subscribe"));
    const seen: string[] = [];
    let last: string | undefined;
    for (let turn = 0; turn < 6; turn++) {
      const fields = last === undefined ? {} : { "Last-Event-ID": last };
      const reader = new EventReader(await client.at(turn % 3).get(fields));
      all[(turn + 1) % 3]!.server.resourceUpdated(`news:///all/${2 * turn}`);
      for (let event = await reader.next(); event; event = await reader.next()) {
        last = event.id ?? last;
        if (!event.data) continue;
        seen.push(JSON.parse(event.data).params.uri);
        if (seen.length === 2 * turn + 1) break;
      }
      await reader.cancel();
      all[turn % 3]!.server.resourceUpdated(`news:///all/${2 * turn + 1}`);
    }
    const expected = Array.from({ length: 11 }, (_, index) => `news:///all/${index}`);
    expect(seen).toEqual(expected);
  });

  it("is refused to any other sender, at each of them", async () => {
    const all = instances(2, { http: { authenticate } });
    const client = await new RoamingClient(all, { Authorization: "ada" }).open(revision);
    for (const index of [0, 1]) {
      const foreign = await client.at(index).post(tool(1, "echo", { text: "" }), {
        Authorization: "eve",
      });
      expect(foreign.status).toBe(404);
      expect((await client.at(index).post(tool(2, "echo", { text: "" }))).status).toBe(200);
    }
  });

  it("survives its removal from an instance that is full", async () => {
    const all = instances(2, { http: { maxSessions: 1 } });
    const clients = [];
    for (let count = 0; count < 4; count++) {
      clients.push(await new RoamingClient(all).open(revision));
    }
    for (const client of clients) {
      for (const index of [0, 1]) {
        expect((await client.at(index).call(1, "ping")).result).toEqual({});
      }
    }
    expect(all.map(({ handler }) => handler.sessions)).toEqual([1, 1]);
  });

  it("is loaded once by an instance, though two requests need it there", async () => {
    const all = instances(3);
    const client = await new RoamingClient(all).open(revision);
    const calls = [1, 2, 3].map((id) => client.at(2).call(id, "ping"));
    expect((await Promise.all(calls)).map(({ result }) => result)).toEqual([{}, {}, {}]);
    expect(all[2]!.server.server.sessions.size).toBe(1);
  });
});

describe("an instance that is gone while it handles a request", () => {
  it("leads to one error for its client, and its late response reaches no one", async () => {
    const shared = new Shared();
    const all = instances(3, { shared, lease: 300 });
    const client = await new RoamingClient(all).open("2025-11-25");
    const first = new EventReader(await client.at(0).post(tool(9, "wait", {}, progressing)));
    await first.next();
    const { id } = (await first.next())!;
    await first.cancel();
    shared.dead.add(all[0]!.sessions.instance);
    const again = new EventReader(await client.at(1).get({ "Last-Event-ID": id! }));
    const notified: Wire = await again.message();
    expect(notified).toMatchObject({ id: 9, error: { code: -32603 } });
    expect(await again.rest()).toEqual([]);
    shared.dead.clear();
    all[0]!.gate.open();
    await sleep(50);
    const last = new EventReader(await client.at(2).get({ "Last-Event-ID": id! }));
    expect([await last.message(), await last.rest()]).toEqual([notified, []]);
  });

  it("sends the errors to its clients itself, if it closes in the middle of their requests", async () => {
    const all = instances(2);
    const client = await new RoamingClient(all).open("2025-11-25");
    const first = new EventReader(await client.at(0).post(tool(9, "wait", {}, progressing)));
    await first.next();
    const { id } = (await first.next())!;
    await first.cancel();
    await all[0]!.handler.close(0);
    const again = new EventReader(await client.at(1).get({ "Last-Event-ID": id! }));
    expect(await again.message()).toMatchObject({ id: 9, error: { code: -32603 } });
  });
});

describe("stores that are unavailable", () => {
  it("make every request fail with 503 and Retry-After, reported once, until they are back", async () => {
    const shared = new Shared();
    const all = instances(2, { shared });
    const client = await new RoamingClient(all).open("2025-06-18");
    shared.isAway = true;
    const refused = [
      await client.at(0).post(tool(1, "echo", { text: "" })),
      await client.at(1).get(),
      await client.at(1).delete(),
      await new RoamingClient(all).at(0).post(initialize("2025-06-18")),
    ];
    for (const response of refused) {
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(await response.text()).not.toContain("redis.internal");
    }
    expect(all.map(({ errors }) => errors.length)).toEqual([1, 1]);
    expect((await all[0]!.handler.health()).isReady).toBe(false);
    shared.isAway = false;
    expect((await client.at(0).post(tool(1, "echo", { text: "" }))).status).toBe(200);
    expect((await all[0]!.handler.health()).isReady).toBe(true);
  });

  it("include stores that do not respond in time", async () => {
    const shared = new Shared();
    const all = instances(2, { shared });
    const client = await new RoamingClient(all).open("2025-06-18");
    shared.isSilent = true;
    const refused = await Promise.all([
      client.at(0).post(tool(1, "echo", { text: "" })),
      client.at(1).get(),
      client.at(1).delete(),
      new RoamingClient(all).at(0).post(initialize("2025-06-18")),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    shared.isSilent = false;
    expect((await client.at(0).post(tool(1, "echo", { text: "" }))).status).toBe(200);
  });

  it("lose no pending response: its client receives an error once they are back", async () => {
    const shared = new Shared();
    const all = instances(2, { shared, lease: 300 });
    const client = await new RoamingClient(all).open("2025-11-25");
    const first = new EventReader(await client.at(0).post(tool(9, "wait", {}, progressing)));
    await first.next();
    const { id } = (await first.next())!;
    shared.isAway = true;
    all[0]!.gate.open();
    await first.rest();
    shared.isAway = false;
    const again = new EventReader(await client.at(1).get({ "Last-Event-ID": id! }));
    expect(await again.message()).toMatchObject({ id: 9, error: { code: -32603 } });
    expect(await again.rest()).toEqual([]);
  });
});

describe("an instance that closes", () => {
  it("answers pending requests, and its sessions continue elsewhere", async () => {
    const all = instances(2);
    const client = await new RoamingClient(all).open("2025-11-25");
    const waiting = client.at(0).post(tool(1, "wait"));
    await expect.poll(() => all[0]!.called).toEqual(["wait"]);
    const closing = all[0]!.handler.close(5000);
    all[0]!.gate.open();
    const { result } = await answerIn(await waiting);
    expect(result.content[0].text).toBe("waited");
    await closing;
    expect((await client.at(1).call(2, "ping")).result).toEqual({});
    expect((await client.at(0).post(tool(3, "echo", { text: "" }))).status).toBe(503);
  });

  it("leaves the undelivered messages to the others", async () => {
    const all = instances(2);
    const client = await new RoamingClient(all).open("2025-11-25");
    await client.at(0).post(subscribe(1, "resources/subscribe"));
    all[0]!.server.resourceUpdated("news:///all/last");
    await sleep(0);
    await all[0]!.handler.close(1000);
    const reader = new EventReader(await client.at(1).get());
    expect((await reader.message()).params.uri).toBe("news:///all/last");
    await reader.cancel();
  });

  it("rejects a second handler for its shared sessions", () => {
    const [one] = instances(1);
    expect(() => one!.sessions.join({} as never)).toThrow("create new SharedSessions()");
  });
});

describe("a batch", () => {
  it("is split: responses go to the instance that sent the requests, requests are handled here", async () => {
    const client = await new RoamingClient(instances(2)).open("2025-03-26");
    const reader = new EventReader(await client.at(0).post(tool(1, "ask")));
    const question: Wire = await reader.message();
    const answer = { jsonrpc: "2.0", id: question.id, result: { roots: [] } };
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    expect(await answerIn(await client.at(1).post([answer, ping]))).toEqual([
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
    expect((await reader.message()).result.content[0].text).toBe("0");
    const second = new EventReader(await client.at(0).post(tool(3, "ask")));
    const more = { jsonrpc: "2.0", id: (await second.message()).id, result: { roots: [] } };
    expect((await client.at(1).post([more])).status).toBe(202);
    expect((await second.message()).result.content[0].text).toBe("0");
  });
});

it.each([undefined, {}, { sessions: memoryStores().sessions }])(
  "SharedSessions names the valid options if it receives %o",
  (stores) => {
    const made = () => new SharedSessions(stores as never);
    expect(made).toThrow(
      new TypeError(
        "SharedSessions needs { sessions, streams, mail }, such as redis(client) or memoryStores()",
      ),
    );
  },
);

describe("limits of what a session stores", () => {
  it("apply to stored messages, so that a long one does not displace the others", async () => {
    const stores = memoryStores();
    const kept: string[] = [];
    const { remember } = stores.sessions;
    stores.sessions.remember = (id, message, most) => {
      kept.push(message);
      return remember.call(stores.sessions, id, message, most);
    };
    const client = await new RoamingClient(instances(2, { shared: new Shared(stores) })).open(
      "2025-06-18",
    );
    const long = `news:///${"x".repeat(390_000)}`;
    for (const uri of [long, `${long}y`, "news:///short"]) {
      const params = { uri };
      await client
        .at(0)
        .post({ jsonrpc: "2.0", id: uri.length, method: "resources/subscribe", params });
    }
    expect(kept.map((text) => text.length < 100_000)).toEqual([true, false, true]);
  });

  it("let an instance close once its store calls are done, so that the stores may close then", async () => {
    const stores = memoryStores();
    const read = stores.streams.read.bind(stores.streams);
    let reading = 0;
    stores.streams.read = async (...given) => {
      reading += 1;
      await sleep(50);
      reading -= 1;
      return read(...given);
    };
    const all = instances(1, { shared: new Shared(stores) });
    const client = await new RoamingClient([all[0]!, all[0]!]).open("2025-06-18");
    void client.at(0).get();
    await eventually(() => expect(reading).toBe(1));
    const { handler } = all[0]!;
    await Promise.race([handler.close(0), handler.close(0)]);
    expect(reading).toBe(0);
  });

  it("delay the close of an instance for a limited time, whatever its stores do", async () => {
    const stores = memoryStores();
    const all = instances(1, { shared: new Shared(stores) });
    await new RoamingClient([all[0]!, all[0]!]).open("2025-06-18");
    stores.mail.leave = () => new Promise(() => {});
    await all[0]!.handler.close(0);
  });
});
