import { isNode, type Node } from "./read/index.js";

/** Maximum length of a text from a schema in a message, in UTF-16 units. */
const MAX_ECHO = 80;

/**
 * Maximum length of a string of the format `regex`, because the engine cannot be interrupted while
 * it parses one.
 */
export const MAX_REGEX = 10_000;

/** Maximum number of alternatives in a text. */
const MAX_ALTERNATIVES = 8;

/** Requirement of a subschema's keyword, in words: `at least 3`. */
export function expectation(node: Node, keyword: string): string {
  const value = node[keyword];
  switch (keyword) {
    case "type":
      return typesOf(value);
    case "const":
      return json(value);
    case "enum":
      return alternatives(value as unknown[], json);
    case "anyOf":
    case "oneOf":
      return oneOf(keyword, value as readonly unknown[]);
    case "not":
      return "something else";
    case "pattern":
      return `a string that matches /${cut(String(value))}/`;
    case "format":
      return value === "regex"
        ? `a regular expression of at most ${MAX_REGEX} characters`
        : `a string of the format ${json(value)}`;
    case "contains":
      return "an item of a certain kind";
    case "uniqueItems":
      return "unique items";
    case "dependentRequired":
      return "the members that others of its members need";
    case "minimum":
    case "maximum":
      return bound(node, keyword, value);
    default:
      return count(keyword, value);
  }
}

/** Summary of a subschema in a word or two, if that says everything essential. */
export function sketch(schema: unknown): string | undefined {
  if (!isNode(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return json(schema["const"]);
  if (Array.isArray(schema["enum"])) return alternatives(schema["enum"], json);
  return schema["type"] === undefined ? undefined : typesOf(schema["type"]);
}

function count(keyword: string, value: unknown): string {
  const number = String(value);
  switch (keyword) {
    case "exclusiveMinimum":
      return `more than ${number}`;
    case "exclusiveMaximum":
      return `less than ${number}`;
    case "multipleOf":
      return `a multiple of ${number}`;
    case "minLength":
      return `at least ${number} characters`;
    case "maxLength":
      return `at most ${number} characters`;
    case "minItems":
      return `at least ${number} items`;
    case "maxItems":
      return `at most ${number} items`;
    case "minContains":
      return `at least ${number} items of a certain kind`;
    case "maxContains":
      return `at most ${number} items of a certain kind`;
    case "minProperties":
      return `at least ${number} members`;
    case "maxProperties":
      return `at most ${number} members`;
    default:
      return `what ${keyword} says`;
  }
}

/** Requirement of a bound; in draft-04, a flag next to it makes it exclusive. */
function bound(node: Node, keyword: "minimum" | "maximum", value: unknown): string {
  const isLower = keyword === "minimum";
  const isExclusive = node[isLower ? "exclusiveMinimum" : "exclusiveMaximum"] === true;
  const words = isExclusive
    ? (["more than", "less than"] as const)
    : (["at least", "at most"] as const);
  return `${words[isLower ? 0 : 1]} ${String(value)}`;
}

function oneOf(keyword: "anyOf" | "oneOf", schemas: readonly unknown[]): string {
  const sketches = schemas.map(sketch);
  const isClear = keyword === "anyOf" && !sketches.includes(undefined);
  if (isClear) return alternatives([...new Set(sketches as string[])], String);
  const quantity = keyword === "oneOf" ? "exactly one" : "one";
  return `${quantity} of ${schemas.length} alternatives`;
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
