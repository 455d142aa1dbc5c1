import { isNode, type Node } from "./read/index.js";

/** The maximum length of text from a schema that a message quotes, in UTF-16 units. */
const MAX_ECHO = 80;

/** The maximum length of a string with the format `regex`. The engine cannot be interrupted while it parses one. */
export const MAX_REGEX = 10_000;

const MAX_ALTERNATIVES = 8;

const WORDS: Readonly<Record<string, (value: unknown, node: Node) => string>> = {
  type: typesOf,
  const: json,
  enum: (values) => alternatives(values as unknown[], json),
  anyOf: (schemas) => {
    const sketches = (schemas as unknown[]).map(sketch);
    return sketches.includes(undefined)
      ? `one of ${sketches.length} alternatives`
      : alternatives([...new Set(sketches)], String);
  },
  oneOf: (schemas) => `exactly one of ${(schemas as unknown[]).length} alternatives`,
  not: () => "something else",
  pattern: (source) => `a string that matches /${cut(String(source))}/`,
  format: (name) =>
    name === "regex"
      ? `a regular expression of at most ${MAX_REGEX} characters`
      : `a string of the format ${json(name)}`,
  contains: () => "an item of a certain kind",
  uniqueItems: () => "unique items",
  dependentRequired: () => "the members that others of its members need",
  // In draft-04, a flag next to a bound makes it exclusive.
  minimum: (limit, node) =>
    `${node["exclusiveMinimum"] === true ? "more than" : "at least"} ${limit}`,
  maximum: (limit, node) =>
    `${node["exclusiveMaximum"] === true ? "less than" : "at most"} ${limit}`,
  exclusiveMinimum: (limit) => `more than ${limit}`,
  exclusiveMaximum: (limit) => `less than ${limit}`,
  multipleOf: (divisor) => `a multiple of ${divisor}`,
  minLength: (limit) => `at least ${limit} characters`,
  maxLength: (limit) => `at most ${limit} characters`,
  minItems: (limit) => `at least ${limit} items`,
  maxItems: (limit) => `at most ${limit} items`,
  minContains: (limit) => `at least ${limit} items of a certain kind`,
  maxContains: (limit) => `at most ${limit} items of a certain kind`,
  minProperties: (limit) => `at least ${limit} members`,
  maxProperties: (limit) => `at most ${limit} members`,
};

/** Returns a keyword's requirement in words, such as `at least 3`. */
export function expectation(node: Node, keyword: string): string {
  return WORDS[keyword]?.(node[keyword], node) ?? `what ${keyword} says`;
}

/** Returns a subschema's values or types in words, or undefined if it has neither. */
export function sketch(schema: unknown): string | undefined {
  if (!isNode(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return json(schema["const"]);
  if (Array.isArray(schema["enum"])) return alternatives(schema["enum"], json);
  return schema["type"] === undefined ? undefined : typesOf(schema["type"]);
}

function typesOf(value: unknown): string {
  return Array.isArray(value) ? value.join(" | ") : String(value);
}

function alternatives(values: readonly unknown[], describe: (value: unknown) => string): string {
  const named = values.slice(0, MAX_ALTERNATIVES).map(describe).join(" | ");
  return values.length > MAX_ALTERNATIVES ? `${named} | …` : named;
}

function json(value: unknown): string {
  return cut(JSON.stringify(value) ?? "nothing");
}

function cut(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO - 1)}…` : text;
}
