import { describe, expect, it } from "vitest";
import { DIALECTS, jsonSchemas, SchemaError } from "../../../runtime/json-schema/index.js";

const compile = jsonSchemas();
const json = (text: string) => JSON.parse(text) as object;
const fits = (schema: object, value: unknown) => compile(schema)(value) === undefined;
const uri = (dialect: string) =>
  dialect.startsWith("draft")
    ? `http://json-schema.org/${dialect}/schema#`
    : `https://json-schema.org/draft/${dialect}/schema`;

function refusal(schema: unknown, compiler = compile): SchemaError {
  try {
    compiler(schema as object);
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    return error as SchemaError;
  }
  throw new Error("the schema was accepted");
}

describe("dialects", () => {
  it("SCH-02 SCH-03 is 2020-12 without $schema", () => {
    const schema = { prefixItems: [{ type: "string" }], items: false };
    expect(fits(schema, ["a"])).toBe(true);
    expect(fits(schema, [1])).toBe(false);
    expect(fits(schema, ["a", "b"])).toBe(false);
  });

  it("has an option for another default", () => {
    const check = jsonSchemas({ dialect: "draft-07" })({ items: [{ type: "string" }] });
    expect(check(["a", 1])).toBeUndefined();
    expect(check([1])).toBeDefined();
  });

  it.each(DIALECTS)("SCH-04 knows %s by its $schema", (dialect) => {
    const schema = { $schema: uri(dialect), type: "object", required: ["a"] };
    expect(fits(schema, { a: 1 })).toBe(true);
    expect(fits(schema, {})).toBe(false);
  });

  it("honours draft-07: tuples, dependencies, nothing beside $ref", () => {
    const $schema = uri("draft-07");
    const tuple = { $schema, items: [{ type: "string" }], additionalItems: false };
    expect(fits(tuple, ["a"])).toBe(true);
    expect(fits(tuple, ["a", "b"])).toBe(false);
    const dependencies = { a: ["b"], c: { required: ["d"] } };
    expect(fits({ $schema, dependencies }, { a: 1 })).toBe(false);
    expect(fits({ $schema, dependencies }, { a: 1, b: 1, c: 1, d: 1 })).toBe(true);
    expect(fits({ $schema, dependencies }, { c: 1 })).toBe(false);
    const definitions = { any: true };
    expect(fits({ $schema, definitions, $ref: "#/definitions/any", type: "string" }, 1)).toBe(true);
  });

  it("honours draft-04: id, exclusive bounds as flags", () => {
    const $schema = uri("draft-04");
    expect(fits({ $schema, minimum: 3, exclusiveMinimum: true }, 3)).toBe(false);
    expect(fits({ $schema, minimum: 3 }, 3)).toBe(true);
    const definitions = { a: { id: "#a", type: "string" } };
    expect(fits({ $schema, definitions, $ref: "#a" }, 1)).toBe(false);
  });

  it.each([
    "http://json-schema.org/draft-03/schema#",
    "https://example.com/my-dialect",
    "",
    42,
    null,
  ])("SCH-04 S04 names the dialect %j that it does not know", ($schema) => {
    const error = refusal({ $schema, type: "object" });
    expect(error.message).toContain("2020-12");
    expect(error.path).toBe("/$schema");
    if (typeof $schema === "string") expect(error.message).toContain(JSON.stringify($schema));
  });

  it("refuses a second dialect inside a schema", () => {
    expect(refusal({ properties: { a: { $schema: uri("draft-07") } } }).path).toBe(
      "/properties/a/$schema",
    );
  });
});

