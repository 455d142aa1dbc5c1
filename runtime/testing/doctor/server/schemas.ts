import { jsonSchemas, SchemaError } from "@mcp-codegen/runtime/json-schema";
import type { TapeLine } from "../../tape/index.js";
import { at, below, isMembers, type Members } from "../../tape/json-value.js";
import type { Visit } from "../visit.js";

interface SchemaPlace {
  readonly line: TapeLine;
  readonly pointer: string;
}

const compileOwn = jsonSchemas({ formats: "annotate" });
const compileForeign = jsonSchemas({ trust: "foreign", formats: "annotate" });

export function checkSchema(visit: Visit, schema: Members, place: SchemaPlace): void {
  if (!compiles(visit, schema, place)) return;
  walk(schema, "", (node, path) => {
    const placeAt = (more: string, received: unknown) => ({
      ...place,
      pointer: `${place.pointer}${path}${more}`,
      received,
    });
    const { required, properties } = node;
    if (
      Array.isArray(required) &&
      isMembers(properties) &&
      node["additionalProperties"] === undefined &&
      node["patternProperties"] === undefined
    ) {
      required.forEach((name, index) => {
        visit.expect(
          "schema-required",
          Object.hasOwn(properties, String(name)),
          placeAt(`/required/${index}`, name),
        );
      });
    }
    if (node["default"] !== undefined)
      visit.expect(
        "schema-default",
        fits(node, schema, node["default"]),
        placeAt("/default", node["default"]),
      );
  });
}

/**
 * Checks that clients that do not trust the server can apply a schema in linear time. Returns false if the schema
 * cannot be examined further. Another check reports invalid schemas.
 */
function compiles(visit: Visit, schema: Members, { line, pointer }: SchemaPlace): boolean {
  try {
    compileOwn(schema);
  } catch {
    return false;
  }
  try {
    compileForeign(schema);
    return visit.expect("schema-slow", true, { received: undefined });
  } catch (error) {
    if (!(error instanceof SchemaError)) return true;
    const received = at(schema, error.path);
    return visit.expect("schema-slow", false, {
      line,
      pointer: `${pointer}${error.path}`,
      expected: reasonOf(error),
      received,
    });
  }
}

function reasonOf({ message, path }: SchemaError): string {
  return message.replace(path === "" ? "The schema: " : `The schema at ${path}: `, "");
}

/** True if a value is valid for part of a schema. A part that cannot be compiled on its own accepts any value. */
function fits(node: Members, schema: Members, value: unknown): boolean {
  try {
    const { $defs, definitions } = schema;
    const whole = {
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
      ...node,
    };
    return compileOwn(whole)(value) === undefined;
  } catch {
    return true;
  }
}

/** The keywords whose value is a single schema. */
const ONE = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
];
/** The keywords whose value is a list of schemas. */
const MANY = ["anyOf", "oneOf", "allOf", "prefixItems"];
/** The keywords whose value is a map of schemas. */
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

function walk(node: unknown, path: string, visitNode: (node: Members, path: string) => void): void {
  if (!isMembers(node) || path.length > 2_000) return;
  visitNode(node, path);
  for (const name of ONE) walk(node[name], `${path}/${name}`, visitNode);
  for (const name of MANY) {
    const list = node[name];
    if (Array.isArray(list))
      list.forEach((one, index) => walk(one, `${path}/${name}/${index}`, visitNode));
  }
  for (const name of MAPS) {
    const map = node[name];
    if (!isMembers(map)) continue;
    for (const [key, one] of Object.entries(map))
      walk(one, below(`${path}/${name}`, key), visitNode);
  }
}
