import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readSchema } from "../../../runtime/facade/server/schemas.js";

const read = (schema: object) => readSchema(schema, "input", "the schema");

describe("schemas of the facade", () => {
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
