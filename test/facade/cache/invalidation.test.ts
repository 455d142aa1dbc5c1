import { describe, expect, it } from "vitest";
import { RpcError } from "../../../runtime/wire/errors.js";
import { Cached, list, sessionOf } from "./support/cached.js";

const everything: readonly [string, object?][] = [
  ["tools/list"],
  ["tools/list", { cursor: "2" }],
  ["prompts/list"],
  ["resources/list"],
  ["resources/templates/list"],
  ["resources/read", { uri: "file:///a" }],
  ["resources/read", { uri: "file:///b" }],
];

async function filled(): Promise<Cached> {
  const cached = new Cached(() => list(60_000));
  for (const [method, params] of everything) await cached.ask(method, params);
  cached.asked.length = 0;
  return cached;
}

/** Sends all requests again and returns those that were no longer in the cache. */
async function lost(cached: Cached): Promise<unknown[]> {
  for (const [method, params] of everything) await cached.ask(method, params);
  return cached.asked.map(({ method, params }) => [method, ...(params ? [params] : [])]);
}

describe("results that the server has changed", () => {
  it.each([
    ["notifications/tools/list_changed", undefined, everything.slice(0, 2)],
    ["notifications/prompts/list_changed", {}, everything.slice(2, 3)],
    ["notifications/resources/list_changed", undefined, everything.slice(3, 5)],
    ["notifications/resources/updated", { uri: "file:///a" }, everything.slice(5, 6)],
    ["notifications/resources/updated", { uri: "file:///a/part" }, everything.slice(5, 6)],
    ["notifications/resources/updated", { uri: "file:///" }, everything.slice(5)],
    ["notifications/resources/updated", { uri: "file:///c" }, []],
    ["notifications/message", { level: "info", data: 1 }, []],
    ["acme/changed", undefined, []],
  ])(
    "are requested again after %s %j, and no others are (CACHE-09)",
    async (method, notifications, concerned) => {
      const cached = await filled();
      cached.cache.notified(method, notifications);
      expect(await lost(cached)).toEqual(concerned);
    },
  );

  it("are not stored if the change arrived during the request (CACHE-09)", async () => {
    const cached = new Cached(() => {
      cached.cache.notified("notifications/tools/list_changed", undefined);
      return list(60_000);
    });
    await cached.ask("tools/list");
    await cached.ask("tools/list");
    expect(cached.asked).toHaveLength(2);
  });

  it("are dropped with all their pages after an invalid cursor (CACHE-11)", async () => {
    const cached = await filled();
    cached.answer = () => {
      throw new RpcError(-32602, "Invalid cursor");
    };
    await expect(cached.ask("tools/list", { cursor: "3" })).rejects.toThrow("Invalid cursor");
    cached.asked.length = 0;
    cached.answer = () => list(60_000);
    expect(await lost(cached)).toEqual(everything.slice(0, 2));
  });

  it("are requested again after clear(), and over another connection", async () => {
    const cached = await filled();
    cached.cache.clear();
    expect(await lost(cached)).toEqual(everything);
    cached.asked.length = 0;
    cached.session = sessionOf();
    expect(await lost(cached)).toEqual(everything);
  });
});
