import { describe, expect, test } from "vitest";
import { CASES } from "./support/cases.js";
import { type Host, hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const { of, start } = hosts();

describe.each(CASES)("requests to the user at %s over %s (MATRIX-02)", (revision, wire) => {
  const knowsForms = revision >= "2025-06-18";
  const questions = [
    ...(knowsForms ? ["elicitation/create"] : []),
    "roots/list",
    "sampling/createMessage",
  ];

  test.each([
    ["sequence", knowsForms ? 3 : 2],
    ["parallel", 1],
  ])("lead to one result in %s (T2)", async (tool, rounds) => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
    const name = knowsForms ? "Ada" : "Nobody";
    expect(await speaker.text(tool)).toBe(`ordered ${name} Paris (m) file:///work`);
    expect(speaker.asked.toSorted()).toEqual(questions);
    expect(speaker.rounds).toBe(speaker.isAlone ? rounds : 0);
    expect(speaker.violations).toEqual([]);
  });
});

describe("the state between rounds (MATRIX-02)", () => {
  const NEWEST = "2026-07-28";
  const options = { answers: AGREEABLE };

  /** Completes a sender's first round and returns the request for the second. */
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
    ["truncated", (state: string) => state.slice(0, 20)],
    ["invented", () => "e30"],
    ["empty", () => ""],
  ])("is refused if it was %s (T2)", async (_, change) => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence");
    const requestState = change(second.requestState);
    const { error } = await speaker.call("tools/call", { ...second, requestState });
    expect(error).toMatchObject({ code: -32602 });
    const { result } = await speaker.call("tools/call", second);
    expect(result.content[0].text).toBe("ordered Ada Paris (m) file:///work");
  });

  test("is refused if the client took too long (T2)", async () => {
    const host = await start(50);
    const { speaker, second } = await halfway(host, "sequence");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await speaker.call("tools/call", second)).error.code).toBe(-32602);
  });

  test.each([
    ["another sender", "ada", "bob"],
    ["nobody", "ada", undefined],
    ["a sender, if it was issued to an anonymous one", undefined, "ada"],
  ])("is refused from %s (T2)", async (_, first, then) => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence", first);
    const thief = await Speaker.over(host.link("http", then), NEWEST, options);
    expect((await thief.call("tools/call", second)).error.code).toBe(-32602);
    expect((await speaker.call("tools/call", second)).result.content[0].text).toContain("Paris");
  });

  test("is refused for another tool and for other arguments (T2)", async () => {
    const host = await of(NEWEST, "http");
    const { speaker, second } = await halfway(host, "sequence");
    for (const other of [{ name: "parallel" }, { arguments: { more: 1 } }]) {
      const { error } = await speaker.call("tools/call", { ...second, ...other });
      expect(error.code).toBe(-32602);
    }
  });

  test("is refused over a transport without identities (T2)", async () => {
    const host = await of(NEWEST, "http");
    const { second } = await halfway(host, "parallel", "ada");
    const piped = await Speaker.over(host.link("stdio"), NEWEST, options);
    expect((await piped.call("tools/call", second)).error.code).toBe(-32602);
  });

  test("is the same over any transport (STATE-02)", async () => {
    const host = await of(NEWEST, "http");
    const { second } = await halfway(host, "parallel");
    const piped = await Speaker.over(host.link("stdio"), NEWEST, options);
    expect((await piped.call("tools/call", second)).result.content[0].text).toBe(
      "ordered Ada Paris (m) file:///work",
    );
  });
});
