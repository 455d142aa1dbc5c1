import type { StandardSchemaV1 } from "@standard-schema/spec";
import { quote } from "../../jsonrpc.js";
import { isThenable } from "../../thenable.js";
import { isObject } from "../../validate.js";
import type { ShapeOfSchemas, StandardSchema } from "./schema-types.js";

type Issues = readonly StandardSchemaV1.Issue[];
type Outcome = StandardSchemaV1.Result<unknown>;

/** Whether a value is an object of schemas: `{ city: z.string() }`. */
export function isShape(value: unknown): value is ShapeOfSchemas {
  if (!isObject(value) || "~standard" in value) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((one) => isHolder(one) && "~standard" in one);
}

/** Makes one schema of those of an object's properties. Members without a schema are left out of what it gives. */
export function schemaOfShape(shape: ShapeOfSchemas, whose: string): StandardSchema {
  const properties = Object.entries(shape);
  const json = (part: "input" | "output"): Record<string, unknown> => ({
    type: "object",
    properties: Object.fromEntries(
      properties.map(([name, schema]) => [name, propertyOf(name, schema, part, whose)]),
    ),
    required: properties.filter(([, schema]) => isRequired(schema)).map(([name]) => name),
  });
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-codegen",
      validate: (value) => validate(properties, value),
      jsonSchema: { input: () => json("input"), output: () => json("output") },
    },
  };
}

function propertyOf(
  name: string,
  schema: StandardSchema,
  part: "input" | "output",
  whose: string,
): Record<string, unknown> {
  const { jsonSchema } = schema["~standard"] as Partial<StandardSchema["~standard"]>;
  if (jsonSchema === undefined) {
    throw new TypeError(`${quote(name)} in ${whose} does not tell how it looks as JSON Schema`);
  }
  const { $schema: _, ...json } = jsonSchema[part]({ target: "draft-2020-12" });
  if (JSON.stringify(json).includes('"$ref":')) {
    throw new TypeError(
      `${quote(name)} in ${whose} refers to other schemas: make one schema of all properties`,
    );
  }
  return json;
}

/** Whether a property has to be there, as far as that can be found out at once. */
function isRequired(schema: StandardSchema): boolean {
  const result = schema["~standard"].validate(undefined);
  if (!isThenable(result)) return result.issues !== undefined;
  result.then(undefined, () => undefined);
  return true;
}

function validate(
  properties: readonly (readonly [string, StandardSchema])[],
  value: unknown,
): Outcome | Promise<Outcome> {
  if (!isObject(value)) return { issues: [{ message: "expected an object" }] };
  const results = properties.map(([name, schema]) =>
    schema["~standard"].validate(Object.hasOwn(value, name) ? value[name] : undefined),
  );
  const names = properties.map(([name]) => name);
  return results.some(isThenable)
    ? Promise.all(results).then((all) => combined(names, all))
    : combined(names, results as Outcome[]);
}

function combined(names: readonly string[], results: readonly Outcome[]): Outcome {
  const issues: Issues = results.flatMap((result, index) =>
    (result.issues ?? []).map(({ message, path = [] }) => ({
      message,
      path: [names[index]!, ...path],
    })),
  );
  if (issues.length > 0) return { issues };
  const members = results.map((result, index) => [names[index]!, valueOf(result)] as const);
  return { value: Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

function valueOf(result: Outcome): unknown {
  return "value" in result ? result.value : undefined;
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
