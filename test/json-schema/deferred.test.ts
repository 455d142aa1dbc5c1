import { describe, expect, it, vi } from "vitest";
import { compileOwn, jsonSchemas } from "../../runtime/json-schema/index.js";
import { deferredSchemas } from "../../runtime/json-schema/read/index.js";

const invalid: readonly object[] = [
  { type: "strng" },
  { $schema: "https://example.com/dialect" },
  { $ref: "#/$defs/absent" },
  { $ref: "https://example.com/schema" },
  { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  { properties: { a: { pattern: "(" } } },
  { patternProperties: { "[": true } },
  { minLength: -1 },
];

const messageOf = (compile: () => unknown): string => {
  try {
    compile();
  } catch (error) {
    return String(error);
  }
  return "accepted";
};

describe("checks whose code is loaded with the first value", () => {
  it.each(invalid)("reject an invalid schema at once, as other checks do: %j", (schema) => {
    const load = vi.fn(async () => compileOwn);
    const message = messageOf(() => deferredSchemas(load)(schema));
    expect(message).toMatch(/^SchemaError: /);
    expect(message).toBe(messageOf(() => jsonSchemas()(schema)));
    expect(load).not.toHaveBeenCalled();
  });

  it("load once, and decide the same", async () => {
    const load = vi.fn(async () => compileOwn);
    const schema = {
      type: "object",
      properties: { mail: { type: "string", format: "email" }, a: { pattern: "^a+$" } },
      required: ["mail"],
    };
    const check = deferredSchemas(load)(schema);
    const other = jsonSchemas()(schema);
    expect(load).not.toHaveBeenCalled();
    const values = [{ mail: "a@example.com" }, { mail: "x" }, {}, { mail: "a@b.c", a: "b" }, 5];
    for (const value of values) expect(await check(value)).toEqual(other(value));
    expect(load).toHaveBeenCalledTimes(1);
    expect(check(values[0])).toBeUndefined();
  });

  it("are loaded again after a failure", async () => {
    const load = vi.fn(async () => compileOwn).mockRejectedValueOnce(new Error("offline"));
    const check = deferredSchemas(load)({ type: "string" });
    await expect(async () => check("a")).rejects.toThrow("offline");
    expect(await check("a")).toBeUndefined();
  });
});
