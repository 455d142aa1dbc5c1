import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import type {
  JsonSchemaType,
  jsonSchemaValidator,
  JsonSchemaValidator as Check,
} from "./schemas.js";

/**
 * Compiles JSON Schemas with this project's validator. It is also exported under the names of the SDK's classes, which
 * refer to other libraries.
 */
export class JsonSchemaValidator implements jsonSchemaValidator {
  private readonly _compile: ReturnType<typeof jsonSchemas>;

  constructor(compile: unknown = undefined) {
    // The SDK's classes accept an instance of their library here. This validator ignores it.
    this._compile = isOptions(compile) ? jsonSchemas(compile) : jsonSchemas();
  }

  getValidator<Output>(schema: JsonSchemaType): Check<Output> {
    const check = this._compile(schema);
    return (input) => {
      const issues = check(input);
      if (!issues) return { valid: true, data: input as Output, errorMessage: undefined };
      const errorMessage = issues
        .map(({ path, expected }) => `data${path} must be ${expected}`)
        .join(", ");
      return { valid: false, data: undefined, errorMessage };
    };
  }
}

function isOptions(value: unknown): value is { readonly trust: "foreign" } {
  return (value as { trust?: unknown } | undefined)?.trust === "foreign";
}

export { JsonSchemaValidator as AjvJsonSchemaValidator };
export { JsonSchemaValidator as CfWorkerJsonSchemaValidator };
