import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { LocalError, RpcError, isObject } from "../wire/index.js";

/** Error type of a tool that reported its failure in its result. */
const TOOL_ERROR = "tool_error";

export function recordResult(span: Span, result: unknown): void {
  const type = failureOf(result);
  if (type === undefined) return;
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Records a failure. Of an application's error only the class is recorded, because its message may
 * be confidential.
 */
export function recordFailure(span: Span, thrown: unknown): void {
  const code = statusCodeOf(thrown);
  if (code !== undefined) span.setAttribute("rpc.response.status_code", code);
  span.setAttribute("error.type", errorTypeOf(thrown));
  const isOurs = thrown instanceof RpcError || thrown instanceof LocalError;
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isOurs && { message: thrown.message }) });
}

/** Error type of a result that reports a failure; undefined for any other. */
export function failureOf(result: unknown): string | undefined {
  return isObject(result) && result["isError"] === true ? TOOL_ERROR : undefined;
}

/** JSON-RPC code of an error of the peer's, or for the peer. */
export function statusCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof RpcError ? String(thrown.code) : undefined;
}

/** Value of `error.type`: few values, and never a message. */
export function errorTypeOf(thrown: unknown): string {
  if (thrown instanceof RpcError || thrown instanceof LocalError) return String(thrown.code);
  return thrown instanceof Error ? thrown.name : "_OTHER";
}
