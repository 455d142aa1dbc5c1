import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describeThrown } from "../../errors.js";
import { isThenable } from "../../thenable.js";
import { isObject } from "../../validate.js";
import { isShape, schemaOfShape } from "./schema-of-shape.js";
import type { AnySchema, StandardSchema } from "./schema-types.js";

/** What became of a value: what the schema makes of it, or why it does not fit. */
export type Parsing = { readonly value: unknown } | { readonly problem: string };

/** A schema as the facade works with it. */
export interface ReadSchema {
  /** As peers see it. */
  readonly json: Record<string, unknown>;
  /** Checks a value and gives what the schema makes of it; absent for a plain JSON Schema, which is checked as such. */
  readonly parse?: ((value: unknown) => Parsing | Promise<Parsing>) | undefined;
}

/** The dialect that schemas are converted to, which peers take for granted where nothing is said. */
const TARGET = "draft-2020-12";

/** How many issues a text names, and how long it may get, in UTF-16 units. */
const MAX_NAMED = 5;
const MAX_TEXT = 1000;

/**
 * Reads a schema of any of the kinds that the facade takes.
 *
 * @param part - which side of the schema peers are to see: what it accepts, or what it makes of that
 * @param whose - for messages: `the inputSchema of "add"`
 * @throws TypeError for what is no schema, or has no form as JSON Schema
 */
export function readSchema(schema: AnySchema, part: "input" | "output", whose: string): ReadSchema {
  if (isStandard(schema)) return { json: jsonOf(schema, part, whose), parse: parserOf(schema) };
  if (isShape(schema)) return readSchema(schemaOfShape(schema, whose), part, whose);
  if (!isObject(schema)) throw new TypeError(`${whose} is no schema`);
  return { json: schema };
}

export function isStandard(schema: unknown): schema is StandardSchema {
  const isHolder = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isHolder && "~standard" in schema;
}

/** A schema of an object always says so, also when it is a choice between several. */
export function ofObject({ json, parse }: ReadSchema): ReadSchema {
  return { json: "type" in json ? json : { type: "object", ...json }, parse };
}

function jsonOf(
  schema: StandardSchema,
  part: "input" | "output",
  whose: string,
): Record<string, unknown> {
  const { jsonSchema, vendor } = schema["~standard"] as Partial<StandardSchema["~standard"]>;
  if (jsonSchema === undefined) {
    const advice =
      vendor === "valibot"
        ? "wrap it with toStandardJsonSchema of @valibot/to-json-schema"
        : "use a version of the library with Standard JSON Schema";
    throw new TypeError(`${whose} does not tell how it looks as JSON Schema: ${advice}`);
  }
  try {
    const { $schema: _, ...json } = jsonSchema[part]({ target: TARGET });
    return json;
  } catch (error) {
    const problem = `${whose} has no form as JSON Schema: ${describeThrown(error)}`;
    throw new TypeError(problem, { cause: error });
  }
}

function parserOf(schema: StandardSchema): NonNullable<ReadSchema["parse"]> {
  const standard = schema["~standard"];
  return (value) => {
    const result = standard.validate(value);
    return isThenable(result) ? Promise.resolve(result).then(parsingOf) : parsingOf(result);
  };
}

function parsingOf(result: StandardSchemaV1.Result<unknown>): Parsing {
  return result.issues ? { problem: textOf(result.issues) } : { value: result.value };
}

/** A line, fit for a log whatever names a peer invents. */
function textOf(issues: readonly StandardSchemaV1.Issue[]): string {
  const named = issues
    .slice(0, MAX_NAMED)
    .map(({ path = [], message }) => {
      const pointer = path.map((step) => `/${String(typeof step === "object" ? step.key : step)}`);
      return pointer.length === 0 ? message : `${pointer.join("")}: ${message}`;
    })
    .join("; ");
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : "";
  const text = named.replace(/\p{Cc}/gu, "\ufffd");
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text) + more;
}
