import { META, paramHeadersOf, type Revision } from "@mcp-codegen/runtime";
import { isMembers, type Members, member } from "../tape/json-value.js";

export const DOCTOR_INFO: Members = { name: "mcp-codegen-doctor", version: "0.1.0" };

/** Creates a request, or a notification if there is no id. */
export function messageOf(method: string, params: Members = {}, id?: unknown): Members {
  const hasParams = Object.keys(params).length > 0;
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), method, ...(hasParams && { params }) };
}

export function withMeta(
  revision: Revision | undefined,
  params: Members,
  capabilities: Members,
  meta?: Members,
): Members {
  const isStateless = revision?.traits.requestMeta === "required";
  if (!isStateless) return meta ? { ...params, _meta: meta } : params;
  return { ...params, _meta: { ...metaOf(revision, capabilities), ...meta } };
}

export function metaOf(revision: Revision, capabilities: Members): Members {
  return {
    [META.revision]: revision.id,
    [META.clientInfo]: DOCTOR_INFO,
    [META.clientCapabilities]: capabilities,
  };
}

export function headersOf(
  revision: Revision | undefined,
  message: Members,
): Readonly<Record<string, string>> {
  if (!revision?.conventions.versionHeader) return {};
  const method = String(message["method"] ?? "");
  const version = { "mcp-protocol-version": revision.id };
  if (!revision.conventions.methodHeaders || method === "") return version;
  const named = revision.methods.get(method)?.nameHeader;
  const params = message["params"];
  const name = named !== undefined && isMembers(params) ? params[named] : undefined;
  return {
    ...version,
    "mcp-method": headerText(method),
    ...(typeof name === "string" && { "mcp-name": headerText(name) }),
  };
}

/** Returns the header fields that mirror a call's annotated arguments (MCP: `x-mcp-header`). */
export function paramHeaders(schema: unknown, values: unknown): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  try {
    for (const { field, path } of paramHeadersOf(schema)) {
      const value = path.reduce(member, values);
      if (value !== undefined && value !== null) headers[field] = headerText(String(value));
    }
  } catch {
    // Invalid annotations are reported for the list that contains the tool.
  }
  return headers;
}

/**
 * Returns the text as a header field value, encoded if it has characters that such a value must not contain (MCP: value
 * encoding).
 */
function headerText(text: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/s.test(text);
  return isPlain ? text : encodedHeader(text);
}

export function encodedHeader(text: string): string {
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
