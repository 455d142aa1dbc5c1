import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { LocalError, RpcError, isObject } from "../wire/index.js";

/** Error type of a tool that reported its failure in its result. */
const TOOL_ERROR = "tool_error";

export function recordResult(span: Span, result: unknown): void {
  if (!isObject(result) || result["isError"] !== true) return;
  span.setAttribute("error.type", TOOL_ERROR);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Records a failure. Of an application's error only the class is recorded, because its message may
 * be confidential.
 */
export function recordFailure(span: Span, thrown: unknown): void {
  if (thrown instanceof RpcError) {
    span.setAttribute("rpc.response.status_code", String(thrown.code));
  }
  span.setAttribute("error.type", typeOf(thrown));
  const isOurs = thrown instanceof RpcError || thrown instanceof LocalError;
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isOurs && { message: thrown.message }) });
}

function typeOf(thrown: unknown): string {
  if (thrown instanceof RpcError || thrown instanceof LocalError) return String(thrown.code);
  return thrown instanceof Error ? thrown.name : "_OTHER";
}
