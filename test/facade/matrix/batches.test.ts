import { describe, expect, test } from "vitest";
import { REVISIONS, wiresOf } from "./support/cases.js";
import { hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const { of } = hosts();

const call = (id: string, name: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {} },
});

describe("batches (T27, X6)", () => {
  test.each(wiresOf("2025-03-26"))("are split at 2025-03-26 (%s)", async (wire) => {
    const host = await of("2025-03-26", wire);
    const link = host.link(wire);
    const speaker = await Speaker.over(link, "2025-03-26", { answers: AGREEABLE, isRude: true });
    const note = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
    const batch: Wire = [
      call("raw-b1", "work"),
      note,
      call("raw-b2", "sequence"),
      call("raw-b3", "none"),
    ];
    await link.say(batch);
    const answers = await Promise.all(
      ["raw-b1", "raw-b2", "raw-b3"].map((id) => speaker.answerTo(id)),
    );
    expect(
      answers.map(({ message: { result, error } }) => result?.content[0].text ?? error.code),
    ).toEqual(["done", "ordered Nobody Paris (m) file:///work", -32602]);
  });

  test.each(
    REVISIONS.filter((revision) => revision !== "2025-03-26").flatMap((revision) =>
      wiresOf(revision)
        .filter((wire) => wire !== "sse")
        .map((wire) => [revision, wire] as const),
    ),
  )("are refused at %s (%s)", async (revision, wire) => {
    const host = await of(revision, wire);
    const link = host.link(wire);
    const speaker = await Speaker.over(link, revision, { isRude: true });
    const params = speaker.enveloped({ name: "work", arguments: {} });
    const batch: Wire = ["raw-b1", "raw-b2"].map((id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params,
    }));
    await link.say(batch);
    const { message } = await speaker.until(({ message: { error } }) => error !== undefined);
    expect([message.error.code, message.id ?? null]).toEqual([-32600, null]);
    expect(await speaker.text("work")).toBe("done");
    expect(
      speaker.messages.filter(({ message: { id } }) => String(id).startsWith("raw-b")),
    ).toEqual([]);
  });
});
