import {
  META,
  type Method,
  type RequestMessage,
  headerValueOf,
  metaOf,
  valueAt,
} from "../../wire/index.js";
import type { ToolHeaders } from "./tool-headers.js";

/**
 * Header fields in which a stateless request repeats its method and its subject (MCP: Streamable HTTP, request
 * metadata headers).
 *
 * @param row - undefined for a method that the revision does not have
 * @param named - the member that names the subject of such a method
 * @throws InvalidMessageError when an argument of a tool fits no header field
 */
export function requestHeaders(
  { method, params }: RequestMessage,
  row: Method | undefined,
  tools: ToolHeaders,
  named: string | undefined,
): Record<string, string> {
  const member = row ? row.nameHeader : named;
  const name = member === undefined ? undefined : valueAt(params, [member]);
  return {
    ...(row?.paramHeaders && tools.of(params)),
    "mcp-protocol-version": String(metaOf(params)?.[META.revision]),
    "mcp-method": headerValueOf(method),
    ...(typeof name === "string" && { "mcp-name": headerValueOf(name) }),
  };
}
