import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";
import type { Session } from "../api/index.js";
import { LocalError, RpcError, type RequestId, isObject } from "../wire/index.js";

export interface TracedMessage {
  readonly method: string;
  readonly params: unknown;
  readonly session: Session;
  readonly id?: RequestId | undefined;
}

/** The name and attributes of a span (OpenTelemetry: semantic conventions for MCP). */
export interface Description {
  readonly name: string;
  readonly attributes: Attributes;
}

/** The tool, prompt or other item that a request names. */
export interface Target {
  readonly attribute: string;
  readonly operation?: string | undefined;
  readonly name: string;
}

export function targetOf(
  { revision }: Session,
  method: string,
  params: unknown,
): Target | undefined {
  const family = revision.families.find(({ use, by }) => use === method && by === "name");
  const name = isObject(params) ? params["name"] : undefined;
  if (family === undefined || typeof name !== "string") return undefined;
  const operation = method.endsWith("/call") ? `execute_${family.noun}` : undefined;
  return { attribute: `gen_ai.${family.noun}.name`, operation, name };
}

/**
 * Describes a message for a span. The name contains no URI, because there can be any number of URIs. No attribute
 * contains arguments or contents.
 */
export function describe(
  { method, params, session, id }: TracedMessage,
  sessionIds: boolean,
): Description {
  const { uri } = isObject(params) ? params : {};
  const attributes: Attributes = { "mcp.method.name": method };
  attributes["mcp.protocol.version"] = session.revision.id;
  if (sessionIds && session.id !== undefined) attributes["mcp.session.id"] = session.id;
  if (id !== undefined) attributes["jsonrpc.request.id"] = String(id);
  if (typeof uri === "string") attributes["mcp.resource.uri"] = uri;
  const target = targetOf(session, method, params);
  if (target === undefined) return { name: method, attributes };
  attributes[target.attribute] = target.name;
  if (target.operation !== undefined) attributes["gen_ai.operation.name"] = target.operation;
  return { name: `${method} ${target.name}`, attributes };
}

const TOOL_ERROR = "tool_error";

export function recordResult(span: Span, result: unknown): void {
  const type = failureOf(result);
  if (type === undefined) return;
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Records a failure. If the application threw the error, only its class is recorded, because its message may be
 * confidential.
 */
export function recordFailure(span: Span, thrown: unknown): void {
  const code = statusCodeOf(thrown);
  if (code !== undefined) span.setAttribute("rpc.response.status_code", code);
  span.setAttribute("error.type", errorTypeOf(thrown));
  const isOurs = thrown instanceof RpcError || thrown instanceof LocalError;
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isOurs && { message: thrown.message }) });
}

export function failureOf(result: unknown): string | undefined {
  return isObject(result) && result["isError"] === true ? TOOL_ERROR : undefined;
}

export function statusCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof RpcError ? String(thrown.code) : undefined;
}

/** A value that stands for all values that are not distinguished. */
export const OTHER = "_OTHER";

const LONGEST_TYPE = 100;

/** Returns the value of `error.type`: an error's code or name, never its message. */
export function errorTypeOf(thrown: unknown): string {
  if (thrown instanceof RpcError || thrown instanceof LocalError) return String(thrown.code);
  const name: unknown = thrown instanceof Error ? thrown.name : undefined;
  return typeof name === "string" && name.length <= LONGEST_TYPE ? name : OTHER;
}

/** The maximum number of values that metrics distinguish in an error attribute. */
const MOST_VALUES = 100;

/**
 * Returns a function that keeps the first values and replaces further ones with {@link OTHER}. Peers choose the codes
 * of errors, and programs may compose their names, so there can be any number of them.
 */
export function fewValues(): (value: string) => string {
  const values = new Set<string>();
  return (value) => {
    if (values.size < MOST_VALUES) values.add(value);
    return values.has(value) ? value : OTHER;
  };
}
