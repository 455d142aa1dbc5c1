import { type RequestMessage, type Revision, headerValueOf, valueAt } from "../../wire/index.js";
import type { ToolHeaders } from "./tool-headers.js";

/**
 * Header fields in which a stateless request repeats what it is about (MCP: Streamable HTTP, request metadata headers).
 *
 * @param named - member with the name of the subject, for a method that the revision does not have
 * @param tool - definition of the tool, where the caller has it
 * @throws InvalidMessageError when an argument of a tool fits no header field
 */
export function requestHeaders(
  { method, params }: RequestMessage,
  revision: Revision,
  tools: ToolHeaders,
  named: string | undefined,
  tool?: object,
): Record<string, string> {
  const row = revision.methods.get(method);
  const member = row ? row.nameHeader : named;
  const name = member === undefined ? undefined : valueAt(params, [member]);
  return {
    ...(row?.paramHeaders && tools.of(params, tool)),
    ...methodHeaders(method, revision),
    ...(typeof name === "string" && { "mcp-name": headerValueOf(name) }),
  };
}

/** Header fields that name the revision of a stateless message, and its method where the revision wants that. */
export function methodHeaders(
  method: string,
  { id, conventions }: Revision,
): Record<string, string> {
  const revision = { "mcp-protocol-version": id };
  return conventions.methodHeaders
    ? { ...revision, "mcp-method": headerValueOf(method) }
    : revision;
}
