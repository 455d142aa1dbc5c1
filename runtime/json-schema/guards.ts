import { CHECKED_FORMATS } from "./formats.js";
import { emptyNode, isNode, type Node, type Subschema, token } from "./node.js";
import { patternBound } from "./pattern-bound.js";
import { SchemaError } from "./schema-error.js";

/** Members of an object whose names are matched with patterns. */
const MAX_MATCHED = 2000;

/** Characters of a string that has to be a regular expression: the engine reads it without a stop. */
const MAX_REGEX = 10_000;

const OF_OBJECTS = ["properties", "patternProperties", "additionalProperties"] as const;

/** Members of a schema that are put in place of others, so that its evaluation costs what it should. */
export class Guards {
  /** Expectation of each subschema that refused a value. */
  readonly refusals: Map<Node, string> = new Map();
  /** True when some array must have no equal items. */
  hasUniqueItems = false;
  readonly #isRepetitive: () => boolean;

  /** @param isRepetitive - whether the array that was looked at last has equal items */
  constructor(isRepetitive: () => boolean) {
    this.#isRepetitive = isRepetitive;
  }

  /** Drops formats that are not checked; limits what the library does in quadratic time, or without a stop. */
  apply(node: Node, formats: "assert" | "annotate"): void {
    if (formats === "annotate" || !CHECKED_FORMATS.has(node["format"] as string))
      delete node["format"];
    if (node["format"] === "regex") {
      delete node["format"];
      const limit = `a regular expression of at most ${MAX_REGEX} characters`;
      this.#limit(node, nodeOf({ maxLength: MAX_REGEX }), nodeOf({ format: "regex" }), limit);
    }
    if (node["uniqueItems"] !== true) return;
    delete node["uniqueItems"];
    this.hasUniqueItems = true;
    // The condition reads the length of the array that the refusal is about.
    this.#guard(node, nodeOf({ type: "array", minItems: 2 }), this.#withoutRepetition(), true);
  }

  /**
   * Limits the strings that patterns are matched with, as they can come from somebody who wants that to take long.
   * @throws SchemaError for a pattern that no limit makes safe
   */
  limitPatterns(node: Node, path: string): void {
    const { pattern } = node;
    if (typeof pattern === "string") {
      const bound = boundOf(pattern, `${path}/pattern`);
      if (bound !== Infinity) {
        delete node["pattern"];
        const limit = `at most ${bound} characters, to be matched with a pattern`;
        this.#limit(node, nodeOf({ maxLength: bound }), nodeOf({ pattern }), limit);
      }
    }
    if (isNode(node["patternProperties"])) this.#limitNames(node, node["patternProperties"], path);
  }

  #limitNames(node: Node, patterns: Node, path: string): void {
    const sources = Object.keys(patterns);
    const bounds = sources.map((pattern) => {
      const at = `${path}/patternProperties${token(pattern)}`;
      return boundOf(pattern, at, MAX_MATCHED * sources.length);
    });
    const bound = Math.min(...bounds);
    const inner = emptyNode();
    for (const name of OF_OBJECTS) {
      if (node[name] === undefined) continue;
      inner[name] = node[name];
      delete node[name];
    }
    const few = nodeOf({ maxProperties: MAX_MATCHED });
    let limits = `at most ${MAX_MATCHED} members`;
    if (bound !== Infinity) {
      few["propertyNames"] = nodeOf({ maxLength: bound });
      limits += ` with names of at most ${bound} characters`;
    }
    this.#limit(node, few, inner, `${limits}, to be matched with patterns`);
  }

  #limit(node: Node, condition: Node, then: Node, expected: string): void {
    const refusal = nodeOf({ not: true });
    this.refusals.set(refusal, expected);
    this.#guard(node, condition, then, refusal);
  }

  #guard(node: Node, condition: Node, then: Node, otherwise: Subschema): void {
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of that name
    const guard = nodeOf({ if: condition, then, else: otherwise });
    const before = Array.isArray(node["allOf"]) ? (node["allOf"] as unknown[]) : [];
    node["allOf"] = [...before, guard];
  }

  #withoutRepetition(): Node {
    const refusal = emptyNode();
    this.refusals.set(refusal, "unique items");
    return Object.defineProperty(refusal, "not", { get: this.#isRepetitive });
  }
}

/** @throws SchemaError when it is no regular expression */
export function checkPattern(pattern: string, path: string): void {
  try {
    RegExp(pattern, "u");
  } catch {
    throw new SchemaError(path, "it is not a regular expression with the flag u (ECMA-262)");
  }
}

function boundOf(pattern: string, path: string, matches?: number): number {
  const bound = patternBound(pattern, matches);
  if (bound !== undefined) return bound;
  const why = "matching this pattern could take for ever, and its schema is not trusted";
  throw new SchemaError(path, why);
}

function nodeOf(members: Record<string, unknown>): Node {
  return Object.assign(emptyNode(), members);
}
