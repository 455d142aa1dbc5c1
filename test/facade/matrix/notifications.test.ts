import { describe, expect, test } from "vitest";
import { CASES } from "./support/cases.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, type ReceivedMessage, Speaker } from "./support/speaker.js";

const LEVEL = "io.modelcontextprotocol/logLevel";

const { of } = hosts();

const shown = ({ message: { method, params } }: ReceivedMessage): unknown =>
  method === "notifications/progress"
    ? [params.progress, params.total, params.message]
    : [params.level, params.logger, params.data];

describe.each(CASES)("notifications at %s over %s (MATRIX-03)", (revision, wire) => {
  const isAlone = revision === "2026-07-28";
  const says = revision === "2024-11-05" ? [undefined, undefined] : ["half", "whole"];
  const progress = [
    [1, 2, says[0]],
    [2, 2, says[1]],
  ];
  const error = ["error", "work", { big: true }];
  const debug = ["debug", undefined, "small"];

  /** Calls a tool and collects the messages that the client receives in addition to the result, with their routes. */
  async function receive(meta: object | undefined, level?: string) {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision);
    if (level !== undefined) await speaker.call("logging/setLevel", { level });
    const id = await speaker.ask("tools/call", { name: "work", arguments: {}, ...meta });
    const { message } = await speaker.answerTo(id);
    expect(message.result.content).toEqual([{ type: "text", text: "done" }]);
    await speaker.call("tools/list");
    expect(speaker.violations).toEqual([]);
    const ways = speaker.notes.map(({ route }) => route.on);
    if (wire === "http") expect(new Set(ways)).toEqual(new Set(ways.map(() => `post ${id}`)));
    return speaker.notes.map(shown);
  }

  test("contain no progress without a token (T6)", async () => {
    const notified = await receive(undefined, isAlone ? undefined : "emergency");
    expect(notified).toEqual([]);
  });

  test("contain progress with the token, in the form of the revision (T6)", async () => {
    const meta = { _meta: { progressToken: "raw-token" } };
    expect(await receive(meta, isAlone ? undefined : "emergency")).toEqual(progress);
  });

  test("contain log messages at or above the client's level (T7)", async () => {
    const progressToken = "raw-token";
    const notified = [progress[0], debug, error, progress[1]];
    for (const [level, expected] of [
      ["error", notified.filter((one) => one !== debug)],
      ["debug", notified],
    ] as const) {
      const meta = isAlone ? { [LEVEL]: level, progressToken } : { progressToken };
      expect(await receive({ _meta: meta }, isAlone ? undefined : level)).toEqual(expected);
    }
  });

  test("contain the messages of `server.log` in sessions only (T7)", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision);
    const meta = isAlone ? { _meta: { [LEVEL]: "debug" } } : {};
    await speaker.call("tools/call", { name: "log-to-all", arguments: {}, ...meta });
    if (!isAlone) {
      const { route } = await speaker.until(({ message }) => message.params?.data === "to all");
      expect(route.on).toBe(wire === "stdio" ? "pipe" : "stream");
    }
    await speaker.call("tools/list");
    expect(speaker.notes).toHaveLength(isAlone ? 0 : 1);
  });
});

test.each(["2025-03-26", "2025-11-25", "2026-07-28"])(
  "tokens may be any string and any integer (%s) (T22)",
  async (revision) => {
    const host = await of(revision, "http");
    for (const progressToken of ["", "é ✓", "x".repeat(500), 0, -1, 2 ** 53 - 1]) {
      const speaker = await Speaker.over(host.link("http"), revision);
      const params = { name: "steps", arguments: {}, _meta: { progressToken } };
      await speaker.call("tools/call", params);
      const tokens = speaker.notes.map(({ message }) => message.params.progressToken);
      expect(tokens).toEqual([progressToken, progressToken]);
      expect(speaker.violations).toEqual([]);
    }
  },
);

test.each(CASES)("an unknown log level is refused at %s over %s", async (revision, wire) => {
  const host = await of(revision, wire);
  const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
  const { error } = speaker.isAlone
    ? await speaker.call("tools/list", { _meta: { [LEVEL]: "loud" } })
    : await speaker.call("logging/setLevel", { level: "loud" });
  expect(error.code).toBe(-32602);
});

test.each(CASES)(
  "notifications are sent between requests to the user, at %s over %s (T2)",
  async (revision, wire) => {
    const isAlone = revision === "2026-07-28";
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
    const meta = { progressToken: "raw-token", ...(isAlone ? { [LEVEL]: "error" } : {}) };
    const params = { name: "narrate", arguments: {}, _meta: meta };
    const { result } = await speaker.call("tools/call", params);
    const name = revision >= "2025-06-18" ? "Ada" : "Nobody";
    expect(result.content[0].text).toBe(`${name} file:///work`);
    const notified = speaker.notes.map(
      ({ message }) => message.params.progress ?? message.params.data,
    );
    // A handler starts again from the beginning with each round of answers.
    const first = [1, "before"];
    const second = [...first, 2, "between"];
    const whole = [...second, 3];
    expect(notified).toEqual(isAlone ? [...first, ...second, ...whole] : whole);
    expect(speaker.violations).toEqual([]);
  },
);

test.each(["stdio", "http"] as const)(
  "the stream of a subscription contains neither progress nor log messages (MATRIX-03, %s)",
  async (wire) => {
    const host = await of("2026-07-28", wire);
    const speaker = await Speaker.over(host.link(wire), "2026-07-28", { name: "listener" });
    const notifications = { toolsListChanged: true, resourcesListChanged: true };
    const meta = { _meta: { [LEVEL]: "debug", progressToken: "listener-0" } };
    const listen = await speaker.ask("subscriptions/listen", { notifications, ...meta });
    await speaker.until(({ message }) => message.method?.endsWith("acknowledged"));
    await speaker.tool("work");
    await speaker.tool("log-to-all");
    const wanting = { _meta: { [LEVEL]: "debug", progressToken: "listener-1" } };
    const work = await speaker.ask("tools/call", { name: "work", arguments: {}, ...wanting });
    await speaker.answerTo(work);
    await speaker.tool("change", { what: "tools" });
    await speaker.until(({ message }) => message.method?.endsWith("list_changed"));
    const methods = speaker.notes.map(({ message }) =>
      message.method.replace("notifications/", ""),
    );
    expect(methods).toEqual([
      "subscriptions/acknowledged",
      "progress",
      "message",
      "message",
      "progress",
      "tools/list_changed",
    ]);
    if (wire === "http") {
      const ways = speaker.notes.map(({ route }) => route.on);
      expect(ways).toEqual([listen, work, work, work, work, listen].map((id) => `post ${id}`));
    }
    expect(speaker.violations).toEqual([]);
  },
);
