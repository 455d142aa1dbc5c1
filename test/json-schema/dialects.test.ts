import { describe, expect, it } from "vitest";
import { DIALECTS, jsonSchemas, SchemaError } from "../../runtime/json-schema/index.js";

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

describe("JSON Schema dialects", () => {
  it("default to 2020-12 without $schema (SCH-02, SCH-03)", () => {
    const schema = { prefixItems: [{ type: "string" }], items: false };
    expect(fits(schema, ["a"])).toBe(true);
    expect(fits(schema, [1])).toBe(false);
    expect(fits(schema, ["a", "b"])).toBe(false);
  });

  it("can default to another dialect", () => {
    const check = jsonSchemas({ dialect: "draft-07" })({ items: [{ type: "string" }] });
    expect(check(["a", 1])).toBeUndefined();
    expect(check([1])).toBeDefined();
  });

  it.each(DIALECTS)("include %s, by its $schema (SCH-04)", (dialect) => {
    const schema = { $schema: uri(dialect), type: "object", required: ["a"] };
    expect(fits(schema, { a: 1 })).toBe(true);
    expect(fits(schema, {})).toBe(false);
  });

  it("include draft-07: tuples, dependencies, nothing beside $ref", () => {
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

  it("include draft-04: id and boolean exclusive bounds", () => {
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
  ])("name the unknown dialect %j (SCH-04, S04)", ($schema) => {
    const error = refusal({ $schema, type: "object" });
    expect(error.message).toContain("2020-12");
    expect(error.path).toBe("/$schema");
    if (typeof $schema === "string") expect(error.message).toContain(JSON.stringify($schema));
  });

  it("reject a second dialect inside a schema", () => {
    expect(refusal({ properties: { a: { $schema: uri("draft-07") } } }).path).toBe(
      "/properties/a/$schema",
    );
  });
});

describe("invalid schemas (SCH-05)", () => {
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
  ])("%j is rejected with its place", (schema, path) => {
    const error = refusal(schema);
    expect(error.path).toBe(path);
    expect(error.message).toContain(path);
  });

  it.each([null, [], "x", 1])("%j is rejected", (schema) => {
    expect(() => compile(schema as unknown as object)).toThrow(TypeError);
  });
});

describe("references", () => {
  it("resolve inside the schema: pointers, anchors, embedded $id (SCH-07)", () => {
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
  ])("are rejected and never fetched: %s (S02, SCH-09)", ($ref) => {
    const error = refusal({ properties: { a: { $ref } } });
    expect(error.message).not.toContain("\n");
    const inBranch = { anyOf: [{ type: "string" }, { $ref }] };
    expect(() => compile(inBranch)).toThrow(SchemaError);
  });

  it("are rejected for a $dynamicRef without a target (S02, SCH-09)", () => {
    expect(refusal({ items: { $dynamicRef: "#missing" } }).path).toContain("/items");
  });

  it("may recurse through the value to any depth of a message (S02)", () => {
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
  ])("are rejected if they never reach the value: %j (S02)", (schema) => {
    expect(refusal(schema).message).toContain("itself without end");
  });

  it("are rejected in a chain that is too long for the stack (S02)", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    );
    const error = refusal({ $defs: { ...$defs, d5000: {} }, $ref: "#/$defs/d0" });
    expect(error.message).toContain("256");
  });

  it("follow $dynamicRef to a single target", () => {
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
    [
      {
        $defs: {
          a: { $id: "a", $dynamicAnchor: "x", items: { $dynamicRef: "#x" } },
          b: { $id: "b", $dynamicAnchor: "x" },
        },
      },
    ],
  ])("report that %j is unsupported", (schema) => {
    expect(refusal(schema).message).toContain("not supported");
  });

  it("apply together with other keywords, and lead to several anchors of one subschema", () => {
    const $defs = {
      text: { $anchor: "a", $dynamicAnchor: "b", type: "string" },
      short: { $anchor: "c", maxLength: 2 },
    };
    for (const references of [
      { $ref: "#a", $dynamicRef: "#c" },
      { $ref: "#c", $dynamicRef: "#b" },
    ]) {
      expect(fits({ $defs, ...references }, "ab")).toBe(true);
      expect(fits({ $defs, ...references }, "abc")).toBe(false);
      expect(fits({ $defs, ...references }, 1)).toBe(false);
    }
  });

  it("follow $dynamicRef to the outermost anchor of its name", () => {
    const strict = {
      $id: "https://a.example/strict",
      $dynamicAnchor: "node",
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: "tree",
          $dynamicAnchor: "node",
          properties: { data: true, children: { items: { $dynamicRef: "#node" } } },
        },
      },
    };
    expect(fits(strict, { children: [{ data: 1 }] })).toBe(true);
    expect(fits(strict, { children: [{ daat: 1 }] })).toBe(false);
  });

  it("separate $anchor by resources with an $id", () => {
    const $defs = {
      a: { $id: "a", $defs: { x: { $anchor: "x", type: "string" } }, $ref: "#x" },
      b: { $id: "b", $defs: { x: { $anchor: "x", type: "number" } }, $ref: "#x" },
    };
    expect(fits({ $defs, $ref: "a" }, "a")).toBe(true);
    expect(fits({ $defs, $ref: "b" }, "a")).toBe(false);
    expect(fits({ $defs, $ref: "b#/$defs/x" }, 1)).toBe(true);
  });
});

describe("names of Object.prototype are ordinary names (SEC-23)", () => {
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

  it("inherited members of a schema are ignored", () => {
    const schema = Object.create({ type: "string" }) as object;
    expect(fits(schema, 1)).toBe(true);
  });
});

describe("keywords without effect (S04)", () => {
  it("ignore unknown keywords, whatever they contain (SCH-13)", () => {
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

  it("allow a property with the name of a keyword", () => {
    const properties = { $ref: { type: "string" }, $id: { type: "number" }, items: { const: 1 } };
    expect(fits({ properties }, { $ref: "a", $id: 1, items: 1 })).toBe(true);
    expect(fits({ properties }, { $ref: 1 })).toBe(false);
  });

  it("check known formats unless an option disables it", () => {
    expect(fits({ format: "date-time" }, "yesterday")).toBe(false);
    expect(fits({ format: "date-time" }, "2025-11-25T12:00:00Z")).toBe(true);
    expect(fits({ format: "colour" }, "yesterday")).toBe(true);
    const annotate = jsonSchemas({ formats: "annotate" });
    expect(annotate({ format: "date-time" })("yesterday")).toBeUndefined();
  });

  it("reject further members exactly if the schema says so (S05)", () => {
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
  it("leaves the schema unchanged, frozen or not", () => {
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } };
    const before = structuredClone(schema);
    Object.freeze(schema.properties.a);
    compile(Object.freeze(schema));
    expect(schema).toEqual(before);
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(["$ref"]);
  });

  it("ignores later changes of the schema", () => {
    const schema = { required: ["a"], const: { a: 1 } };
    const check = compile(schema);
    schema.required.push("b");
    schema.const.a = 2;
    expect(check({ a: 1 })).toBeUndefined();
  });

  it("works again after a rejection, also for the same value", () => {
    const check = compile({ type: "array", uniqueItems: true });
    expect(check([1, 1])).toBeDefined();
    expect(check([1, 2])).toBeUndefined();
    expect(check([1, 1])).toBeDefined();
  });
});
