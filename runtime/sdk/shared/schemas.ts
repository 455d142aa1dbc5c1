import { revisions } from "@mcp-codegen/universal";
import { ProtocolErrorCode } from "./error-codes.js";
import { ProtocolError } from "./protocol-error.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** True for a schema of any library that follows Standard Schema. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "~standard" in value
  );
}

/**
 * Output of a schema for a value.
 * @throws ProtocolError -32602 when the value does not fit
 */
export async function parsedBy(
  schema: StandardSchemaV1,
  value: unknown,
  what = "value",
): Promise<unknown> {
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return result.value;
  const problems = result.issues.map(({ path = [], message }) => {
    const place = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid ${what}: ${problems.join("; ")}`,
  );
}

/** True for a method that no revision has. */
export function isCustom(method: string): boolean {
  return !revisions.some(({ methods }) => methods.has(method));
}

/** A schema of messages of one method, as version 1 tells them apart. */
export interface MessageSchema {
  readonly shape?: unknown;
  readonly method?: unknown;
}

/**
 * Method of the messages that a schema describes by a literal.
 * @throws TypeError when it names none
 */
export function methodOf(schema: object): string {
  const { method: own, shape } = schema as MessageSchema;
  const members = typeof shape === "function" ? (shape as () => unknown)() : shape;
  const member = (members as { method?: unknown } | undefined)?.method;
  const method = typeof own === "string" ? own : literalOf(member);
  if (typeof method === "string") return method;
  throw new TypeError("The schema of a message needs a literal as its method");
}

/** Zod keeps the value of a literal in one of several places. */
function literalOf(schema: unknown): unknown {
  const { value, _def, def } = (schema ?? {}) as Record<string, Record<string, unknown>>;
  return value ?? _def?.["value"] ?? (def?.["values"] as unknown[] | undefined)?.[0];
}
