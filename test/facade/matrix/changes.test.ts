import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hosts } from "./support/host.js";
import type { Wire, WireName } from "./support/link.js";
import { Speaker } from "./support/speaker.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const NEWEST = "2026-07-28";
const URI = "maximal://one";

const { start } = hosts();

type Open = (wire: WireName, revision: string, name: string) => Promise<Speaker>;

/** Connects clients that have sessions, each at a different revision or over a different transport. */
async function withSessions(open: Open) {
  return {
    pipe: await open("stdio", "2025-06-18", "pipe"),
    sse: await open("sse", "2024-11-05", "sse"),
    march: await open("http", "2025-03-26", "march"),
    november: await open("http", "2025-11-25", "november"),
  };
}

/** Connects clients that are subscribed to some changes. */
async function withSubscriptions(open: Open) {
  const listening = async (wire: WireName, name: string, notifications: object) => {
    const speaker = await open(wire, NEWEST, name);
    await speaker.ask("subscriptions/listen", { notifications });
    await speaker.until(({ message }) => message.method?.endsWith("acknowledged"));
    return speaker;
  };
  const resourceSubscriptions = [URI];
  return {
    tools: await listening("http", "tools", { toolsListChanged: true }),
    prompts: await listening("http", "prompts", { promptsListChanged: true }),
    resource: await listening("http", "resource", { resourceSubscriptions }),
    piped: await listening("stdio", "piped", { toolsListChanged: true, resourceSubscriptions }),
  };
}

/** Connects clients of all kinds to one server at the same time, and returns them by kind. */
async function crowd() {
  const host = await start();
  const open: Open = (wire, revision, name) =>
    Speaker.over(host.link(wire), revision, { name, isGuest: revision === NEWEST });
  const sessions = await withSessions(open);
  const subscriptions = await withSubscriptions(open);
  const all = { ...sessions, ...subscriptions, silent: await open("http", NEWEST, "silent") };
  const changer = await open("http", NEWEST, "changer");
  /** Changes something and returns the notifications that each client received. */
  const change = async (what: string, receivedBy: readonly (keyof typeof all)[]) => {
    const before = Object.values(all).map(({ notes }) => notes.length);
    const numberOf = (name: string): number => before[Object.keys(all).indexOf(name)]!;
    await changer.tool("change", { what });
    await Promise.all(
      receivedBy.map((name) => all[name].until(() => all[name].notes.length > numberOf(name))),
    );
    await sleep(50);
    const changes = Object.entries(all).map(
      ([name, { notes }]) => [name, notes.slice(numberOf(name)).map(shown)] as const,
    );
    return Object.fromEntries(changes.filter(([, notes]) => notes.length > 0));
  };
  const check = (): void => {
    for (const { violations } of [...Object.values(all), changer]) expect(violations).toEqual([]);
    expect(changer.notes).toEqual([]);
  };
  return { sessions, subscriptions, change, check };
}

function shown({ message: { method, params }, route: { on } }: { message: Wire; route: Wire }) {
  const tag = params?.["_meta"]?.[SUBSCRIPTION];
  const what = [method.replace("notifications/", ""), params?.uri].filter(Boolean).join(" ");
  return [what, `on ${on.split("-")[0]}`, ...(tag === undefined ? [] : [`for ${tag}`])].join(" ");
}

describe("change notifications (MATRIX-04)", () => {
  test("of tools are sent to sessions and subscriptions, each in its own way (T6)", async () => {
    const { change, check } = await crowd();
    const received = await change("tools", ["pipe", "sse", "march", "november", "tools", "piped"]);
    expect(received).toEqual({
      pipe: ["tools/list_changed on pipe"],
      sse: ["tools/list_changed on stream"],
      march: ["tools/list_changed on stream"],
      november: ["tools/list_changed on stream"],
      tools: ["tools/list_changed on post tools for tools-1"],
      piped: ["tools/list_changed on pipe for piped-1"],
    });
    check();
  });

  test("of prompts and resources are sent to them as well (T6)", async () => {
    const { change, check } = await crowd();
    const sessions = ["pipe", "sse", "march", "november"] as const;
    expect(Object.keys(await change("prompts", [...sessions, "prompts"]))).toEqual([
      ...sessions,
      "prompts",
    ]);
    expect(Object.keys(await change("resources", sessions))).toEqual(sessions);
    check();
  });

  test("of a resource are sent to its subscribers until they unsubscribe (T8)", async () => {
    const { sessions, subscriptions, change, check } = await crowd();
    await sessions.pipe.call("resources/subscribe", { uri: URI });
    await sessions.march.call("resources/subscribe", { uri: "maximal://other" });
    await sessions.november.call("resources/subscribe", { uri: URI });
    expect(await change(URI, ["pipe", "november", "resource", "piped"])).toEqual({
      pipe: [`resources/updated ${URI} on pipe`],
      november: [`resources/updated ${URI} on stream`],
      resource: [`resources/updated ${URI} on post resource for resource-1`],
      piped: [`resources/updated ${URI} on pipe for piped-1`],
    });
    await sessions.november.call("resources/unsubscribe", { uri: URI });
    await subscriptions.piped.cancel("piped-1");
    await subscriptions.piped.call("tools/list");
    subscriptions.resource.leave("resource-1");
    expect(Object.keys(await change(URI, ["pipe"]))).toEqual(["pipe"]);
    check();
  });
});
