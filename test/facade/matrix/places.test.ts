import { describe, expect, test } from "vitest";
import { CASES } from "./support/cases.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const { of } = hosts();

describe.each(CASES)("requests to the user at %s over %s (T2)", (revision, wire) => {
  const knowsForms = revision >= "2025-06-18";
  const knowsPages = revision >= "2025-11-25";
  const isAlone = revision === "2026-07-28";

  test("work in prompts and resources as in tools", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
    const name = knowsForms ? "Ada" : "Nobody";
    const prompt = await speaker.call("prompts/get", { name: "asking" });
    expect(prompt.result.messages).toEqual([
      { role: "user", content: { type: "text", text: name } },
    ]);
    const resource = await speaker.call("resources/read", { uri: "asking://one" });
    expect(resource.result.contents).toMatchObject([{ uri: "asking://one", text: name }]);
    expect(speaker.rounds).toBe(isAlone ? 2 : 0);
    expect(speaker.asked).toEqual(knowsForms ? ["elicitation/create", "elicitation/create"] : []);
    expect(speaker.violations).toEqual([]);
  });

  test("open a web page only if the client supports it (X12, X13)", async () => {
    const host = await of(revision, wire);
    let requested: Record<string, unknown> = {};
    const speaker = await Speaker.over(host.link(wire), revision, {
      answers: {
        "elicitation/create": (params) => {
          requested = params;
          return { action: "accept" };
        },
      },
    });
    const result = await speaker.tool("go");
    expect(speaker.violations).toEqual([]);
    if (!knowsPages) return expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe("accept");
    expect(requested).toMatchObject({ mode: "url", url: "https://example.com/pay" });
    expect("elicitationId" in requested).toBe(!isAlone);
  });

  test("keep earlier answers if the revision sends them (T12)", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
    const context = revision >= "2025-06-18" ? { context: { arguments: { style: "terse" } } } : {};
    const { result } = await speaker.call("completion/complete", {
      ref: { type: "ref/prompt", name: "maximal" },
      argument: { name: "language", value: "" },
      ...context,
    });
    expect(result.completion.values).toContain(knowsForms ? "terse-go" : "any-go");
  });
});
