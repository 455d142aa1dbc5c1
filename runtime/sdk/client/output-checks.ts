import type { CallToolResult, Tool } from "../shared/index.js";
import { ProtocolError, ProtocolErrorCode } from "../shared/index.js";

type Check = (
  value: unknown,
) => readonly { readonly path: string; readonly expected: string }[] | undefined;

/** Checks of structured results against the schemas of tools that were listed. */
export class OutputChecks {
  readonly #schemas = new Map<string, object>();
  readonly #checks = new WeakMap<object, Check>();

  /** Remembers listed tools. */
  listed(tools: readonly Tool[]): void {
    for (const { name, outputSchema } of tools) {
      if (outputSchema) this.#schemas.set(name, outputSchema);
      else this.#schemas.delete(name);
    }
  }

  forget(): void {
    this.#schemas.clear();
  }

  /**
   * Makes sure that a result is what its tool promises.
   * @param definition - of the tool, where the caller has it
   * @throws ProtocolError -32602 when it is not
   */
  async check(name: string, result: CallToolResult, definition?: Tool): Promise<void> {
    const schema = definition?.outputSchema ?? this.#schemas.get(name);
    if (schema === undefined || result.isError === true) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) {
      throw mismatch(`The tool ${name} promises structured content and has given none`);
    }
    const check = await this.#checkOf(schema);
    const [issue] = check(structuredContent) ?? [];
    if (issue === undefined) return;
    const place = issue.path === "" ? "as a whole" : `at ${issue.path}`;
    throw mismatch(
      `The structured content of the tool ${name} is not as its outputSchema says: ${place}, expected ${issue.expected}`,
    );
  }

  async #checkOf(schema: object): Promise<Check> {
    const known = this.#checks.get(schema);
    if (known) return known;
    const { jsonSchemas } = await import("@mcp-codegen/runtime/json-schema");
    const check = jsonSchemas({ trust: "foreign" })(schema) as Check;
    this.#checks.set(schema, check);
    return check;
  }
}

function mismatch(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}
