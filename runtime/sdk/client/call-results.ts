import { CapabilityError } from "@mcp-codegen/runtime";
import {
  type CallToolResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type Tool,
} from "../shared/index.js";

/** The failure of a call that the caller aborted. */
export class Abort {
  readonly isEarly: boolean;
  readonly reason: unknown;

  constructor(isEarly: boolean, reason: unknown) {
    this.isEarly = isEarly;
    this.reason = reason;
  }
}

/** Converts the errors of one call to those that its caller expects. */
export class CallErrors {
  /** The signal for the runtime. Its reason is a string, because the server receives it. */
  readonly signal: AbortSignal | undefined;
  private readonly _signal: AbortSignal | undefined;
  private readonly _isEarly: boolean;
  private readonly _isStrict: boolean;
  private readonly _abort: (() => void) | undefined;

  /** @param isStrict - false to report a capability that the server lacks as if the server had refused the request */
  constructor(signal: AbortSignal | undefined, isStrict: boolean) {
    this._signal = signal;
    this._isEarly = signal?.aborted === true;
    this._isStrict = isStrict;
    if (signal === undefined) return;
    const controller = new AbortController();
    this.signal = controller.signal;
    this._abort = () => controller.abort(String(signal.reason));
    if (signal.aborted) this._abort();
    else signal.addEventListener("abort", this._abort, { once: true });
  }

  release(): void {
    if (this._abort) this._signal?.removeEventListener("abort", this._abort);
  }

  /** Returns the error to convert for the caller: an {@link Abort} if the caller aborted the call. */
  of(error: unknown): unknown {
    if (this._signal?.aborted && error === this.signal?.reason) {
      return new Abort(this._isEarly, this._signal.reason);
    }
    if (this._isStrict || !isUnoffered(error)) return error;
    return new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
  }
}

function isUnoffered(error: unknown): error is CapabilityError {
  return error instanceof CapabilityError && error.capability?.startsWith("server.") === true;
}

/**
 * The members that only stateless results have on the wire. In a session they are removed, because the runtime converts
 * every result to the newest shape.
 */
const OF_STATELESS = ["resultType", "ttlMs", "cacheScope"];

/**
 * Returns a final result as programs that use the SDK expect it: without `resultType` and, in a session, without the
 * other members of stateless results. In a stateless conversation, a result that is not final is returned unchanged.
 *
 * @throws SdkError for a result that is not final, in a session
 */
export function plainResult<Result>(result: Result, isSession: boolean): Result {
  if (typeof result !== "object" || result === null || !("resultType" in result)) return result;
  if (result.resultType !== "complete" && !isSession) return result;
  if (result.resultType !== "complete") {
    const text = `Invalid result: ${String(result.resultType)} is not a result of this protocol version`;
    throw new SdkError(SdkErrorCode.InvalidResult, text);
  }
  const hidden = isSession ? OF_STATELESS : OF_STATELESS.slice(0, 1);
  const members = Object.entries(result).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(members) as Result;
}

type Validate = JsonSchemaValidator<unknown>;

/** Validates structured results against the output schemas of listed tools. */
export class OutputChecks {
  private readonly _provider: jsonSchemaValidator | undefined;
  private readonly _schemas = new Map<string, object>();
  private readonly _validators = new Map<string, Validate | Error>();
  private readonly _ofDefinitions = new WeakMap<object, Validate | Error>();

  constructor(provider: jsonSchemaValidator | undefined) {
    this._provider = provider;
  }

  listed(tools: readonly Tool[]): void {
    for (const { name, outputSchema } of tools) {
      this._validators.delete(name);
      if (outputSchema) this._schemas.set(name, outputSchema);
      else this._schemas.delete(name);
    }
  }

  forget(): void {
    this._schemas.clear();
    this._validators.clear();
  }

  /**
   * Returns the check for a tool's results, or undefined if the tool's output schema is unknown.
   *
   * @throws ProtocolError -32602 if the schema cannot be used, before the tool is called
   */
  async checkOf(name: string, definition?: Tool): Promise<OutputCheck | undefined> {
    const { outputSchema: own } = definition ?? {};
    if (own === undefined && !this._schemas.has(name)) return undefined;
    const provider = this._provider ?? (await ownValidator());
    const validate = own ? this._ofDefinition(own, provider) : this._ofListed(name, provider);
    if (!(validate instanceof Error)) return (result) => assertOutput(name, validate, result);
    throw invalid(`Tool '${name}' has an invalid outputSchema: ${validate.message}`);
  }

  private _ofDefinition(schema: object, provider: jsonSchemaValidator): Validate | Error {
    const validate = this._ofDefinitions.get(schema) ?? compiled(schema, provider);
    this._ofDefinitions.set(schema, validate);
    return validate;
  }

  /** Returns the check for a listed tool. The first call compiles the schemas of all listed tools. */
  private _ofListed(name: string, provider: jsonSchemaValidator): Validate | Error {
    for (const [listed, schema] of this._schemas) {
      if (!this._validators.has(listed)) this._validators.set(listed, compiled(schema, provider));
    }
    return this._validators.get(name)!;
  }
}

async function ownValidator(): Promise<jsonSchemaValidator> {
  const { JsonSchemaValidator: Validator } = await import("../shared/internal/index.js");
  return new Validator({ trust: "foreign" });
}

/** A check that throws a ProtocolError -32602 if a result violates the tool's schema. */
export type OutputCheck = (result: CallToolResult) => void;

function compiled(schema: object, provider: jsonSchemaValidator): Validate | Error {
  try {
    return provider.getValidator(schema as JsonSchemaType);
  } catch (error) {
    const { message } = error as Error;
    return new Error(message.includes("/$schema") ? `unsupported dialect: ${message}` : message);
  }
}

function assertOutput(
  name: string,
  validate: Validate,
  { isError, structuredContent }: CallToolResult,
): void {
  if (isError === true) return;
  if (structuredContent === undefined) {
    const text = `Tool ${name} has an output schema but did not return structured content`;
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, text);
  }
  const { valid, errorMessage } = validate(structuredContent);
  if (valid) return;
  throw invalid(`Structured content does not match the tool's output schema: ${errorMessage}`);
}

function invalid(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}
