import { afterAll, describe, expect, it } from "vitest";
import { COMPILERS, Workspace } from "../generated/workspace.js";

/** Creates a program with the tools of one revision, some with schemas written out and some without. */
const program = (revision: string, more: string): string => `
import { Tools } from "@mcp-codegen/${revision}/features";
const tools = new Tools({ schemas: "unchecked" });
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const content = [{ type: "text" as const, text: "" }];
const inputSchema = {
  type: "object",
  properties: { text: { type: "string" }, tone: { enum: ["calm", "stern"] }, tags: { type: "array", items: { type: "string" } } },
  required: ["text"],
} as const;
tools.add({ name: "apart", inputSchema }, (args) => {
  const is: Is<typeof args, { text: string; tone?: "calm" | "stern"; tags?: string[] }> = true;
  return { content, is };
});
tools.add(
  { name: "inline", inputSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } },
  async (args) => {
    const is: Is<typeof args, { count: number }> = true;
    return { content, is };
  },
);
tools.add({ name: "any", inputSchema: { type: "object" } }, (args) => {
  const is: Is<typeof args, Record<string, unknown>> = true;
  return { content, is };
});
tools.add({ name: "promise", inputSchema }, () => new Promise((resolve) => resolve({ content })));
tools.add({ name: "never", inputSchema }, () => new Promise((_resolve, reject) => reject(new Error())));
${more}`;

const outputs = `
const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const;
tools.add({ name: "right", inputSchema, outputSchema }, () => ({ structuredContent: { sum: 1 } }));
tools.add({ name: "absent", inputSchema, outputSchema: undefined }, () => ({ structuredContent: { a: 1 } }));
tools.add({ name: "either", inputSchema, ...(content.length ? { outputSchema } : {}) }, () => ({ structuredContent: { sum: 1 } }));
// @ts-expect-error -- the sum is a number
tools.add({ name: "wrong", inputSchema, outputSchema }, () => ({ structuredContent: { sum: "1" } }));
// @ts-expect-error -- so it is in a promise
tools.add({ name: "late", inputSchema, outputSchema }, async () => ({ structuredContent: { sum: "1" } }));
// @ts-expect-error -- that is no schema of an object
tools.add({ name: "text", inputSchema: { type: "string" } }, () => ({ content }));
`;

const noOutputs = `
// @ts-expect-error -- there is no outputSchema yet
tools.add({ name: "early", inputSchema, outputSchema: inputSchema }, () => ({ content }));
`;

const workspace = new Workspace();
workspace.add("tools", [
  { path: "2024-11-05.ts", text: program("2024-11-05", noOutputs) },
  { path: "2025-11-25.ts", text: program("2025-11-25", outputs) },
  { path: "2026-07-28.ts", text: program("2026-07-28", outputs) },
]);
afterAll(() => workspace.remove());

describe.concurrent.each(COMPILERS)("%s", (compiler) => {
  it("infers arguments and structured content from the schemas of a tool", async () => {
    const options = { isolatedDeclarations: false, declaration: false };
    expect(await workspace.compile(compiler, "nodenext", ["tools/*.ts"], options)).toEqual([]);
  }, 120_000);
});
