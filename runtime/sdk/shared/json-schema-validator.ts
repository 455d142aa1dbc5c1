import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import type {
  JsonSchemaType,
  jsonSchemaValidator,
  JsonSchemaValidator as Check,
} from "./schemas.js";

/** Compiles JSON Schemas with the validator of this project, whichever library the name refers to. */
export class JsonSchemaValidator implements jsonSchemaValidator {
  readonly #compile = jsonSchemas();

  getValidator<Output>(schema: JsonSchemaType): Check<Output> {
    const check = this.#compile(schema);
    return (input) => {
      const issues = check(input);
      if (!issues) return { valid: true, data: input as Output, errorMessage: undefined };
      const errorMessage = issues
        .map(({ path, expected }) => `${path || "/"}: expected ${expected}`)
        .join("; ");
      return { valid: false, data: undefined, errorMessage };
    };
  }
}

export { JsonSchemaValidator as AjvJsonSchemaValidator };
export { JsonSchemaValidator as CfWorkerJsonSchemaValidator };
