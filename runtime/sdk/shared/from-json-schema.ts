import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import type {
  JsonSchemaType,
  jsonSchemaValidator,
  StandardSchemaV1,
  StandardSchemaWithJSON,
} from "./standard-schema.js";

/**
 * Schema in the form of the schema libraries, for a JSON Schema.
 * @param validator - checks in place of ours
 * @throws TypeError for a schema that cannot be used
 */
export function fromJsonSchema<Value = unknown>(
  schema: JsonSchemaType,
  validator?: jsonSchemaValidator,
): StandardSchemaWithJSON<Value, Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-codegen",
      jsonSchema: { input: () => schema, output: () => schema },
      validate: validator ? givenCheck<Value>(validator, schema) : ownCheck<Value>(schema),
    },
  };
}

type Check<Value> = (value: unknown) => StandardSchemaV1.Result<Value>;

function givenCheck<Value>(validator: jsonSchemaValidator, schema: JsonSchemaType): Check<Value> {
  const check = validator.getValidator<Value>(schema);
  return (value) => {
    const outcome = check(value);
    return outcome.valid
      ? { value: outcome.data }
      : { issues: [{ message: outcome.errorMessage }] };
  };
}

function ownCheck<Value>(schema: JsonSchemaType): Check<Value> {
  const check = jsonSchemas()(schema);
  return (value) => {
    const issues = check(value);
    if (issues === undefined) return { value: value as Value };
    return {
      issues: issues.map(({ path, expected, received }) => ({
        message: `expected ${expected}, received ${received}`,
        path: path.split("/").slice(1),
      })),
    };
  };
}
