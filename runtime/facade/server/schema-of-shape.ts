import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isThenable } from "../../ground/index.js";
import { isObject } from "../../wire/index.js";
import type { ShapeOfSchemas, StandardSchema } from "./schema-types.js";

type Issues = readonly StandardSchemaV1.Issue[];
type Outcome = StandardSchemaV1.Result<unknown>;

/** True for an object of schemas: `{ city: z.string() }`. */
export function isShape(value: unknown): value is ShapeOfSchemas {
  if (!isObject(value) || "~standard" in value) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((one) => isHolder(one) && "~standard" in one);
}

/**
 * The JSON Schema of an object that is described by the schemas of its properties.
 * @param jsonOf - of one of them
 */
export function jsonOfShape(
  shape: ShapeOfSchemas,
  jsonOf: (schema: StandardSchema, name: string) => Record<string, unknown>,
): Record<string, unknown> {
  const properties = Object.entries(shape);
  return {
    type: "object",
    properties: Object.fromEntries(
      properties.map(([name, schema]) => [name, jsonOf(schema, name)]),
    ),
    required: properties.filter(([, schema]) => isRequired(schema)).map(([name]) => name),
  };
}

/** True when a property is required, as far as that can be determined synchronously. */
function isRequired(schema: StandardSchema): boolean {
  const result = schema["~standard"].validate(undefined);
  if (!isThenable(result)) return result.issues !== undefined;
  result.then(undefined, () => undefined);
  return true;
}

/**
 * Makes what checks an object by the schemas of its properties. Members without a schema are left out of what that gives.
 */
export function shapeCheck(shape: ShapeOfSchemas): StandardSchemaV1.Props["validate"] {
  const properties = Object.entries(shape);
  const names = properties.map(([name]) => name);
  return (value) => {
    if (!isObject(value)) return { issues: [{ message: "expected an object" }] };
    const results = properties.map(([name, schema]) =>
      schema["~standard"].validate(Object.hasOwn(value, name) ? value[name] : undefined),
    );
    return results.some(isThenable)
      ? Promise.all(results).then((all) => combined(names, all))
      : combined(names, results as Outcome[]);
  };
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
