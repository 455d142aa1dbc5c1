import { describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { EventReader, initialize, RawClient, tool } from "../server/serve.js";
import { instances, REVISIONS, RoamingClient, Shared } from "./support/instances.js";

const progressing = { progressToken: "p" };

describe.each(REVISIONS)("ids that a client invents, at %s", (revision) => {
  it("identify no session at any instance, and long ones are not looked up (H08)", async () => {
    const stores = memoryStores();
    const requested: string[] = [];
    const use = stores.sessions.use.bind(stores.sessions);
    stores.sessions.use = (id, known) => {
      requested.push(id);
      return use(id, known);
    };
    const all = instances(2, { shared: new Shared(stores) });
    const client = await new RoamingClient(all).open(revision);
    requested.length = 0;
    const ids = ["other", "../e", "x".repeat(257), "x".repeat(2 ** 20), "a b", "é", "__proto__"];
    for (const id of ids) {
      for (const index of [0, 1]) {
        const forged = { "Mcp-Session-Id": id };
        const posted = await client.at(index).post(tool(1, "echo", { text: "" }), forged);
        const deleted = await client.at(index).delete(forged);
        expect([posted.status, deleted.status], id.slice(0, 20)).toEqual([404, 404]);
      }
    }
    expect(new Set(requested)).toEqual(new Set(["other", "../e", "__proto__"]));
  });

  it("resume no stream of another session, and no stream that never existed (H15)", async () => {
    const all = instances(2);
    const [ours, theirs] = [
      await new RoamingClient(all).open(revision),
      await new RoamingClient(all).open(revision),
    ];
    for (const client of [ours, theirs]) {
      const reader = new EventReader(await client.at(0).post(tool(1, "wait", {}, progressing)));
      await reader.message();
    }
    const another = new EventReader(await theirs.at(0).post(tool(2, "wait", {}, progressing)));
    const { id } = (await another.next())!;
    const made = [
      id!,
      `${id}0`,
      "1_zzzzzzzzz",
      "session_zz",
      "session",
      "x".repeat(2 ** 16),
      "1_-1",
    ];
    for (const last of made) {
      for (const index of [0, 1]) {
        const response = await ours.at(index).get({ "Last-Event-ID": last });
        expect(response.status, last.slice(0, 20)).toBe(400);
      }
    }
  });
});

describe("a session past its time to live", () => {
  it("stays while its client has a stream open at another instance (H12)", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const shared = new Shared(memoryStores({ sessionTtl: 60_000 }));
    const all = instances(2, { shared });
    const client = await new RoamingClient(all).open("2025-11-25");
    const listening = await client.at(1).get();
    expect(listening.status).toBe(200);
    await vi.advanceTimersByTimeAsync(180_000);
    expect((await client.at(0).call(1, "ping")).result).toEqual({});
  });
});

it("a newSessionId result that is too long opens no session, and is reported", async () => {
  const all = instances(1, { http: { newSessionId: () => "x".repeat(257) } });
  const url = "http://localhost/mcp";
  const client = new RawClient({
    name: "web",
    url,
    handler: all[0]!.handler,
    fetch: (init) => all[0]!.handler(new Request(url, init)),
  });
  expect((await client.post(initialize("2025-11-25"))).status).toBe(500);
  expect(all[0]!.errors.map(({ message }) => message)).toEqual([
    "newSessionId: an id must have 1 to 256 visible ASCII characters",
  ]);
});
