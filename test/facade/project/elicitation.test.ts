import { describe, expect, it } from "vitest";
import type { Loss } from "../../../runtime/wire/revision/revision.js";
import { inAll, lowered, revisions } from "./revisions.js";

const [R2506, R2511, R2607] = revisions.slice(2).map(({ id }) => id) as [string, string, string];

const with2506 = revisions[2]!;

function ask(properties: object, more: object = {}): object {
  return {
    mode: "form",
    message: "?",
    requestedSchema: { type: "object", properties, ...more },
  };
}

/** Returns the only field of a form, in the given revision. */
function field(id: string, schema: object): unknown {
  const revision = revisions.find((one) => one.id === id)!;
  const params = lowered(revision, "elicitation/create", "params", ask({ a: schema }));
  const { requestedSchema } = params as { requestedSchema: { properties: { a: unknown } } };
  return requestedSchema.properties.a;
}

describe("a form (T4)", () => {
  it("has neither mode nor dialect if the revision has only one", () => {
    const form = ask({ a: { type: "boolean" } }, { $schema: "urn:x", required: ["a"] });
    expect(inAll("elicitation/create", "params", form)).toEqual({
      [R2506]: {
        message: "?",
        requestedSchema: {
          type: "object",
          properties: { a: { type: "boolean" } },
          required: ["a"],
        },
      },
      [R2511]: form,
      [R2607]: form,
    });
  });

  it.each([
    { type: "string", format: "email", default: "a@b.c" },
    { type: "number", minimum: 1, default: 2 },
    { type: "integer", default: 2 },
    { type: "string", enum: ["a"], enumNames: ["A"], default: "a" },
  ])("has no default for $type fields if the revision has none", (schema) => {
    const { default: _, ...plain } = schema;
    expect(field(R2506, schema)).toEqual(plain);
    expect(field(R2511, schema)).toBe(schema);
  });

  it("has boolean defaults everywhere", () => {
    const schema = { type: "boolean", default: true };
    expect(field(R2506, schema)).toBe(schema);
  });

  it("offers a choice of one value in the form of the revision", () => {
    const titled = {
      type: "string",
      description: "Which?",
      oneOf: [
        { const: "a", title: "A" },
        { const: "b", title: "B" },
      ],
      default: "b",
    };
    expect(field(R2506, titled)).toEqual({
      type: "string",
      description: "Which?",
      enum: ["a", "b"],
      enumNames: ["A", "B"],
    });
    expect(field(R2511, titled)).toBe(titled);
    const untitled = { type: "string", enum: ["a", "b"] };
    expect(field(R2506, untitled)).toBe(untitled);
  });

  it.each([
    { type: "array", items: { type: "string", enum: ["a"] } },
    { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
  ])("drops an optional choice of several values: %j (X13)", (schema) => {
    const losses: Loss[] = [];
    const form = ask({ a: schema, b: { type: "string" } }, { required: ["b"] });
    const params = lowered(with2506, "elicitation/create", "params", form, (loss) => {
      losses.push(loss);
    });
    expect(params).toEqual({
      message: "?",
      requestedSchema: {
        type: "object",
        properties: { b: { type: "string" } },
        required: ["b"],
      },
    });
    expect(losses).toMatchObject([
      { path: "/requestedSchema/properties/a", value: schema, replacement: undefined },
    ]);
    expect(lowered(revisions[3]!, "elicitation/create", "params", form)).toBe(form);
  });

  it("is refused if it requires a choice of several values that the revision lacks (X13)", () => {
    const schema = { type: "array", items: { type: "string", enum: ["a"] } };
    const form = ask({ a: schema, b: { type: "string" } }, { required: ["a", "b"] });
    expect(() => lowered(with2506, "elicitation/create", "params", form)).toThrow(
      'elicitation/create was not sent: params/requestedSchema requires "a", a kind of field that does not exist',
    );
    expect(lowered(revisions[3]!, "elicitation/create", "params", form)).toBe(form);
  });

  it("may have another field of the user in place of such a choice", () => {
    const schema = { type: "array", items: { type: "string", enum: ["a"] } };
    const form = ask({ a: schema }, { required: ["a"] });
    const params = lowered(with2506, "elicitation/create", "params", form, ({ path }) =>
      path.endsWith("/a") ? { type: "boolean", title: "a?" } : undefined,
    );
    expect(params).toMatchObject({
      requestedSchema: { properties: { a: { type: "boolean", title: "a?" } }, required: ["a"] },
    });
  });

  it("is answered without lists if the revision has none", () => {
    const answer = { action: "accept", content: { a: "x", b: ["y"], c: 1 } };
    expect(inAll("elicitation/create", "result", answer)).toEqual({
      [R2506]: { action: "accept", content: { a: "x", c: 1 } },
      [R2511]: answer,
      [R2607]: answer,
    });
  });
});

describe("a visit to a web page (T4)", () => {
  const visit = { mode: "url", message: "Go", url: "https://example.com/" };

  it("has an id if the revision requires one, and is refused if the revision has no visits", () => {
    const sent = inAll("elicitation/create", "params", visit);
    expect(sent).toEqual({
      [R2506]: "CapabilityError",
      [R2511]: { ...visit, elicitationId: expect.stringMatching(/^[\da-f-]{36}$/) },
      [R2607]: visit,
    });
    const own = { ...visit, elicitationId: "mine" };
    expect(lowered(revisions[3]!, "elicitation/create", "params", own)).toBe(own);
  });

  it("has a new id each time", () => {
    const [one, other] = [1, 2].map(
      () =>
        lowered(revisions[3]!, "elicitation/create", "params", visit) as { elicitationId: string },
    );
    expect(one!.elicitationId).not.toBe(other!.elicitationId);
  });

  it("explains why it was refused", () => {
    expect(() => lowered(with2506, "elicitation/create", "params", visit)).toThrow(
      "elicitation/create was not sent: 2025-06-18 cannot express it",
    );
  });
});
