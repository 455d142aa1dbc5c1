import { expect, test } from "vitest";
import { CASES, type RevisionId } from "./support/cases.js";
import { hosts } from "./support/host.js";
import type { WireName } from "./support/link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const NEWEST = "2026-07-28";

const { start } = hosts();

interface Client {
  readonly speaker: Speaker;
  readonly user: string;
}

/** Calls everything several times, in no particular order, and checks each answer. */
async function everything({ speaker, user }: Client): Promise<void> {
  const { revision } = speaker;
  const name = revision >= "2025-06-18" ? user : "Nobody";
  const all = `ordered ${name} Paris (m) file:///work`;
  const texts: Readonly<Record<string, string>> = {
    sequence: all,
    parallel: all,
    ask: name,
    narrate: `${name} file:///work`,
    work: "done",
    array: "[1,2]",
  };
  const calls = Object.entries(texts).flatMap(([tool, text]) =>
    Array.from({ length: 3 }, async () => expect(await speaker.text(tool)).toBe(text)),
  );
  const reads = Array.from({ length: 3 }, async (_, id) => {
    const { result } = await speaker.call("resources/read", { uri: `maximal://${id}/part` });
    expect(result.contents).toMatchObject([{ text: `part ${id}` }]);
  });
  const errors = ["fail", "none", "refuse"].map(async (tool) => {
    const result = await speaker.tool(tool);
    expect(result.isError ?? result.code).toBe(tool === "none" ? -32602 : true);
  });
  await Promise.all([...calls, ...reads, ...errors]);
}

test("all revisions work over all transports at once in one process (T26)", async () => {
  const host = await start();
  const open = async (revision: RevisionId, wire: WireName, index: number): Promise<Client> => {
    const user = `user${index}`;
    const isGuest = wire === "stdio" && revision === NEWEST;
    const answers = {
      ...AGREEABLE,
      "elicitation/create": () => ({ action: "accept", content: { name: user } }),
    };
    const options = { name: `c${index}`, isGuest, answers };
    return { user, speaker: await Speaker.over(host.link(wire), revision, options) };
  };
  // A pipe can carry only one session.
  const cases = [...CASES, ...CASES, ...CASES].filter(
    ([revision, wire], index) =>
      wire !== "stdio" || revision === NEWEST || index === CASES.length - 4,
  );
  const clients = await Promise.all(
    cases.map(([revision, wire], index) => open(revision, wire, index)),
  );
  const changer = clients.at(-1)!.speaker;
  const changing = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn++) await changer.tool("change", { what: "tools" });
  };
  await Promise.all([...clients.map(everything), changing()]);
  for (const { speaker } of clients) {
    expect(speaker.violations).toEqual([]);
    const strangers = speaker.notes.filter(
      ({ message: { method } }) => speaker.isAlone && !/progress|message/.test(method),
    );
    expect(strangers).toEqual([]);
  }
  expect(clients.map(({ speaker }) => speaker.revision)).toContain("2025-11-25");
});
