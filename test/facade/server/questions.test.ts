import { type } from "arktype";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { acceptedContent, inputRequired } from "@mcp-codegen/universal";

const accepted = { action: "accept", content: { n: 1 } };

function fieldsOf(schema: z.ZodObject): object {
  const { params } = inputRequired.elicit({ message: "?", requestedSchema: schema });
  return (params as { requestedSchema: { properties: object } }).requestedSchema.properties;
}

describe("pages", () => {
  it.each(["javascript:alert(1)", "nonsense", "file:///a"])(
    "must be web pages, not %j (ELIC-08)",
    (url) => {
      expect(() => inputRequired.elicitUrl({ message: "?", url })).toThrow(/http/);
    },
  );
});

describe("forms created from library schemas (T4)", () => {
  it("have the kinds of fields of the protocol", () => {
    const schema = z.object({
      text: z.string().min(1).max(9).describe("A text"),
      day: z.iso.date(),
      link: z.url(),
      id: z.uuid(),
      number: z.number().min(0).max(1),
      flag: z.boolean().default(false),
      choice: z.union([z.literal("a"), z.literal("b")]),
      only: z.literal("a"),
      several: z.array(z.enum(["x", "y"])).max(2),
    });
    expect(fieldsOf(schema)).toEqual({
      text: { type: "string", minLength: 1, maxLength: 9, description: "A text" },
      day: { type: "string", format: "date" },
      link: { type: "string", format: "uri" },
      id: { type: "string" },
      number: { type: "number", minimum: 0, maximum: 1 },
      flag: { type: "boolean", default: false },
      choice: { type: "string", enum: ["a", "b"] },
      only: { type: "string", enum: ["a"] },
      several: { type: "array", items: { type: "string", enum: ["x", "y"] }, maxItems: 2 },
    });
  });

  it.each([
    ["an object", z.object({ odd: z.object({ a: z.string() }) })],
    ["a list of strings", z.object({ odd: z.array(z.string()) })],
    ["null", z.object({ odd: z.string().nullable() })],
  ])("have no field for %s", (_, schema) => {
    expect(() => fieldsOf(schema)).toThrow(/"odd" cannot be a field/);
  });

  it("can be written for several libraries, or directly", () => {
    const requestedSchema = type({ size: "'s' | 'm'" });
    const question = inputRequired.elicit({ message: "?", requestedSchema });
    expect(question.params).toMatchObject({
      requestedSchema: { properties: { size: { type: "string", enum: ["m", "s"] } } },
    });
    const form = { type: "object", properties: { a: { type: "string" } } } as const;
    const plain = inputRequired.elicit({ message: "?", requestedSchema: form });
    expect(plain).toEqual({
      method: "elicitation/create",
      params: { message: "?", requestedSchema: form },
    });
  });
});

describe("inputRequired", () => {
  it("accepts requests and state by either name, and needs one of them", () => {
    const roots = inputRequired.listRoots();
    const url = inputRequired.elicitUrl({ message: "Go", url: "https://example.com" });
    const sample = inputRequired.createMessage({ messages: [], maxTokens: 1 });
    const ours = inputRequired({ requests: { roots, url, sample }, state: 1 });
    expect(ours.inputRequests).toMatchObject({
      roots: { method: "roots/list" },
      url: { method: "elicitation/create", params: { mode: "url" } },
      sample: { method: "sampling/createMessage", params: { maxTokens: 1 } },
    });
    expect(inputRequired({ inputRequests: { roots }, requestState: "s" })).toMatchObject({
      inputRequests: { roots },
      state: "s",
    });
    expect(() => inputRequired({})).toThrow(TypeError);
  });
});

describe("answers", () => {
  const schema = z.object({ n: z.number() });

  it("contain the accepted values that are valid", () => {
    expect(acceptedContent({ a: accepted }, "a")).toEqual({ n: 1 });
    expect(acceptedContent({ a: accepted }, "a", schema)).toEqual({ n: 1 });
    expect(acceptedContent({ a: { action: "accept", content: { n: "1" } } }, "a", schema)).toBe(
      undefined,
    );
    const form = { type: "object", properties: { n: { type: "number" } } } as const;
    expect(acceptedContent({ a: accepted }, "a", form)).toEqual({ n: 1 });
    const odd = { a: { action: "accept", content: { n: "1" } } };
    expect(acceptedContent(odd, "a", form)).toBeUndefined();
    expect(acceptedContent({ a: { action: "decline" } }, "a")).toBeUndefined();
    expect(acceptedContent({}, "toString")).toBeUndefined();
    expect(acceptedContent(undefined, "a")).toBeUndefined();
    const slow = z.object({ n: z.number().refine(async () => true) });
    expect(() => acceptedContent({ a: accepted }, "a", slow)).toThrow(/synchronous schema/);
  });
});
