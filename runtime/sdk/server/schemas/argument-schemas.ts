import { ToolError } from "@mcp-codegen/universal";
import {
  type CallToolResult,
  fromJsonSchema,
  type StandardSchemaV1,
  type StandardSchemaWithJSON,
} from "../../shared/index.js";
import type { ArgumentsSchema, ZodRawShape } from "../adapted-callbacks.js";

type JsonSchema = Record<string, unknown>;
type Direction = "input" | "output";
type Validate = StandardSchemaV1.Props["validate"];

/** The dialect of the JSON Schemas sent to clients. */
const TARGET = "draft-2020-12";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const ADVICE = "use zod 4.2 or later, or a library that implements Standard JSON Schema";

/**
 * Caches the object schemas built from records of schemas, because programs register the same schemas for every
 * request.
 */
const objects = new WeakMap<object, StandardSchemaWithJSON>();
const converted = new WeakMap<object, Partial<Record<Direction, JsonSchema>>>();

/**
 * Returns the Standard Schema for arguments or structured content.
 *
 * @param whose - names the schema in error messages, such as `the inputSchema of "add"`
 */
export function standardOf(schema: ArgumentsSchema, whose: string): StandardSchemaWithJSON {
  if (isStandard(schema)) return schema as StandardSchemaWithJSON;
  const members: unknown[] = isRecord(schema) ? Object.values(schema) : [undefined];
  const known = objects.get(schema);
  if (known) return known;
  if (!members.every(isStandard) && (!isRecord(schema) || members.some(isStandard))) {
    const kinds = "a schema of a library, or a record of such schemas by property";
    throw new TypeError(`${whose} is not a schema: pass ${kinds}`);
  }
  const isShape = members.every(isStandard);
  const object = isShape ? objectOf(schema as ZodRawShape, whose) : fromJsonSchema({ ...schema });
  objects.set(schema, object);
  return object;
}

/** Returns a schema's JSON Schema, with the dialect that the library states. */
export function jsonSchemaOf(
  schema: StandardSchemaV1,
  direction: Direction,
  whose: string,
): JsonSchema {
  const found = converted.get(schema) ?? {};
  converted.set(schema, found);
  return (found[direction] ??= ofObject(conversion(schema, direction, whose), direction));
}

/**
 * Adds `type` to a JSON Schema for arguments that lacks it, such as a union, because arguments are always an object.
 */
function ofObject(json: JsonSchema, direction: Direction): JsonSchema {
  return direction === "output" || "type" in json ? json : { type: "object", ...json };
}

function conversion(schema: StandardSchemaV1, direction: Direction, whose: string): JsonSchema {
  const { jsonSchema } = (schema as StandardSchemaWithJSON)["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(`${whose} cannot be converted to JSON Schema: ${ADVICE}`);
  }
  try {
    // The JSON Schemas that zod creates also have a property that makes them Standard Schemas; a copy does not.
    return { ...jsonSchema[direction]({ target: TARGET }) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${whose} cannot be represented as JSON Schema: ${problem}`, { cause });
  }
}

export async function parsed(
  schema: StandardSchemaV1,
  value: unknown,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const outcome = schema["~standard"].validate(value);
  const result = outcome instanceof Promise ? await outcome : outcome;
  if (!result.issues) return { value: result.value };
  return { problem: result.issues.map(textOf).join(", ") };
}

function textOf({ path = [], message }: StandardSchemaV1.Issue): string {
  const place = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}

export async function toolArguments(
  name: string,
  schema: StandardSchemaV1,
  given: unknown,
): Promise<unknown> {
  const parsing = await parsed(schema, given);
  if ("value" in parsing) return parsing.value;
  throw new ToolError(
    `Input validation error: Invalid arguments for tool ${name}: ${parsing.problem}`,
  );
}

export async function assertOutput(
  name: string,
  schema: StandardSchemaV1,
  result: Partial<CallToolResult> & { resultType?: string },
): Promise<void> {
  const { isError, structuredContent, resultType = "complete" } = result;
  if (isError === true || resultType !== "complete" || "task" in result) return;
  if (structuredContent === undefined) {
    throw new ToolError(
      `Output validation error: Tool ${name} has an output schema but no structured content was provided`,
    );
  }
  const parsing = await parsed(schema, structuredContent);
  if ("value" in parsing) return;
  throw new ToolError(
    `Output validation error: Invalid structured content for tool ${name}: ${parsing.problem}`,
  );
}

/** Members of a tool's result, at least one of which every result has. */
const OF_RESULTS = ["content", "structuredContent", "isError", "resultType", "task"];

export function assertResult(name: string, result: unknown): void {
  if (result === undefined || typeof result === "string" || Array.isArray(result)) return;
  if (isRecord(result) && OF_RESULTS.some((member) => member in result)) return;
  const type = result === null ? "null" : typeof result;
  throw new TypeError(`Tool ${name} returned a value of type ${type}, which is not a result`);
}

/** Returns an object schema built from the schemas of its properties. Its output has no other properties. */
function objectOf(
  shape: ZodRawShape,
  whose: string,
): StandardSchemaWithJSON & { readonly shape: ZodRawShape } {
  const json = (direction: Direction) => (): JsonSchema => {
    const properties = Object.entries(shape).map(([name, schema]) => {
      const { $schema: _dialect, ...own } = conversion(
        schema,
        direction,
        `${JSON.stringify(name)} in ${whose}`,
      );
      return [name, own] as const;
    });
    assertNoReferences(properties, whose);
    const required = Object.entries(shape).filter(([, schema]) => isRequired(schema, direction));
    return {
      $schema: DIALECT,
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
      ...(direction === "output" ? { additionalProperties: false } : {}),
    };
  };
  return {
    shape,
    "~standard": {
      version: 1,
      vendor: "mcp-codegen",
      validate: objectCheck(shape),
      jsonSchema: { input: json("input"), output: json("output") },
    },
  };
}

function assertNoReferences(
  properties: readonly (readonly [string, object])[],
  whose: string,
): void {
  const referring = properties.find(([, json]) => JSON.stringify(json).includes('"$ref":'));
  if (referring === undefined) return;
  throw new TypeError(
    `${JSON.stringify(referring[0])} in ${whose} refers to other schemas: use one schema with all properties`,
  );
}

/**
 * True if a property is required. Schemas of zod state this; other schemas are tested with the value undefined. An
 * asynchronous schema counts as required.
 */
function isRequired(schema: StandardSchemaV1, direction: Direction): boolean {
  const { _zod: zod } = schema as { _zod?: { optin?: string; optout?: string } };
  if (zod) return (direction === "input" ? zod.optin : zod.optout) === undefined;
  const result = schema["~standard"].validate(undefined);
  if (!(result instanceof Promise)) return result.issues !== undefined;
  result.catch(() => undefined);
  return true;
}

function objectCheck(shape: ZodRawShape): Validate {
  const properties = Object.entries(shape);
  return async (value) => {
    if (!isRecord(value)) return { issues: [{ message: "Invalid input: expected object" }] };
    const issues: StandardSchemaV1.Issue[] = [];
    const members: [string, unknown][] = [];
    for (const [name, schema] of properties) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const result = await schema["~standard"].validate(own);
      for (const { message, path = [] } of result.issues ?? [])
        issues.push({ message, path: [name, ...path] });
      if (!result.issues && (result.value !== undefined || Object.hasOwn(value, name)))
        members.push([name, result.value]);
    }
    return issues.length > 0 ? { issues } : { value: Object.fromEntries(members) };
  };
}

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  const isHolder = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isHolder && "~standard" in schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
