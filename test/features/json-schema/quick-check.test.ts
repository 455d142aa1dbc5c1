import { describe, expect, it } from "vitest";
import { emptyNode, type Subschema } from "../../../runtime/json-schema/node.js";
import { copySchema } from "../../../runtime/json-schema/copy-schema.js";
import { jsonSchemas } from "../../../runtime/json-schema/index.js";
import { DEFAULT_SCHEMA_LIMITS } from "../../../runtime/json-schema/limits.js";
import { quickCheck } from "../../../runtime/json-schema/quick-check.js";
import { Random } from "../../support/random.js";

const NAMES = ["a", "b", "__proto__", "constructor", "ä"];

const quickOf = (schema: object) =>
  quickCheck(copySchema(schema, "2020-12", DEFAULT_SCHEMA_LIMITS.own).root);

/** Compiler without the quick check, because it has limits. */
const thorough = jsonSchemas({ limits: {} });

function schemaOf(random: Random, depth: number): Subschema {
  const type = random.pick(["array", "boolean", "integer", "null", "number", "object", "string"]);
  const schema = Object.assign(emptyNode(), { type });
  const sometimes = (name: string, value: unknown): void => {
    if (random.below(2) === 0) schema[name] = value;
  };
  if (type === "integer" || type === "number") {
    sometimes("minimum", random.below(3) - 1);
    sometimes("maximum", random.below(4));
  }
  if (type === "string") sometimes("enum", ["", "x", null, 1]);
  if (type === "array" && depth > 0) sometimes("items", schemaOf(random, depth - 1));
  if (type === "object" && depth > 0) {
    const names = NAMES.filter(() => random.below(2) === 0);
    const properties = names.map((name) => [name, schemaOf(random, depth - 1)]);
    sometimes("properties", Object.fromEntries(properties));
    sometimes(
      "required",
      NAMES.filter(() => random.below(4) === 0),
    );
    sometimes("additionalProperties", random.below(2) === 0);
  }
  return schema;
}

function valueOf(random: Random, schema: Subschema, depth: number): unknown {
  const type = random.below(8) === 0 || typeof schema === "boolean" ? "any" : schema["type"];
  switch (type) {
    case "array":
      return Array.from({ length: random.below(4) }, () =>
        valueOf(random, (schema as object as { items?: Subschema }).items ?? true, depth - 1),
      );
    case "boolean":
      return random.below(2) === 0;
    case "integer":
    case "number":
      return random.pick([0, -0, 1, 2, 3, -1, 0.5, 1e21]);
    case "object": {
      const { properties = {} } = schema as object as { properties?: Record<string, Subschema> };
      const names = NAMES.filter(() => random.below(3) > 0);
      const members = names.map((name) => {
        const member = Object.hasOwn(properties, name) ? properties[name]! : true;
        return [name, depth > 0 ? valueOf(random, member, depth - 1) : 1];
      });
      return Object.fromEntries(members);
    }
    case "string":
      return random.pick(["", "x", "y"]);
    default:
      return random.pick([null, true, 1, "x", [], {}, [1], { a: 1 }]);
  }
}

describe("the quick check", () => {
  it("accepts nothing that the full evaluation would refuse", () => {
    const random = new Random("quick");
    let accepted = 0;
    for (let round = 0; round < 3000; round++) {
      const schema = schemaOf(random, 3) as object;
      const quick = quickOf(schema)!;
      const check = thorough(schema);
      for (let turn = 0; turn < 5; turn++) {
        const value = valueOf(random, schema as Subschema, 3);
        if (!quick(value)) continue;
        accepted += 1;
        expect(check(value), JSON.stringify({ schema, value })).toBeUndefined();
      }
    }
    expect(accepted).toBeGreaterThan(1000);
  });

  it("is enough for the arguments of most tools", () => {
    const quick = quickOf({
      type: "object",
      title: "Arguments",
      properties: {
        city: { type: "string", description: "Where" },
        unit: { type: "string", enum: ["C", "F"], default: "C" },
        days: { type: "integer", minimum: 1, maximum: 14 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
      additionalProperties: false,
    })!;
    expect(quick({ city: "Rome", unit: "C", days: 3, tags: ["a"] })).toBe(true);
    for (const wrong of [{}, { city: "Rome", more: 1 }, { city: "Rome", days: 15 }, [], null]) {
      expect(quick(wrong)).toBe(false);
    }
  });

  it.each([
    [{}],
    [{ type: ["string", "null"] }],
    [{ type: "string", pattern: "^a" }],
    [{ type: "string", minLength: 1 }],
    [{ type: "number", exclusiveMinimum: 0 }],
    [{ type: "object", properties: { a: { $ref: "#" } } }],
    [{ type: "object", additionalProperties: { type: "string" } }],
    [{ type: "array", items: { const: 1 } }],
    [{ type: "object", allOf: [] }],
    [false],
  ])("leaves %j to the full evaluation", (schema) => {
    expect(typeof schema === "object" ? quickOf(schema) : quickCheck(schema)).toBeUndefined();
  });

  it("spares long arrays the counting evaluation", () => {
    const check = jsonSchemas()({ type: "array", items: { type: "number" } });
    const values = Array.from({ length: 1_900_000 }, (_, index) => index);
    expect(check(values)).toBeUndefined();
    expect(check([...values, null])).toBeDefined();
  });
});
