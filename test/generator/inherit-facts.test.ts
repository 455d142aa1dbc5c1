import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundledRevision } from "../../generator/bundled/bundled.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generate, linkInput } from "../../generator/generate.js";
import { schemaWith, sourceOf } from "./schema.js";

const newest = readFileSync(bundledRevision("2026-07-28")!.schema, "utf8");

function linked(
  text: string,
  revision: string,
  { facts, warnings }: { facts?: { revision: string }; warnings?: string[] } = {},
) {
  const diagnostics = new Diagnostics();
  const source = { file: "schema.ts", text, sha256: "0".repeat(64) };
  const protocol = linkInput({ source, revision, ...(facts && { facts }) }, diagnostics);
  expect(diagnostics.hasErrors).toBe(false);
  if (warnings) expect(diagnostics.items.map(({ hint }) => hint)).toEqual(warnings);
  return protocol!;
}

describe("a revision without facts", () => {
  it("inherits the facts of the previous revision, so that subscriptions work", () => {
    const protocol = linked(newest, "2026-12-15");
    const before = linked(newest, "2026-12-15", { facts: { revision: "2026-12-15" } });
    const listen = (of: typeof protocol) =>
      of.methods.find(({ method }) => method === "subscriptions/listen")!.conditions;
    expect(listen(protocol)).toHaveLength(4);
    expect(listen(before)).toEqual([]);
    expect(protocol.inherited).toMatchObject({ from: "2026-07-28", dropped: [] });
    expect(protocol).toMatchObject({
      name: "Model Context Protocol",
      specification: "https://modelcontextprotocol.io/specification/2026-12-15",
      previous: "2026-07-28",
    });
  });

  it("omits facts about removed declarations, and says why", () => {
    const text = newest
      .replaceAll("promptsListChanged", "promptsChange")
      .replace("sampling?: {", "sampling?: { [key: string]: object }; asking?: {");
    const { inherited, methods } = linked(text, "draft");
    expect(inherited!.dropped.map(({ list, about }) => `${list} ${about}`)).toEqual([
      "conditions sampling/createMessage tools",
      "conditions sampling/createMessage toolChoice",
      "conditions sampling/createMessage includeContext",
      "conditions subscriptions/listen notifications.promptsListChanged",
    ]);
    for (const { reason } of inherited!.dropped) expect(reason).toMatch(/\.$/);
    const listen = methods.find(({ method }) => method === "subscriptions/listen");
    expect(listen!.conditions).toHaveLength(3);
  });

  it("inherits what was valid at its date, not what came later", () => {
    const text = readFileSync(bundledRevision("2025-11-25")!.schema, "utf8");
    for (const day of ["2025-11-25", "2026-01-01"])
      expect(linked(text, day).inherited?.from).toBe("2025-11-25");
  });

  it("inherits nothing from another protocol or another lifecycle", () => {
    expect(
      linked(schemaWith({ declarations: "" }), "2026-12-15", { warnings: [] }).inherited,
    ).toBeUndefined();
    const copied = bundledRevision("2025-03-26")!;
    const text = readFileSync(copied.schema, "utf8");
    const warnings = [
      expect.stringContaining(`Copy ${copied.facts}, change its \`revision\` to "mine"`) as string,
    ];
    expect(linked(text, "mine", { warnings }).inherited).toBeUndefined();
    linked(text, "mine", { facts: { revision: "mine" }, warnings: [] });
  });

  it("publishes the inherited facts as its own", async () => {
    const diagnostics = new Diagnostics();
    const files = await generate({ source: sourceOf(newest), revision: "2026-12-15" }, diagnostics);
    const all = files!.map(({ text }) => text).join("\n");
    expect(all).toContain("Model Context Protocol 2026-12-15");
    expect(all).not.toContain('"inherited"');
  });
});
