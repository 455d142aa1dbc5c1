import { CapabilityError } from "@mcp-codegen/runtime";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "../shared/index.js";

/** Cause of a failed call that the caller aborted. */
export class Abort {
  /** True if the signal was aborted before the call. */
  readonly isEarly: boolean;
  readonly reason: unknown;

  constructor(isEarly: boolean, reason: unknown) {
    this.isEarly = isEarly;
    this.reason = reason;
  }
}

/** Errors of one call, classified by what the caller requested. */
export class CallErrors {
  readonly #signal: AbortSignal | undefined;
  readonly #isEarly: boolean;
  readonly #isStrict: boolean;

  /** @param isStrict - false to report a missing server capability as if the server had refused */
  constructor(signal: AbortSignal | undefined, isStrict: boolean) {
    this.#signal = signal;
    this.#isEarly = signal?.aborted === true;
    this.#isStrict = isStrict;
  }

  /** Error to convert for the caller, or an {@link Abort}. */
  of(error: unknown): unknown {
    if (this.#signal?.aborted && error === this.#signal.reason) {
      return new Abort(this.#isEarly, error);
    }
    if (this.#isStrict || !isUnoffered(error)) return error;
    return new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Method not found: ${error.message}`,
    );
  }
}

function isUnoffered(error: unknown): error is CapabilityError {
  return error instanceof CapabilityError && error.capability?.startsWith("server.") === true;
}

/**
 * Members that only results of stateless requests have on the wire: our runtime converts every result to the newest
 * shape.
 */
const OF_STATELESS = ["resultType", "ttlMs", "cacheScope"];

/**
 * Final result as programs of the SDK expect it: without `resultType`, and in a session without the members that only
 * stateless results have.
 */
export function plainResult<Result>(result: Result, isSession: boolean): Result {
  if (typeof result !== "object" || result === null || !("resultType" in result)) return result;
  if (result.resultType !== "complete") return result;
  const hidden = isSession ? OF_STATELESS : OF_STATELESS.slice(0, 1);
  const members = Object.entries(result).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(members) as Result;
}

type Check = (
  value: unknown,
) => readonly { readonly path: string; readonly expected: string }[] | undefined;

/** Checks structured results against the schemas of listed tools. */
export class OutputChecks {
  readonly #schemas = new Map<string, object>();
  readonly #checks = new WeakMap<object, Check>();

  /** Stores the definitions of listed tools. */
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
   * Checks a result against the output schema of its tool.
   * @param definition - of the tool, if the caller has it
   * @throws ProtocolError -32602 if the result violates the schema
   */
  async check(name: string, result: CallToolResult, definition?: Tool): Promise<void> {
    const schema = definition?.outputSchema ?? this.#schemas.get(name);
    if (schema === undefined || result.isError === true) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) {
      throw mismatch(`The tool ${name} has an outputSchema, but returned no structured content`);
    }
    const check = await this.#checkOf(schema);
    const [issue] = check(structuredContent) ?? [];
    if (issue === undefined) return;
    const place = issue.path === "" ? "as a whole" : `at ${issue.path}`;
    throw mismatch(
      `The structured content of the tool ${name} violates its outputSchema: ${place}, expected ${issue.expected}`,
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
