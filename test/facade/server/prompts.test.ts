import { describe, expect, it } from "vitest";
import * as z from "zod";
import { completable } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const said = (text: string) => ({ role: "user", content: { type: "text", text } });

describe.each(REVISIONS)("prompts at %s", (revision) => {
  const { titles, completionContext } = factsOf(revision);

  it("receive the parsed arguments, and list them", async () => {
    const server = new McpServer();
    server.registerPrompt(
      "review",
      {
        title: "Review",
        description: "Reviews code",
        argsSchema: z.object({
          code: z.string().describe("The code"),
          depth: z.coerce.number().default(1) as z.ZodType<number, string | undefined>,
        }),
      },
      ({ code, depth }) => `Review ${code} ${depth + 1}`,
    );
    const talk = await Talk.with(server, revision);
    const { prompts } = (await talk.call("prompts/list")).result;
    expect(prompts).toEqual([
      {
        name: "review",
        ...(titles ? { title: "Review" } : {}),
        description: "Reviews code",
        arguments: [
          { name: "code", description: "The code", required: true },
          { name: "depth", required: false },
        ],
      },
    ]);
    const args = { code: "x", depth: "2" };
    const { result } = await talk.call("prompts/get", { name: "review", arguments: args });
    expect(result.messages).toEqual([said("Review x 3")]);
    const wrong = { name: "review", arguments: { code: "x", depth: "deep" } };
    const { error } = await talk.call("prompts/get", wrong);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("/depth") });
  });

  it("return messages with strings or blocks, or a whole result", async () => {
    const server = new McpServer();
    const inputSchema = { type: "object", properties: { a: { type: "string" } } } as const;
    server.registerPrompt("several", { argsSchema: inputSchema }, ({ a }) => [
      { role: "user", content: `${a}` },
      { role: "assistant", content: { type: "text", text: "c" } },
    ]);
    server.registerPrompt("whole", {}, async (ctx) => ({
      description: ctx.method,
      messages: [{ role: "user", content: "d" }],
    }));
    const talk = await Talk.with(server, revision);
    const several = await talk.call("prompts/get", { name: "several", arguments: { a: "b" } });
    expect(several.result.messages).toEqual([
      said("b"),
      { role: "assistant", content: { type: "text", text: "c" } },
    ]);
    const whole = await talk.call("prompts/get", { name: "whole" });
    expect(whole.result).toMatchObject({ description: "prompts/get", messages: [said("d")] });
    expect((await talk.call("prompts/get", { name: "none" })).error.code).toBe(-32602);
  });

  it("complete values of arguments, from the schema or a separate function", async () => {
    const server = new McpServer();
    const languages = ["python", "perl", "java"];
    server.registerPrompt(
      "review",
      {
        argsSchema: z.object({
          language: completable(z.string(), (value) =>
            languages.filter((one) => one.startsWith(value)),
          ).optional(),
          style: z.string().optional(),
          other: z.string().optional(),
        }),
        complete: {
          style: (value, { arguments: given, context }) => [
            `${value}:${given?.["language"]}:${context.method}`,
          ],
        },
      },
      () => "",
    );
    const talk = await Talk.with(server, revision);
    const ref = { type: "ref/prompt", name: "review" };
    const complete = async (name: string, value: string) =>
      (
        await talk.call("completion/complete", {
          ref,
          argument: { name, value },
          context: { arguments: { language: "java" } },
        })
      ).result?.completion;
    expect(await complete("language", "p")).toMatchObject({ values: ["python", "perl"] });
    expect(await complete("style", "x")).toMatchObject({
      values: [`x:${completionContext ? "java" : "undefined"}:completion/complete`],
    });
    expect(await complete("other", "x")).toMatchObject({ values: [] });
    expect(await complete("unknown", "x")).toBeUndefined();
  });

  it("can be changed, disabled and removed", async () => {
    const server = new McpServer();
    const prompt = server.registerPrompt("one", {}, () => "1");
    const talk = await Talk.with(server, revision);
    const names = async () =>
      (await talk.call("prompts/list")).result.prompts.map((one: { name: string }) => one.name);
    prompt.update({ description: "changed", handler: () => "2" });
    const changed = await talk.call("prompts/get", { name: "one" });
    expect(changed.result.messages).toEqual([said("2")]);
    expect(prompt.definition.description).toBe("changed");
    prompt.disable();
    expect(await names()).toEqual([]);
    prompt.enable();
    expect(await names()).toEqual(["one"]);
    prompt.remove();
    expect(await names()).toEqual([]);
  });
});

describe("registering prompts", () => {
  it("changes nothing if it fails", async () => {
    const server = new McpServer({ capabilities: { prompts: {} } });
    const argsSchema = z.object({ a: z.string() });
    const complete = { a: () => ["x"] };
    expect(() => server.registerTool("t", {}, 1 as never)).toThrow(TypeError);
    const talk = await Talk.with(server, REVISIONS[1]!);
    expect(talk.raw.received[0].result.capabilities.tools).toBeUndefined();
    const late = () => server.registerPrompt("p", { argsSchema, complete }, () => "");
    expect(late).toThrow(/capabilities: \{ completions: \{\} \}/);
    expect((await talk.call("prompts/list")).result.prompts).toEqual([]);
    const prompt = server.registerPrompt("p", { argsSchema }, () => "");
    expect(() => prompt.update({ argsSchema, complete })).toThrow(/completions/);
    expect(() => prompt.update({ argsSchema: z.string() as never })).toThrow(/properties/);
    expect((await talk.call("prompts/list")).result.prompts).toMatchObject([{ name: "p" }]);
  });

  it("rejects completions for unknown arguments", () => {
    const server = new McpServer();
    const config = { argsSchema: z.object({ a: z.string() }), complete: { b: () => [] } };
    expect(() => server.registerPrompt("p", config, () => "")).toThrow(/no argument "b".*a/);
    expect(() => server.registerPrompt("p", {}, 1 as never)).toThrow(/not a function/);
  });
});
