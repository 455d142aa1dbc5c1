import { afterEach, describe, expect, it } from "vitest";
import type { HandlerContext } from "../../runtime/api/handlers.js";
import { LOG_LEVELS, type LogLevel, Logging } from "../../runtime/features/index.js";
import { connect, connected, type Connected, handshakes, settled } from "./support/revisions.js";

const MESSAGE = "notifications/message";

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

const levelsOf = (messages: readonly { level: LogLevel }[]) => messages.map(({ level }) => level);

describe.each(handshakes)("logging under %s", (_id, pinned) => {
  const isLevel = (level: unknown): boolean =>
    pinned.revision.methods.get("logging/setLevel")!.params!({ level });

  it("has all levels of the revision (LOG-02)", () => {
    expect(LOG_LEVELS.filter(isLevel)).toEqual(LOG_LEVELS);
    const trace: { expected: string }[] = [];
    pinned.revision.methods.get("logging/setLevel")!.params!({ level: "?" }, trace as never);
    expect(trace[0]!.expected.match(/"/g)).toHaveLength(2 * LOG_LEVELS.length);
  });

  it("sends messages at or above the chosen level, and from info on before one is chosen (LOG-01, LOG-03, LOG-04)", async () => {
    const logging = new Logging();
    pair = await connected(pinned, { features: [logging] });
    const { client, traffic } = pair;
    expect(client.server!.capabilities).toEqual({ logging: {} });
    const logAll = async (): Promise<LogLevel[]> => {
      const before = traffic.notified(MESSAGE).length;
      for (const level of LOG_LEVELS) logging.log(level, { about: level }, "test");
      await settled();
      return levelsOf(traffic.notified(MESSAGE).slice(before));
    };
    expect(await logAll()).toEqual(LOG_LEVELS.slice(1));
    for (const [index, level] of LOG_LEVELS.entries()) {
      expect(await client.request("logging/setLevel", { level })).toEqual({});
      expect(await logAll()).toEqual(LOG_LEVELS.slice(index));
    }
    expect(traffic.notified(MESSAGE).at(-1)).toEqual({
      level: "emergency",
      logger: "test",
      data: { about: "emergency" },
    });
  });

  it("refuses an unknown level and keeps the previous one (LOG-05)", async () => {
    const logging = new Logging({ initialLevel: "error" });
    pair = await connected(pinned, { features: [logging] });
    const { client, traffic } = pair;
    for (const level of ["verbose", "__proto__", "", 3, null]) {
      const refused = client.request("logging/setLevel", { level });
      await expect(refused).rejects.toMatchObject({ code: -32602 });
    }
    logging.log("warning", "not sent");
    logging.log("error", "sent");
    await settled();
    expect(traffic.notified(MESSAGE)).toEqual([{ level: "error", data: "sent" }]);
    expect(() => logging.log("verbose" as LogLevel, "")).toThrow(TypeError);
    expect(() => new Logging({ initialLevel: "verbose" as LogLevel })).toThrow(TypeError);
    traffic.problems.length = 0;
  });

  it("belongs to the current request and precedes its response", async () => {
    const logging = new Logging();
    const listTools = (_params: unknown, context: HandlerContext): object => {
      const log = logging.for(context);
      log("info", "one", "tools");
      log("debug", "not this one");
      log("error", new Error("two"));
      log("info", undefined);
      return { tools: [] };
    };
    pair = await connected(pinned, { features: [logging], handlers: { "tools/list": listTools } });
    const { client, traffic } = pair;
    await client.request("tools/list");
    expect(traffic.notified(MESSAGE)).toEqual([
      { level: "info", logger: "tools", data: "one" },
      { level: "error", data: "Error: two" },
      { level: "info", data: null },
    ]);
    expect(traffic.sent.at(-1)!.message.result).toEqual({ tools: [] });
  });

  it("keeps the levels of sessions separate", async () => {
    const logging = new Logging();
    const info = { name: "test", version: "1" };
    const server = new pinned.Server(info, {}, { features: [logging] });
    const quiet = new pinned.Client(info, {}, {});
    const loud = new pinned.Client(info, {}, {});
    const ofQuiet = await connect(pinned.revision, quiet, server.fork());
    const ofLoud = await connect(pinned.revision, loud, server.fork());
    await quiet.request("logging/setLevel", { level: "alert" });
    await loud.request("logging/setLevel", { level: "debug" });
    logging.log("debug", "debug");
    logging.log("alert", "alert");
    await settled();
    expect(levelsOf(ofQuiet.notified(MESSAGE))).toEqual(["alert"]);
    expect(levelsOf(ofLoud.notified(MESSAGE))).toEqual(["debug", "alert"]);
    await Promise.all([quiet.close(), loud.close()]);
    logging.log("alert", "nobody is left");
  });

  it("limits its rate and reports how many messages it dropped (LOG-10)", async () => {
    const logging = new Logging();
    pair = await connected(pinned, { features: [logging] });
    for (let turn = 0; turn < 5000; turn++) logging.log("info", turn);
    await settled();
    const count = pair.traffic.notified(MESSAGE).length;
    expect(count).toBeGreaterThanOrEqual(100);
    expect(count).toBeLessThan(4000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    logging.log("info", "last");
    await settled();
    const [warning, last] = pair.traffic.notified(MESSAGE).slice(-2);
    expect(warning).toMatchObject({ level: "warning", data: expect.stringMatching(/omitted/) });
    expect(last).toEqual({ level: "info", data: "last" });
  });

  it("sends no message below the chosen level (LOG-03)", async () => {
    const logging = new Logging();
    pair = await connected(pinned, { features: [logging] });
    await pair.client.request("logging/setLevel", { level: "error" });
    for (let turn = 0; turn < 5000; turn++) logging.log("alert", turn);
    await new Promise((resolve) => setTimeout(resolve, 100));
    logging.log("alert", "last");
    await settled();
    const [note, last] = pair.traffic.notified(MESSAGE).slice(-2);
    expect(note).toMatchObject({ level: "error", data: expect.stringMatching(/omitted/) });
    expect(last).toEqual({ level: "alert", data: "last" });
  });

  it("has no limit if an option says so", async () => {
    const logging = new Logging({ limitRate: false });
    pair = await connected(pinned, { features: [logging] });
    for (let turn = 0; turn < 5000; turn++) logging.log("info", turn);
    await settled();
    expect(pair.traffic.notified(MESSAGE)).toHaveLength(5000);
  });

  it("survives data that is not JSON", async () => {
    const logging = new Logging();
    pair = await connected(pinned, { features: [logging] });
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    logging.log("info", cyclic);
    logging.log("info", 1n);
    logging.log("info", "fine");
    await settled();
    expect(pair.traffic.notified(MESSAGE)).toEqual([{ level: "info", data: "fine" }]);
    expect(pair.errors).toHaveLength(2);
  });
});
