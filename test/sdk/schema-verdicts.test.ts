import * as core from "@modelcontextprotocol/core";
import * as types from "@modelcontextprotocol/sdk/types.js";
import * as ours from "@mcp-codegen/sdk/types.js";
import { CallToolRequestSchema, CallToolResultSchema, ToolSchema } from "@mcp-codegen/sdk/types.js";
import type * as z from "zod";
import { describe, expect, it } from "vitest";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { corpus, type Sample } from "../validators/corpus.js";
import { type Issue, RULES } from "./schema-differences.js";

interface Schema {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: unknown }
    | { success: false; error: { issues: readonly Issue[]; message: string } };
}

const schemaOf = (module: object, type: string) =>
  (module as Record<string, Schema | undefined>)[`${type}Schema`];

/** Returns true for a whole batch, as older revisions have them. */
const isBatch = ({ type, value }: Sample) =>
  /^JSONRPC(?:Message|Batch)/.test(type) && Array.isArray(value);

describe.each(bundled)("schema constants accept messages of %s:", (revision) => {
  const valid = corpus(protocolOf(revision)).filter(({ built }) => built);

  it("all that the revision has", () => {
    const refused = valid
      .filter((sample) => !isBatch(sample))
      .filter(({ type, value }) => !schemaOf(ours, type)!.safeParse(value).success);
    expect(refused).toEqual([]);
    expect(valid.length).toBeGreaterThan(100);
  });

  it("without changing them, except for missing lists of content", () => {
    for (const { type, value } of valid.filter((sample) => !isBatch(sample))) {
      expect(schemaOf(ours, type)!.safeParse(value)).toEqual({ success: true, data: value });
    }
  });
});

/** Returns all issues, including those of the alternatives in a union. */
function flat(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => [issue, ...(issue.errors ?? []).flatMap(flat)]);
}

describe("schema constants accept and reject what those of the official SDK do", () => {
  const used = new Set<string>();
  const samples = corpus(protocolOf("2025-11-25"));

  it.each([
    ["version 1", types],
    ["version 2", core],
  ])(
    "%s, except for differences that have a reason",
    (_, sdk) => {
      let compared = 0;
      const unexplained: unknown[] = [];
      for (const { type, value } of samples) {
        const theirs = schemaOf(sdk, type)?.safeParse(value);
        const own = schemaOf(ours, type)?.safeParse(value);
        if (theirs === undefined || own === undefined) continue;
        compared++;
        if (theirs.success === own.success) continue;
        const refuses = theirs.success ? "ours" : "theirs";
        const refusal = theirs.success ? own : theirs;
        const issues = refusal.success ? [] : flat(refusal.error.issues);
        const rule = RULES.find(
          (one) => one.refuses === refuses && one.matches({ type, value, issues }),
        );
        if (rule) used.add(rule.reason);
        else unexplained.push({ type, refuses, issues: issues.slice(0, 3), value });
      }
      expect(unexplained.slice(0, 5)).toEqual([]);
      expect(compared).toBeGreaterThan(50_000);
    },
    180_000,
  );

  it("and no reason is unused", () => {
    expect(RULES.map(({ reason }) => reason).filter((reason) => !used.has(reason))).toEqual([]);
  });
});

describe("a schema constant", () => {
  const request = { method: "tools/call", params: { name: "add", arguments: { a: 1 } } };

  it("has the method of its messages", () => {
    expect(CallToolRequestSchema.method).toBe("tools/call");
  });

  it("parses, and keeps unknown members", async () => {
    const value = { ...request, extra: true };
    expect(CallToolRequestSchema.parse(value)).toBe(value);
    expect(await CallToolRequestSchema.parseAsync(value)).toBe(value);
    expect(CallToolRequestSchema["~standard"].validate(value)).toEqual({ value });
  });

  it("reports the place of an invalid value", () => {
    const outcome = CallToolResultSchema.safeParse({ content: [{ type: "text", text: 1 }] });
    expect(outcome.success).toBe(false);
    expect(outcome.error!.issues[0]).toMatchObject({ path: ["content", 0, "text"] });
    expect(outcome.error!.message).toBe(
      "content.0.text: Invalid input: expected string, received 1",
    );
    expect(() => ToolSchema.parse(7)).toThrow("Invalid input");
    expect(ToolSchema["~standard"].validate(7)).toMatchObject({ issues: [{ path: [] }] });
  });

  it("has a type that zod understands", () => {
    const tool: z.infer<typeof ToolSchema> = { name: "add", inputSchema: { type: "object" } };
    const name: string = tool.name;
    // @ts-expect-error a tool has a name
    const nameless: z.infer<typeof ToolSchema> = { inputSchema: { type: "object" } };
    expect([name, nameless.inputSchema.type]).toEqual(["add", "object"]);
  });

  it("adds an empty list to the result of a tool without content", () => {
    expect(CallToolResultSchema.parse({ structuredContent: {} })).toEqual({
      structuredContent: {},
      content: [],
    });
  });
});
