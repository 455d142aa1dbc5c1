import { describe, expect, it } from "vitest";
import { Tools, type ToolsOptions } from "../../runtime/features/index.js";
import { connected, type Connected, handshakes } from "./support/revisions.js";
import { any, failure, isStructured, schemas, sum, text } from "./support/tools.js";

describe.each(handshakes.filter(([, one]) => isStructured(one)))("output at %s", (_, revision) => {
  const outputs: readonly (readonly [string, unknown])[] = [
    ["of the wrong type", { structuredContent: { sum: "3" } }],
    ["without a member", { structuredContent: {} }],
    ["not a number", { structuredContent: { sum: Number.NaN } }],
    ["a member that is undefined", { structuredContent: { sum: undefined } }],
    ["a bigint", { structuredContent: { sum: 3n } }],
    ["missing", text("3")],
    ["a missing member with an isError that is false", { ...text("3"), isError: false }],
  ];

  async function callOnce(
    result: unknown,
    options: ToolsOptions = { schemas },
    outputSchema: object = sum,
  ): Promise<Connected & { answer: Promise<unknown> }> {
    const tools = new Tools(options);
    tools.add({ name: "sum", inputSchema: any, outputSchema }, () => result as object);
    const open = await connected(revision, { features: [tools] });
    return { ...open, answer: open.client.request("tools/call", { name: "sum" }) };
  }

  it.each(outputs)("never sends %s (TOOL-18, S06)", async (_what, result) => {
    const { answer, errors, traffic } = await callOnce(result);
    expect(await failure(answer)).toMatchObject({ code: -32603, message: "Internal error" });
    expect(errors).toHaveLength(1);
    expect(traffic.problems).toEqual([]);
  });

  it("reports the mistake to onerror (TOOL-18)", async () => {
    const { answer, errors } = await callOnce({ structuredContent: { sum: "3" } });
    await failure(answer);
    expect(errors[0]?.message).toContain('the tool "sum"');
    expect(errors[0]?.message).toContain('/sum: expected number, received "3"');
  });

  it("skips error results (S06)", async () => {
    const result = { ...text("out of order"), isError: true };
    expect(await (await callOnce(result)).answer).toEqual(result);
    const strange = { ...result, structuredContent: { code: 5 } };
    expect(await (await callOnce(strange)).answer).toEqual(strange);
  });

  it("keeps falsy values (S06)", async () => {
    const structuredContent = { sum: 0, text: "", flag: false, nothing: null };
    const { answer } = await callOnce({ structuredContent });
    expect(await answer).toMatchObject({ structuredContent });
  });

  it("is checked in the form that the client receives", async () => {
    const outputSchema = {
      type: "object",
      properties: { at: { type: "string", format: "date-time" }, name: { type: "string" } },
      additionalProperties: false,
    };
    const structuredContent = { at: new Date(0), name: undefined, more: undefined };
    const { answer } = await callOnce({ structuredContent }, { schemas }, outputSchema);
    expect(await answer).toMatchObject({ structuredContent: { at: "1970-01-01T00:00:00.000Z" } });
  });

  it("can be left unchecked by name", async () => {
    const unchecked: ToolsOptions = { schemas: "unchecked" };
    const wrong = { structuredContent: { sum: "3" } };
    expect(await (await callOnce(wrong, unchecked)).answer).toMatchObject(wrong);
    expect(await (await callOnce(text("3"), unchecked)).answer).toEqual(text("3"));
  });
});
