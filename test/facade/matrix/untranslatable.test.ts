import { describe, expect, test } from "vitest";
import { until } from "../../behaviour/support/until.js";
import { CASES } from "./support/cases.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, Refusal, Speaker } from "./support/speaker.js";

const { start, of } = hosts();

describe.each(CASES)("limits of translation at %s over %s", (revision, wire) => {
  const isAlone = revision === "2026-07-28";

  test("changed roots are notified in sessions only (X2)", async () => {
    const host = await start();
    const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
    await speaker.say({
      method: "notifications/roots/list_changed",
      params: speaker.enveloped({}),
    });
    const seen = () => speaker.text("witness", { label: "roots" });
    if (isAlone) expect(await seen()).toBe("");
    else await until("the notification", async () => (await seen()) === "changed", seen);
  });

  test("a server can ping a client in a session only (X3)", async () => {
    const host = await of(revision, wire);
    const answers = { ping: () => ({}) };
    const speaker = await Speaker.over(host.link(wire), revision, { answers });
    expect(await speaker.text("ping")).toBe(isAlone ? "CapabilityError" : "answered");
    expect(speaker.asked).toEqual(isAlone ? [] : ["ping"]);
    expect(speaker.violations).toEqual([]);
  });

  test("a client can refuse a request in sessions only (X11)", async () => {
    const host = await of(revision, wire);
    const answers = { "sampling/createMessage": () => new Refusal(-1, "User said no") };
    if (isAlone) {
      const speaker = await Speaker.over(host.link(wire), revision, { answers });
      const id = await speaker.ask("tools/call", { name: "ask-in-vain", arguments: {} });
      const { message } = await speaker.answerTo(id);
      expect(message.result.resultType).toBe("input_required");
      return;
    }
    const speaker = await Speaker.over(host.link(wire), revision, { answers });
    expect(await speaker.text("ask-in-vain")).toMatch(/^refused: .*User said no/);
    expect(speaker.violations).toEqual([]);
  });

  test("audio is never sent to a model of 2024-11-05 (X14)", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
    const result = await speaker.tool("hear");
    expect([result.isError, speaker.asked.length]).toEqual(
      revision === "2024-11-05" ? [true, 0] : [undefined, 1],
    );
    expect(speaker.violations).toEqual([]);
  });

  test("a task requested from a server without tasks returns the plain result (X9, X19)", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
    const params = { name: "work", arguments: {}, task: { ttl: 60_000 } };
    const { result } = await speaker.call("tools/call", params);
    expect(result.content).toEqual([{ type: "text", text: "done" }]);
    expect(result.task).toBeUndefined();
  });
});
