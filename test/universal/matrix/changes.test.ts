import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { Speaker, type SpeakerOptions } from "./support/speaker.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const NEWEST = "2026-07-28";
const URI = "maximal://one";

const { start } = hosts();

/** Clients of all kinds, of one server at the same time, by what they are. */
async function crowd() {
  const host = await start();
  const open = (wire: "stdio" | "http" | "sse", revision: string, options: SpeakerOptions) =>
    Speaker.over(host.link(wire), revision, options);
  const listeners = async (wire: "stdio" | "http", name: string, notifications: object) => {
    const speaker = await open(wire, NEWEST, { name, isGuest: true });
    await speaker.ask("subscriptions/listen", { notifications });
    await speaker.until(({ message }) => message.method?.endsWith("acknowledged"));
    return speaker;
  };
  const sessions = {
    pipe: await open("stdio", "2025-06-18", { name: "pipe" }),
    sse: await open("sse", "2024-11-05", { name: "sse" }),
    march: await open("http", "2025-03-26", { name: "march" }),
    november: await open("http", "2025-11-25", { name: "november" }),
  };
  const subscriptions = {
    tools: await listeners("http", "tools", { toolsListChanged: true }),
    prompts: await listeners("http", "prompts", { promptsListChanged: true }),
    resource: await listeners("http", "resource", { resourceSubscriptions: [URI] }),
    piped: await listeners("stdio", "piped", {
      toolsListChanged: true,
      resourceSubscriptions: [URI],
    }),
  };
  const silent = await open("http", NEWEST, { name: "silent" });
  const all = { ...sessions, ...subscriptions, silent };
  const changer = await open("http", NEWEST, { name: "changer" });
  /** Changes something, and gives what each of them has heard of it. */
  const change = async (what: string, heardBy: readonly (keyof typeof all)[]) => {
    const before = Object.values(all).map(({ notes }) => notes.length);
    await changer.tool("change", { what });
    await Promise.all(
      heardBy.map((name) => all[name].until(() => all[name].notes.length > before[indexOf(name)]!)),
    );
    await sleep(50);
    const names = Object.keys(all) as (keyof typeof all)[];
    const news = names.map((name, index) => [name, all[name].notes.slice(before[index])] as const);
    return Object.fromEntries(
      news.filter(([, notes]) => notes.length > 0).map(([name, notes]) => [name, notes.map(shown)]),
    );
  };
  const indexOf = (name: string): number => Object.keys(all).indexOf(name);
  const check = (): void => {
    for (const speaker of [...Object.values(all), changer]) {
      expect(speaker.violations).toEqual([]);
    }
    expect(changer.notes).toEqual([]);
  };
  return { sessions, subscriptions, change, check };
}

function shown({ message: { method, params }, route: { on } }: { message: Wire; route: Wire }) {
  const tag = params?.["_meta"]?.[SUBSCRIPTION];
  const what = [method.replace("notifications/", ""), params?.uri].filter(Boolean).join(" ");
  return [what, `on ${on.split("-")[0]}`, ...(tag === undefined ? [] : [`for ${tag}`])].join(" ");
}

describe("34.2-4", () => {
  test("T6: changed tools are heard of by sessions and who has asked, on the ways of each", async () => {
    const { change, check } = await crowd();
    const heard = await change("tools", ["pipe", "sse", "march", "november", "tools", "piped"]);
    expect(heard).toEqual({
      pipe: ["tools/list_changed on pipe"],
      sse: ["tools/list_changed on stream"],
      march: ["tools/list_changed on stream"],
      november: ["tools/list_changed on stream"],
      tools: ["tools/list_changed on post tools for tools-1"],
      piped: ["tools/list_changed on pipe for piped-1"],
    });
    check();
  });

  test("T6: changed prompts and resources likewise", async () => {
    const { change, check } = await crowd();
    const sessions = ["pipe", "sse", "march", "november"] as const;
    expect(Object.keys(await change("prompts", [...sessions, "prompts"]))).toEqual([
      ...sessions,
      "prompts",
    ]);
    expect(Object.keys(await change("resources", sessions))).toEqual(sessions);
    check();
  });

  test("T8: an updated resource, by who follows it, until they do not any more", async () => {
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
    subscriptions.resource.leave("resource-1");
    await sleep(50);
    expect(Object.keys(await change(URI, ["pipe"]))).toEqual(["pipe"]);
    check();
  });
});
