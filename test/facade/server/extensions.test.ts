import { describe, expect, expectTypeOf, it } from "vitest";
import { customNotification, customRequest } from "../../../runtime/api/custom.js";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const ID = "com.example/maps";
const declared = { capabilities: { extensions: { [ID]: { level: 2 } } } };

function isPlace(value: unknown): value is { place: string } {
  return typeof (value as { place?: unknown } | undefined)?.place === "string";
}

const maps = {
  id: ID,
  requests: { "maps/find": customRequest("maps/find", { params: isPlace, result: isPlace }) },
  notifications: { "notifications/maps/moved": customNotification("notifications/maps/moved") },
};

function serverWithMaps() {
  const server = new McpServer();
  const notified: unknown[] = [];
  server.registerExtension(maps, {
    settings: { tiles: true },
    handlers: {
      "maps/find": ({ place }, ctx) => {
        expectTypeOf(place).toEqualTypeOf<string>();
        return { place: `${place} ${String(ctx.extension(ID)?.["level"])}` };
      },
      "notifications/maps/moved": (params) => void notified.push(params),
    },
  });
  server.registerTool("level", {}, (ctx) => JSON.stringify(ctx.extension(ID) ?? null));
  return { server, notified };
}

describe.each(REVISIONS)("extensions at %s", (revision) => {
  const { isAlone } = factsOf(revision);

  it("are declared, and work if both sides declare them (EXT-01, EXT-03, EXT-05)", async () => {
    const { server, notified } = serverWithMaps();
    const talk = await Talk.with(server, revision, declared);
    const { result } = isAlone ? await talk.call("server/discover") : talk.raw.received[0];
    expect(result.capabilities.extensions).toEqual({ [ID]: { tiles: true } });
    const found = await talk.call("maps/find", { place: "Rome" });
    expect(found.result).toMatchObject({ place: "Rome 2" });
    expect((await talk.call("maps/find", { place: 1 })).error.code).toBe(-32602);
    expect((await talk.tool("level")).content[0].text).toBe('{"level":2}');
    if (!isAlone) {
      talk.raw.tell("notifications/maps/moved", { x: 1 });
      await talk.notifications();
      expect(notified).toEqual([{ x: 1 }]);
    }
  });

  it("are off for clients that do not declare them (EXT-03, EXT-04)", async () => {
    const { server, notified } = serverWithMaps();
    const talk = await Talk.with(server, revision);
    const { error } = await talk.call("maps/find", { place: "Rome" });
    expect(error).toMatchObject(
      isAlone
        ? { code: -32021, data: { requiredCapabilities: { extensions: { [ID]: {} } } } }
        : { code: -32601 },
    );
    talk.raw.tell("notifications/maps/moved", { x: 1 });
    await talk.notifications();
    expect(notified).toEqual([]);
    expect((await talk.tool("level")).content[0].text).toBe("null");
  });

  it("are unknown if only the client has them", async () => {
    const server = new McpServer();
    server.registerTool("level", {}, (ctx) => JSON.stringify(ctx.extension(ID) ?? null));
    const talk = await Talk.with(server, revision, declared);
    expect((await talk.tool("level")).content[0].text).toBe("null");
    expect((await talk.call("maps/find", {})).error.code).toBe(-32601);
  });
});

describe("registering extensions", () => {
  it("rejects handlers of unknown messages", () => {
    const handlers = { "maps/other": () => ({}) } as object;
    expect(() => new McpServer().registerExtension(maps, { handlers })).toThrow(/maps\/other/);
  });

  it("rejects ids without a prefix, and duplicate ids (EXT-02)", () => {
    const server = new McpServer();
    expect(() => server.registerExtension("maps")).toThrow(/prefix/);
    server.registerExtension(ID);
    expect(() => server.registerExtension(ID)).toThrow(/already/);
    void server.server;
    expect(() => server.registerExtension("com.example/other")).toThrow(/connected/);
  });
});