describe("SCH-05 schemas that are none", () => {
  it.each([
    [{ type: "text" }, "/type"],
    [{ type: [] }, "/type"],
    [{ properties: { a: 1 } }, "/properties/a"],
    [{ properties: [] }, "/properties"],
    [{ required: "a" }, "/required"],
    [{ required: [1] }, "/required"],
    [{ items: [{}] }, "/items"],
    [{ allOf: {} }, "/allOf"],
    [{ allOf: [null] }, "/allOf/0"],
    [{ minimum: "3" }, "/minimum"],
    [{ exclusiveMinimum: true }, "/exclusiveMinimum"],
    [{ multipleOf: 0 }, "/multipleOf"],
    [{ maxLength: -1 }, "/maxLength"],
    [{ maxLength: 1.5 }, "/maxLength"],
    [{ pattern: "(" }, "/pattern"],
    [{ patternProperties: { "[": {} } }, "/patternProperties/["],
    [{ enum: "a" }, "/enum"],
    [{ $ref: 1 }, "/$ref"],
    [{ uniqueItems: "yes" }, "/uniqueItems"],
    [{ dependentRequired: { a: "b" } }, "/dependentRequired/a"],
    [{ properties: { "a/b": { type: 1 } } }, "/properties/a~1b/type"],
  ])("%j is refused, with the place", (schema, path) => {
    const error = refusal(schema);
    expect(error.path).toBe(path);
    expect(error.message).toContain(path);
  });

  it.each([null, [], "x", 1])("%j is refused", (schema) => {
    expect(() => compile(schema as unknown as object)).toThrow(TypeError);
  });
});

describe("references", () => {
  it("SCH-07 resolves local ones: pointers, anchors, embedded $id", () => {
    const $defs = {
      byPointer: { type: "string" },
      byAnchor: { $anchor: "here", type: "string" },
      byId: { $id: "https://example.com/item", type: "string" },
      "a/b %": { type: "string" },
    };
    const all = [
      "#/$defs/byPointer",
      "#here",
      "https://example.com/item",
      "#/$defs/a~1b%20%25",
      "item",
    ];
    for (const $ref of all.slice(0, 4)) {
      expect(fits({ $defs, $ref }, "a"), $ref).toBe(true);
      expect(fits({ $defs, $ref }, 1), $ref).toBe(false);
    }
    expect(fits({ $id: "https://example.com/root", $defs, $ref: "item" }, 1)).toBe(false);
  });

  it.each([
    "http://127.0.0.1:9/schema",
    "https://example.com/schema",
    "file:///etc/passwd",
    "data:application/json,{}",
    "other.json",
    "#/$defs/missing",
    "#missing",
    "#/$defs/constructor",
    "#/__proto__",
    "http://[",
  ])("S02 SCH-09 %s is refused and never fetched", ($ref) => {
    const error = refusal({ properties: { a: { $ref } } });
    expect(error.message).not.toContain("\n");
    const inBranch = { anyOf: [{ type: "string" }, { $ref }] };
    expect(() => compile(inBranch)).toThrow(SchemaError);
  });

  it("S02 SCH-09 a $dynamicRef to nowhere is refused as well", () => {
    expect(refusal({ items: { $dynamicRef: "#missing" } }).path).toContain("/items");
  });

  it("S02 recursion through the value works, to any depth that a message can have", () => {
    const list = { type: "object", properties: { next: { $ref: "#" }, value: { type: "number" } } };
    let value: object = { value: "wrong" };
    for (let level = 0; level < 250; level++) value = { next: value };
    const issues = compile(list)(value);
    expect(issues?.[0]).toMatchObject({ expected: "number", received: '"wrong"' });
    expect(issues?.[0]?.path).toMatch(/^(\/next){250}\/value$/);
  });

  it.each([
    [{ $ref: "#" }],
    [{ allOf: [{ $ref: "#" }] }],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }],
    [{ if: { $ref: "#" } }],
    [{ not: { anyOf: [{ $ref: "#" }] } }],
    [{ dependentSchemas: { a: { $ref: "#" } } }],
    [{ $dynamicAnchor: "me", $dynamicRef: "#me" }],
  ])("S02 %j is refused: it never comes to the value", (schema) => {
    expect(refusal(schema).message).toContain("itself without end");
  });

  it("S02 refuses a chain of references that is too long for the stack", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    );
    const error = refusal({ $defs: { ...$defs, d5000: {} }, $ref: "#/$defs/d0" });
    expect(error.message).toContain("256");
  });

  it("follows $dynamicRef where there is one place that it can lead to", () => {
    const tree = {
      $dynamicAnchor: "node",
      type: "object",
      properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
    };
    expect(fits(tree, { children: [{ children: [] }] })).toBe(true);
    expect(fits(tree, { children: [{ children: [1] }] })).toBe(false);
  });

  it.each([
    [{ $defs: { a: { $dynamicAnchor: "x" }, b: { $dynamicAnchor: "x" } }, $dynamicRef: "#x" }],
    [{ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } }, $ref: "#x" }],
    [{ $anchor: "a", $dynamicAnchor: "b" }],
    [{ $defs: { a: { $anchor: "a" } }, $ref: "#a", $dynamicRef: "#a" }],
  ])("says that it does not support %j", (schema) => {
    expect(refusal(schema).message).toContain("not supported");
  });
});

