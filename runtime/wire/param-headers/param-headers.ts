import { isObject } from "../validation/tests.js";
import { quote } from "../messages/jsonrpc.js";

/**
 * An argument that HTTP requests mirror in a header field (MCP: Streamable HTTP, custom headers from tool parameters).
 */
export interface ParamHeader {
  /** The field's full name, as spelled in the schema, such as `Mcp-Param-Region`. */
  readonly header: string;
  /** The field's name in lower case, for lookups. */
  readonly field: string;
  /** The path from the arguments to the value. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

const ANNOTATION = "x-mcp-header";
/** Matches a field name (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The keywords whose value contains schemas by name. Only those in `properties` describe one particular argument. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
]);
/** The keywords whose value is data that may resemble a schema. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);

/**
 * Returns the annotated properties in a schema for arguments, in schema order.
 *
 * @throws TypeError if an annotation is not a field name, occurs twice (in any case), is not on a string, integer or
 *   boolean, or is anywhere but on nested properties, where it would not describe one particular argument
 */
export function paramHeadersOf(inputSchema: unknown): readonly ParamHeader[] {
  const found = new Map<string, ParamHeader>();
  collect(inputSchema, [], "", found);
  return [...found.values()];
}

/** @param path - undefined if the schema does not describe one particular argument */
function collect(
  schema: unknown,
  path: readonly string[] | undefined,
  place: string,
  found: Map<string, ParamHeader>,
): void {
  if (!isObject(schema)) return;
  if (Object.hasOwn(schema, ANNOTATION)) add(schema, path, place, found);
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null || DATA.has(keyword)) continue;
    const isNamed = NAMED_SCHEMAS.has(keyword);
    if (!isNamed && isObject(value)) {
      collect(value, undefined, `${place}/${keyword}`, found);
      continue;
    }
    for (const [name, inner] of Object.entries(value)) {
      const within = keyword === "properties" && path ? [...path, name] : undefined;
      collect(inner, within, `${place}/${keyword}/${name}`, found);
    }
  }
}

function add(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
  place: string,
  found: Map<string, ParamHeader>,
): void {
  const { [ANNOTATION]: name, type } = schema;
  const fail = (problem: string): never => {
    throw new TypeError(`"${ANNOTATION}" at ${quote(place || "/")} ${problem}`);
  };
  if (typeof name !== "string" || name === "") return fail("must be a string that is not empty");
  if (!TOKEN.test(name)) return fail(`is ${quote(name)}, which cannot be part of a header's name`);
  if (path === undefined || path.length === 0)
    return fail("is not reached from the arguments by properties alone");
  if (type !== "string" && type !== "integer" && type !== "boolean")
    return fail('must be on a "string", "integer" or "boolean"');
  const key = name.toLowerCase();
  if (found.has(key)) return fail(`repeats ${quote(name)}: no two arguments can share a header`);
  const header = `Mcp-Param-${name}`;
  found.set(key, { header, field: header.toLowerCase(), path, type });
}
