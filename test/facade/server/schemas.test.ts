import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readSchema } from "../../../runtime/facade/server/schemas.js";

const read = (schema: object) => readSchema(schema, "input", "the schema");

describe("schemas of the facade", () => {
  it("may be a record of schemas, whose optional members may be omitted", async () => {
    const { json, parse } = read({
      a: z.string(),
      b: z.number().optional(),
      c: z.string().default("x"),
      d: z.string().refine(async (value) => value !== "bad", { message: "is bad" }),
    });
    expect(json).toMatchObject({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" }, c: { default: "x" } },
      required: ["a", "d"],
    });
    expect(await parse!({ a: "1", d: "y", e: 1 })).toEqual({ value: { a: "1", c: "x", d: "y" } });
    expect(await parse!({ d: "bad" })).toEqual({
      problem: expect.stringMatching(/^\/a: .*; \/d: is bad$/),
    });
    expect(await parse!([])).toEqual({ problem: "expected an object" });
  });

  it("cannot be a record of schemas that refer to others", () => {
    interface Tree {
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
    expect(() => read({ tree })).toThrow(/"tree" in the schema refers to other schemas/);
    expect(JSON.stringify(read(z.object({ tree })).json)).toContain('"$ref":');
  });

  it("report mistakes in one line, whatever names a peer sends", async () => {
    const { parse } = read(z.record(z.string(), z.number()));
    const many = Object.fromEntries([..."abcdefg"].map((name) => [`${name}\n`, "x"]));
    const { problem } = (await parse!(many)) as { problem: string };
    expect(problem).toMatch(/; and 2 more$/);
    expect(problem).not.toMatch(/\p{Cc}/u);
    const { problem: long } = (await parse!({ ["x".repeat(5000)]: "" })) as { problem: string };
    expect(long.length).toBeLessThanOrEqual(1000);
  });

  it("are used unchanged if they are JSON Schemas, and rejected if they are invalid", () => {
    const schema = { type: "object", $schema: "https://json-schema.org/draft/2020-12/schema" };
    expect(read(schema)).toEqual({ json: schema });
    expect(() => read("text" as never)).toThrow(/is not a schema/);
    expect(() => read(null as never)).toThrow(/is not a schema/);
  });
});
