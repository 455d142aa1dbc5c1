/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { expect, it } from "vitest";
import { jsonSchemas } from "../../runtime/json-schema/index.js";

const compile = jsonSchemas();

/** Returns issues as lines, such as `/a string <- 1`. */
function issues(schema: object, value: unknown): string[] {
  const found = compile(schema)(value) ?? [];
  return found.map(({ path, expected, received }) => `${path} ${expected} <- ${received}`);
}

const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    age: { type: "integer", minimum: 0, exclusiveMaximum: 150 },
    role: { enum: ["admin", "user"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 2, uniqueItems: true },
    home: { $ref: "#/$defs/address" },
  },
  required: ["name", "role"],
  additionalProperties: false,
  $defs: { address: { type: "object", properties: { zip: { pattern: "^\\d+$" } } } },
};

it("every issue is named with its place", () => {
  const value = { name: "x", age: -1, tags: ["a", 2], home: { zip: "abc" }, extra: null };
  expect(issues(person, value)).toEqual([
    '/role "admin" | "user" <- nothing',
    '/name at least 2 characters <- "x"',
    "/age at least 0 <- -1",
    "/tags/1 string <- 2",
    '/home/zip a string that matches /^\\d+$/ <- "abc"',
    "/extra nothing <- null",
  ]);
});

it.each([
  [{ type: ["string", "null"] }, 1, " string | null <- 1"],
  [{ const: { a: 1 } }, {}, ' {"a":1} <- object'],
  [{ anyOf: [{ type: "string" }, { const: 3 }] }, true, " string | 3 <- true"],
  [{ anyOf: [{ minimum: 5 }, { type: "string" }] }, 1, " one of 2 alternatives <- 1"],
  [{ oneOf: [{ type: "string" }, { minLength: 1 }] }, "a", ' exactly one of 2 alternatives <- "a"'],
  [{ not: { type: "string" } }, "a", ' something else <- "a"'],
  [{ multipleOf: 3 }, 4, " a multiple of 3 <- 4"],
  [{ exclusiveMinimum: 3 }, 3, " more than 3 <- 3"],
  [{ maximum: 3 }, 4, " at most 3 <- 4"],
  [{ format: "email" }, "x", ' a string of the format "email" <- "x"'],
  [{ uniqueItems: true }, [1, 1], " unique items <- array"],
  [{ contains: { type: "string" } }, [1], " an item of a certain kind <- array"],
  [{ minProperties: 1 }, {}, " at least 1 members <- object"],
  [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, '/abc at most 2 characters <- "abc"'],
  [{ properties: { a: false } }, { a: 1 }, "/a nothing <- 1"],
  [{ propertyNames: false }, { a: 1 }, '/a another name <- "a"'],
  [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, "/b a value <- nothing"],
  [{ items: { items: { type: "null" } } }, [[null, 1]], "/0/1 null <- 1"],
  [{ properties: { "a/b~c %": { type: "null" } } }, { "a/b~c %": 1 }, "/a~1b~0c % null <- 1"],
  [{ unevaluatedProperties: false }, { a: 1 }, "/a nothing <- 1"],
  [
    { dependentRequired: { a: ["b"] } },
    { a: 1 },
    " the members that others of its members need <- object",
  ],
])("the issue of %j for %j is: %s", (schema, value, line) => {
  expect(issues(schema, value)).toEqual([line]);
});

it("there is an issue even if only alternatives fail", () => {
  expect(issues({ anyOf: [false, false] }, 1)).toEqual([" one of 2 alternatives <- 1"]);
  expect(issues({ allOf: [false] }, 1)).toHaveLength(1);
});

it("draft-04 has its own messages for exclusive bounds", () => {
  const $schema = "http://json-schema.org/draft-04/schema#";
  expect(issues({ $schema, minimum: 3, exclusiveMinimum: true }, 3)).toEqual([" more than 3 <- 3"]);
});

it("issues quote little of the schema and the value", () => {
  const schema = { enum: Array.from({ length: 1000 }, (_, index) => `value ${index}`) };
  const text = issues({ properties: { a: schema } }, { a: "x".repeat(100_000) }).join();
  expect(text.length).toBeLessThan(300);
  const many = issues(
    { items: { type: "null" } },
    Array.from({ length: 10_000 }, () => 1),
  );
  expect(many.length).toBeLessThanOrEqual(100);
});

it.each([[undefined], [1n], [() => 1], [Symbol("x")]])(
  "%s is rejected because it is not JSON",
  (value) => {
    expect(compile({ type: "object" })(value)).toHaveLength(1);
  },
);

it("a member name with half a surrogate pair is rejected without a crash (F12)", () => {
  expect(compile({ additionalProperties: { type: "string" } })({ "\ud800": 1 })).toHaveLength(1);
});
