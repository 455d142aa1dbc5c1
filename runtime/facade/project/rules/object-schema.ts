import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";
import { WRAPPER } from "./object-content.js";

/** Members that references within a schema point to from its root. */
const ROOTS = ["$defs", "definitions"];
const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "string",
]);

/**
 * Wraps the schema of structured content where that has to be an object, as the content itself (MCP: tools, output
 * schema). A schema that may describe an object or something else is lost.
 */
export const objectSchema: Rule = {
  down(value, _shape, descent) {
    if (!isObject(value)) return descent.lose(value, "has to describe an object");
    const { type } = value;
    if (type === "object") return value;
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    return types.every((one) => TYPES.has(one))
      ? wrapped(value)
      : descent.lose(value, "has to describe an object");
  },
};

function wrapped(schema: Record<string, unknown>): object {
  const { $schema, ...described } = schema;
  const roots = ROOTS.filter((name) => Object.hasOwn(described, name));
  const kept = Object.fromEntries(roots.map((name) => [name, described[name]]));
  const inner = Object.entries(described).filter(([name]) => !roots.includes(name));
  const hasOwnBase = "$id" in described;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { [WRAPPER]: hasOwnBase ? described : moved(Object.fromEntries(inner)) },
    required: [WRAPPER],
    ...(hasOwnBase ? {} : (moved(kept) as object)),
  };
}

/** A part of a schema whose references to the root of the schema point to where that is now. */
function moved(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moved);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === "$ref" && typeof value === "string" ? movedReference(value) : moved(value),
    ]),
  );
}

function movedReference(reference: string): string {
  const isOwn = reference === "#" || reference.startsWith("#/");
  if (!isOwn || ROOTS.some((name) => reference.startsWith(`#/${name}/`))) return reference;
  return `#/properties/${WRAPPER}${reference.slice(1)}`;
}