describe("SEC-23 names of Object.prototype are names like others", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])("%s", (name) => {
    const key = JSON.stringify(name);
    const schema = json(`{"properties":{${key}:{"type":"string"}},"additionalProperties":false}`);
    expect(fits(schema, json(`{${key}:"a"}`))).toBe(true);
    expect(fits(schema, json(`{${key}:1}`))).toBe(false);
    expect(fits({ required: [name] }, {})).toBe(false);
    expect(fits({ required: [name] }, json(`{${key}:1}`))).toBe(true);
    expect(fits({ format: name }, "anything")).toBe(true);
    expect(fits({ additionalProperties: false }, json(`{${key}:1}`))).toBe(false);
    const $defs = json(`{${key}:{"type":"string"}}`);
    expect(fits({ $defs, $ref: `#/$defs/${name}` }, 1)).toBe(false);
    expect(fits({ const: json(`{${key}:1}`) }, {})).toBe(false);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("what a schema inherits does not count", () => {
    const schema = Object.create({ type: "string" }) as object;
    expect(fits(schema, 1)).toBe(true);
  });
});

describe("S04 what a dialect does not act on", () => {
  it("SCH-13 unknown keywords are annotations, whatever is in them", () => {
    const schema = {
      "x-mcp-header": "Region",
      "x-ui": { $id: "#same", $ref: "http://example.com", type: "nonsense" },
      "x-other": { $id: "#same" },
      examples: [{ $id: "#same", $ref: "#/nowhere" }],
      default: { $ref: "#/nowhere" },
      contentEncoding: "base64",
      contentMediaType: "application/json",
      id: 5,
    };
    expect(fits(schema, "not base64!")).toBe(true);
  });

  it("a property may be called like a keyword", () => {
    const properties = { $ref: { type: "string" }, $id: { type: "number" }, items: { const: 1 } };
    expect(fits({ properties }, { $ref: "a", $id: 1, items: 1 })).toBe(true);
    expect(fits({ properties }, { $ref: 1 })).toBe(false);
  });

  it("known formats are checked, unless they are not to be", () => {
    expect(fits({ format: "date-time" }, "yesterday")).toBe(false);
    expect(fits({ format: "date-time" }, "2025-11-25T12:00:00Z")).toBe(true);
    expect(fits({ format: "colour" }, "yesterday")).toBe(true);
    const annotate = jsonSchemas({ formats: "annotate" });
    expect(annotate({ format: "date-time" })("yesterday")).toBeUndefined();
  });

  it("S05 further members are forbidden exactly where the schema says so", () => {
    const properties = { a: {} };
    expect(fits({ properties }, { a: 1, b: 1 })).toBe(true);
    expect(fits({ properties, additionalProperties: false }, { a: 1, b: 1 })).toBe(false);
    const strings = { properties, additionalProperties: { type: "string" } };
    expect(fits(strings, { a: 1, b: "b" })).toBe(true);
    expect(fits(strings, { a: 1, b: 1 })).toBe(false);
    const inherited = { allOf: [{ properties: { b: {} } }], properties };
    expect(fits({ ...inherited, unevaluatedProperties: false }, { a: 1, b: 1 })).toBe(true);
    expect(fits({ ...inherited, unevaluatedProperties: false }, { a: 1, c: 1 })).toBe(false);
  });
});

describe("a compiled schema", () => {
  it("leaves the schema as it is, and may be frozen", () => {
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } };
    const before = structuredClone(schema);
    Object.freeze(schema.properties.a);
    compile(Object.freeze(schema));
    expect(schema).toEqual(before);
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(["$ref"]);
  });

  it("does not notice later changes", () => {
    const schema = { required: ["a"], const: { a: 1 } };
    const check = compile(schema);
    schema.required.push("b");
    schema.const.a = 2;
    expect(check({ a: 1 })).toBeUndefined();
  });

  it("can be used again after it refused something, also for the same value", () => {
    const check = compile({ type: "array", uniqueItems: true });
    expect(check([1, 1])).toBeDefined();
    expect(check([1, 2])).toBeUndefined();
    expect(check([1, 1])).toBeDefined();
  });
});
