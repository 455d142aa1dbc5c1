import type { Context } from "./context.js";
import type { PositionedTag } from "./comments.js";
import type { Constraints } from "./schema-model.js";

type Reader = (value: string) => Constraints | undefined;

const TAGS = new Map<string, { readonly read: Reader; readonly expected: string }>([
  ["TJS-type", { read: numberKind, expected: "`number` or `integer`" }],
  ["minimum", { read: (value) => bound(value, "minimum"), expected: "a number" }],
  ["maximum", { read: (value) => bound(value, "maximum"), expected: "a number" }],
  ["minItems", { read: (value) => count(value, "minItems"), expected: "a whole number" }],
  ["maxItems", { read: (value) => count(value, "maxItems"), expected: "a whole number" }],
  ["minLength", { read: (value) => count(value, "minLength"), expected: "a whole number" }],
  ["maxLength", { read: (value) => count(value, "maxLength"), expected: "a whole number" }],
  ["pattern", { read: pattern, expected: "a regular expression with the meaning of the flag `u`" }],
  ["format", { read: format, expected: "the name of a format" }],
]);

/** Matches tags that typescript-json-schema converts to keywords which our validators do not enforce. */
const UNSUPPORTED = new RegExp(
  "^(?:TJS-.*|\\$ref|asType|additionalProperties|const|contains|contentEncoding|contentMediaType|enum|" +
    "exclusiveMaximum|exclusiveMinimum|ignore|items(?:\\..*)?|maxProperties|minProperties|multipleOf|" +
    "propertyNames|ref|type|uniqueItems)$",
);

/** Returns true if a tag may change which values are valid on the wire, and therefore must never be ignored. */
export function constrainingTag(name: string): boolean {
  return TAGS.has(name) || name === "nullable" || UNSUPPORTED.test(name);
}

export function readConstraints(
  tags: readonly PositionedTag[],
  context: Context,
): Constraints | undefined {
  const seen = new Set<string>();
  let constraints: Constraints = {};
  for (const tag of tags) {
    const value = readTag(tag, seen, context);
    if (value) constraints = { ...constraints, ...value };
    seen.add(tag.name);
  }
  checkRange(constraints, "minimum", "maximum", tags, context);
  checkRange(constraints, "minItems", "maxItems", tags, context);
  checkRange(constraints, "minLength", "maxLength", tags, context);
  return Object.keys(constraints).length > 0 ? constraints : undefined;
}

function readTag(
  tag: PositionedTag,
  seen: ReadonlySet<string>,
  context: Context,
): Constraints | undefined {
  const span = context.spanAt(tag.start, tag.end);
  const known = TAGS.get(tag.name);
  if (!known) {
    if (!UNSUPPORTED.test(tag.name)) return undefined;
    context.refuse(
      span,
      "MCG2085",
      `The constraint \`@${tag.name}\` is not supported.`,
      `Supported are ${[...TAGS.keys()].map((name) => `@${name}`).join(", ")}.`,
    );
    return undefined;
  }
  if (seen.has(tag.name)) {
    context.refuse(span, "MCG2081", `\`@${tag.name}\` is stated twice.`, "Keep one of them.");
    return undefined;
  }
  const constraints = known.read(tag.text.split("\n")[0]!.trim());
  if (!constraints) {
    context.refuse(
      span,
      "MCG2080",
      `\`@${tag.name}\` has no valid value.`,
      `Write ${known.expected} after the tag, and nothing else on the line.`,
    );
  }
  return constraints;
}

function checkRange(
  constraints: Constraints,
  lower: "minimum" | "minItems" | "minLength",
  upper: "maximum" | "maxItems" | "maxLength",
  tags: readonly PositionedTag[],
  context: Context,
): void {
  const [least, most] = [constraints[lower], constraints[upper]];
  if (least === undefined || most === undefined || least <= most) return;
  const tag = tags.find(({ name }) => name === upper)!;
  context.refuse(
    context.spanAt(tag.start, tag.end),
    "MCG2082",
    `No value satisfies \`@${lower} ${least}\` and \`@${upper} ${most}\`.`,
    "Correct one of the bounds.",
  );
}

function numberKind(value: string): Constraints | undefined {
  return value === "number" || value === "integer" ? { number: value } : undefined;
}

function bound(value: string, name: "minimum" | "maximum"): Constraints | undefined {
  const number = Number(value);
  const plain = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
  return plain && Number.isFinite(number) ? { [name]: number } : undefined;
}

function count(
  value: string,
  name: "minItems" | "maxItems" | "minLength" | "maxLength",
): Constraints | undefined {
  const number = Number(value);
  return /^\d+$/.test(value) && Number.isSafeInteger(number) ? { [name]: number } : undefined;
}

function format(value: string): Constraints | undefined {
  return /^\S+$/.test(value) ? { format: value } : undefined;
}

/** Reads a regular expression without delimiters, as in JSON Schema. */
function pattern(value: string): Constraints | undefined {
  return value !== "" && isExpression(value) ? { pattern: value } : undefined;
}

function isExpression(value: string): boolean {
  try {
    return new RegExp(value, "u").unicode;
  } catch {
    return false;
  }
}
