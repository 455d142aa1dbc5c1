import { describe, expect, test } from "vitest";
import { CASES } from "./support/cases.js";
import { type Host, hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const { of, start } = hosts();

describe.each(CASES)("34.2-2: at %s over %s", (revision, wire) => {
  const knowsForms = revision >= "2025-06-18";
  const questions = [
    ...(knowsForms ? ["elicitation/create"] : []),
    "roots/list",
    "sampling/createMessage",
  ];

  test.each([
    ["sequence", knowsForms ? 3 : 2],
    ["parallel", 1],
  ])("T2: questions in %s have one result", async (tool, rounds) => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
    const name = knowsForms ? "Ada" : "Nobody";
    expect(await speaker.text(tool)).toBe(`ordered ${name} Paris (m) file:///work`);
    expect(speaker.asked.toSorted()).toEqual(questions);
    expect(speaker.rounds).toBe(speaker.isAlone ? rounds : 0);
    expect(speaker.violations).toEqual([]);
  });
});

describe("34.2-2: what is remembered between rounds", () => {
  const NEWEST = "2026-07-28";
  const options = { answers: AGREEABLE };

  /** A first round of somebody's, and what makes the second. */
  async function halfway(host: Host, tool: string, principal?: string) {
    const speaker = await Speaker.over(host.link("http", principal), NEWEST, options);
    const params = { name: tool, arguments: {} };
    const { message } = await speaker.answerTo(await speaker.ask("tools/call", params));
    const second = { ...params, ...(speaker.answersTo(message.result) as Wire) };
    return { speaker, second };
  }

  test.each([
    [
      "tampered with",
      (state: string) => `${state.slice(0, -2)}${state.endsWith("AA") ? "BB" : "AA"}`,
    ],
    ["cut off", (state: string) => state.slice(0, 20)],
    ["made up", () => "e30"],
    ["empty", () => ""],
  ])("T2: is refused when it was %s", async (_, change) => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence");
    const requestState = change(second.requestState);
    const { error } = await speaker.call("tools/call", { ...second, requestState });
    expect(error).toMatchObject({ code: -32602 });
    const { result } = await speaker.call("tools/call", second);
    expect(result.content[0].text).toBe("ordered Ada Paris (m) file:///work");
  });

  test("T2: is refused when the client took too long", async () => {
    const host = await start(50);
    const { speaker, second } = await halfway(host, "sequence");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await speaker.call("tools/call", second)).error.code).toBe(-32602);
  });

  test.each([
    ["somebody else", "ada", "bob"],
    ["nobody", "ada", undefined],
    ["somebody, when it was nobody's", undefined, "ada"],
  ])("T2: is refused when it comes from %s", async (_, first, then) => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence", first);
    const thief = await Speaker.over(host.link("http", then), NEWEST, options);
    expect((await thief.call("tools/call", second)).error.code).toBe(-32602);
    expect((await speaker.call("tools/call", second)).result.content[0].text).toContain("Paris");
  });

  test("T2: is refused for another tool and for other arguments", async () => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence");
    for (const other of [{ name: "parallel" }, { arguments: { more: 1 } }]) {
      const { error } = await speaker.call("tools/call", { ...second, ...other });
      expect(error.code).toBe(-32602);
    }
  });

  test("T2: is refused over a wire on which nobody says who they are", async () => {
    const host = await of(NEWEST, "http");
    const { second } = await halfway(host, "parallel", "ada");
    const piped = await Speaker.over(host.link("stdio"), NEWEST, options);
    expect((await piped.call("tools/call", second)).error.code).toBe(-32602);
  });

  test("STATE-02: is the same over whichever wire it comes back", async () => {
    const host = await of(NEWEST, "http");
    const { second } = await halfway(host, "parallel");
    const piped = await Speaker.over(host.link("stdio"), NEWEST, options);
    expect((await piped.call("tools/call", second)).result.content[0].text).toBe(
      "ordered Ada Paris (m) file:///work",
    );
  });
});
