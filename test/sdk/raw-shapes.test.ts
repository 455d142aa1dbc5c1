import { McpServer } from "@mcp-codegen/sdk/server";
import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  jsonSchemaOf,
  parsed,
  standardOf,
} from "../../runtime/sdk/server/schemas/argument-schemas.js";

const jsonOf = (schema: object) =>
  jsonSchemaOf(standardOf(schema as never, "the schema"), "input", "the schema");

test("a record of schemas describes an object, whose optional members may be omitted", async () => {
  const schema = standardOf(
    {
      a: z.string(),
      b: z.number().optional(),
      c: z.string().default("x"),
      d: z.string().refine(async (value) => value !== "bad", { message: "is bad" }),
    },
    "the schema",
  );
  expect(jsonSchemaOf(schema, "input", "the schema")).toMatchObject({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number" }, c: { default: "x" } },
    required: ["a", "d"],
  });
  expect(await parsed(schema, { a: "1", d: "y", e: 1 })).toEqual({
    value: { a: "1", c: "x", d: "y" },
  });
  expect(await parsed(schema, { d: "bad" })).toEqual({
    problem: expect.stringMatching(/^a: .*, d: is bad$/),
  });
  expect(await parsed(schema, [])).toEqual({ problem: "Invalid input: expected object" });
});

test("the schemas of a record cannot refer to others", () => {
  interface Tree {
    children: Tree[];
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
  expect(() => jsonOf({ tree })).toThrow(/"tree" in the schema refers to other schemas/);
  expect(JSON.stringify(jsonOf(z.object({ tree })))).toContain('"$ref":');
});

test("handlers receive the types of a record of schemas", () => {
  const server = new McpServer({ name: "typed", version: "1.0.0" });
  const inputSchema = { a: z.number(), b: z.string().optional() };
  server.registerTool("shape", { inputSchema }, (args) => {
    expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string | undefined }>();
    return { content: [] };
  });
});
