import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { Random } from "../support/random.js";

const NAMES = ["a", "b", "toString", "constructor", "ä"];

type Subschema = boolean | Record<string, unknown>;

function schemaOf(random: Random, depth: number): Subschema {
  const type = random.pick(["array", "boolean", "integer", "null", "number", "object", "string"]);
  const schema: Record<string, unknown> = { type };
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

describe("simple schemas", () => {
  it("are checked in the same way as by ajv", () => {
    const random = new Random("quick");
    const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
    const compile = jsonSchemas();
    let accepted = 0;
    for (let round = 0; round < 1000; round++) {
      const schema = schemaOf(random, 3) as object;
      const [ours, theirs] = [compile(schema), ajv.compile(schema)];
      for (let turn = 0; turn < 5; turn++) {
        const value = valueOf(random, schema as Subschema, 3);
        const fits = ours(value) === undefined;
        if (fits) accepted += 1;
        expect(fits, JSON.stringify({ schema, value })).toBe(theirs(value));
      }
    }
    expect(accepted).toBeGreaterThan(1000);
  });

  it("are enough for the arguments of most tools", () => {
    const check = jsonSchemas()({
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
    });
    expect(check({ city: "Rome", unit: "C", days: 3, tags: ["a"] })).toBeUndefined();
    for (const wrong of [{}, { city: "Rome", more: 1 }, { city: "Rome", days: 15 }, [], null]) {
      expect(check(wrong)).toBeDefined();
    }
  });

  it("accept long arrays within the limits", () => {
    const check = jsonSchemas()({ type: "array", items: { type: "number" } });
    const values = Array.from({ length: 1_900_000 }, (_, index) => index);
    expect(check(values)).toBeUndefined();
    expect(check([...values, null])).toBeDefined();
  });
});
