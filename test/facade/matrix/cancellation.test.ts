import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { until } from "../../behaviour/support/until.js";
import { CASES, REVISIONS } from "./support/cases.js";
import { hosts } from "./support/host.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const NEWEST = "2026-07-28";

const { of } = hosts();

let count = 0;

/** Starts a speaker that waits for a tool, and another one that observes the effect on the tool. */
async function waiting(revision: string, wire: "stdio" | "http" | "sse", tool: string) {
  const host = await of(revision, wire);
  const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
  const witness = await Speaker.over(host.link("http"), NEWEST, { name: "witness" });
  const label = `label-${++count}`;
  const params = { name: tool, arguments: { label } };
  const requested = await speaker.ask("tools/call", params);
  const seen = () => witness.text("witness", { label });
  await until("the tool to be called", async () => (await seen()) === "started", seen);
  const release = () => witness.text("release", { label });
  return { speaker, requested, seen, release };
}

describe.each(CASES)("cancellation at %s over %s (MATRIX-09)", (revision, wire) => {
  const isByLeaving = revision === NEWEST && wire === "http";

  test("aborts the request, which gets no response (T16)", async () => {
    const { speaker, requested, seen } = await waiting(revision, wire, "wait");
    if (isByLeaving) speaker.leave(requested);
    else await speaker.cancel(requested);
    await until("the end", async () => (await seen()) === "started,aborted", seen);
    expect(await speaker.text("work")).toBe("done");
    expect(speaker.messages.filter(({ message: { id } }) => id === requested)).toEqual([]);
    expect(speaker.violations).toEqual([]);
  });

  test("does not affect other requests (T16)", async () => {
    const { speaker, requested, seen, release } = await waiting(revision, wire, "slow");
    await speaker.cancel(isByLeaving ? requested : `${requested}0`);
    await release();
    const { message } = await speaker.answerTo(requested);
    expect(message.result.content[0].text).toBe("slow");
    expect(await seen()).toBe("started,finished");
  });
});

describe("a client that disconnects, over HTTP (MATRIX-09)", () => {
  test("cancels a stateless request (T16, SHTTP-19)", async () => {
    const { speaker, requested, seen } = await waiting(NEWEST, "http", "slow");
    speaker.leave(requested);
    await until("the end", async () => (await seen()) === "started,aborted", seen);
  });

  test.each(REVISIONS.slice(1, -1))(
    "does not cancel in a session of %s (T16)",
    async (revision) => {
      const { speaker, requested, seen, release } = await waiting(revision, "http", "slow");
      speaker.leave(requested);
      await sleep(50);
      expect(await speaker.text("work")).toBe("done");
      await release();
      await until("the end", async () => (await seen()).includes("finished"), seen);
      expect(await seen()).toBe("started,finished");
    },
  );
});

test.each([
  ["2025-06-18", "stdio"],
  ["2025-11-25", "http"],
] as const)(
  "a request to the user is cancelled together with its call (%s, %s) (T16)",
  async (revision, wire) => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, {
      answers: { "elicitation/create": () => undefined },
    });
    const requested = await speaker.ask("tools/call", { name: "ask", arguments: {} });
    const { message: question } = await speaker.until(
      ({ message: { method } }) => method === "elicitation/create",
    );
    await speaker.cancel(requested);
    const { message } = await speaker.until(
      ({ message: { method } }) => method === "notifications/cancelled",
    );
    expect(message.params.requestId).toBe(question.id);
  },
);
