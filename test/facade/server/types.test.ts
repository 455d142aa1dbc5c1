import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type * as types from "@mcp-codegen/2026-07-28";
import { type AskingContext, type ServerContext, structured } from "@mcp-codegen/universal";
import { McpServer } from "./support/server.js";

const server = new McpServer();

describe("types flow from schemas to handlers to results", () => {
  it("arguments of tools", () => {
    const zod = z.object({ a: z.number().default(1), b: z.string().optional() });
    server.registerTool("zod", { inputSchema: zod }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string | undefined }>();
      return "";
    });
    const valibot = toStandardJsonSchema(v.object({ a: v.number() }));
    server.registerTool("valibot", { inputSchema: valibot }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number }>();
      return "";
    });
    server.registerTool("arktype", { inputSchema: type({ a: "number" }) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number }>();
      return "";
    });
    server.registerTool(
      "json",
      {
        inputSchema: {
          type: "object",
          properties: { a: { type: "number" }, b: { enum: ["x", "y"] } },
          required: ["a"],
        },
      },
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: "x" | "y" }>();
        return "";
      },
    );
    server.registerTool("none", { title: "None" }, (ctx) => {
      expectTypeOf(ctx.elicit).toBeFunction();
      expectTypeOf(ctx.client.capabilities).toEqualTypeOf<types.ClientCapabilities>();
      expectTypeOf(ctx.can.roots).toEqualTypeOf<boolean>();
      return "";
    });
  });

  it("results of tools", () => {
    const outputSchema = z.object({ sum: z.number(), unit: z.string().default("m") });
    server.registerTool("plain", { outputSchema }, () => ({ sum: 1 }));
    server.registerTool("wrapped", { outputSchema }, () => structured({ sum: 1 }));
    server.registerTool("member", { outputSchema }, () => ({ structuredContent: { sum: 1 } }));
    // @ts-expect-error -- not what the schema says
    server.registerTool("wrong", { outputSchema }, () => ({ sum: "1" }));
    // @ts-expect-error -- a text is not structured
    server.registerTool("text", { outputSchema }, () => "1");
    const json = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
    } as const;
    server.registerTool("json out", { outputSchema: json }, () => ({ n: 1 }));
    // @ts-expect-error -- not what the schema says
    server.registerTool("wrong json", { outputSchema: json }, () => ({ n: "1" }));
    // @ts-expect-error -- a number is no result
    server.registerTool("number", {}, () => 1);
    // @ts-expect-error -- there is no such content block
    server.registerTool("block", {}, () => [{ type: "odd", text: "" }]);
    // @ts-expect-error -- there is no such member
    expect(() => server.registerTool("config", { titel: "" }, () => "")).toThrow("titel");
  });

  it("arguments of prompts", () => {
    server.registerPrompt("p", { argsSchema: z.object({ a: z.string() }) }, ({ a }, ctx) => {
      expectTypeOf(a).toEqualTypeOf<string>();
      expectTypeOf(ctx.listRoots).toBeFunction();
      return [{ role: "user", content: a }];
    });
    // @ts-expect-error -- there is no such role
    server.registerPrompt("q", {}, () => [{ role: "system", content: "" }]);
  });

  it("content of forms", () => {
    server.registerTool("ask", {}, async (ctx) => {
      const written = await ctx.elicit({
        message: "",
        requestedSchema: {
          type: "object",
          properties: { n: { type: "number" }, c: { type: "string", enum: ["x", "y"] } },
          required: ["n"],
        },
      });
      if (written.action === "accept") {
        expectTypeOf(written.content.n).toEqualTypeOf<number>();
        expectTypeOf(written.content.c).toEqualTypeOf<"x" | "y" | undefined>();
      }
      const zod = await ctx.elicit({ message: "", requestedSchema: z.object({ n: z.number() }) });
      if (zod.action === "accept") expectTypeOf(zod.content).toEqualTypeOf<{ n: number }>();
      const flat = z.object({
        many: z.array(z.enum(["x", "y"])),
        day: z.iso.date().optional(),
        n: z.int().default(3),
        length: z.string().transform((text) => text.length),
        any: z.any(),
      });
      const { content } = await ctx.elicit({ message: "", requestedSchema: flat });
      expectTypeOf(content?.length).toEqualTypeOf<number | undefined>();
      const nested = { at: z.object({ n: z.number() }) };
      // @ts-expect-error -- a field is no object
      await ctx.elicit({ message: "", requestedSchema: nested });
      // @ts-expect-error -- nor within a schema of a library
      await ctx.elicit({ message: "", requestedSchema: z.object(nested) });
      // @ts-expect-error -- nor a list of numbers
      await ctx.elicit({ message: "", requestedSchema: z.object({ list: z.array(z.number()) }) });
      const roots = await ctx.listRoots();
      expectTypeOf(roots.roots).toEqualTypeOf<types.Root[]>();
    });
  });

  it("requests to the user only where they are possible (T2)", () => {
    expectTypeOf<ServerContext>().not.toHaveProperty("elicit");
    expectTypeOf<ServerContext>().not.toHaveProperty("listRoots");
    server.setHandler("tools/list", (params, ctx) => {
      expectTypeOf(params).toEqualTypeOf<types.PaginatedRequestParams>();
      expectTypeOf(ctx).toEqualTypeOf<ServerContext>();
      return { tools: [] };
    });
    server.setHandler("prompts/get", (_params, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<AskingContext>();
      return { messages: [] };
    });
    server.setHandler("notifications/roots/list_changed", (_params, ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<ServerContext>();
    });
  });

  it("definitions that can change later", () => {
    const tool = server.registerTool("change", {}, () => "");
    expectTypeOf(tool.definition).toEqualTypeOf<types.Tool>();
    tool.update({ inputSchema: z.object({ n: z.number() }), handler: ({ n }) => String(n) });
    // @ts-expect-error -- there is no such member
    expect(() => tool.update({ titel: "" })).toThrow("titel");
  });
});
