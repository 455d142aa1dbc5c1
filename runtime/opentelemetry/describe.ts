import type { Attributes } from "@opentelemetry/api";
import { type RequestId, isObject } from "../wire/index.js";
import type { Session } from "../api/index.js";

/** Message to trace, before its outcome is known. */
export interface TracedMessage {
  readonly method: string;
  readonly params: unknown;
  readonly session: Session;
  readonly id?: RequestId | undefined;
}

/** Name and attributes of a span (OpenTelemetry: semantic conventions for MCP). */
export interface Description {
  readonly name: string;
  readonly attributes: Attributes;
}

/** The attribute for what is called by name, and what is done with it. */
const NAMED: Readonly<Record<string, { attribute: string; operation?: string }>> = {
  "tools/call": { attribute: "gen_ai.tool.name", operation: "execute_tool" },
  "prompts/get": { attribute: "gen_ai.prompt.name" },
};

/** Tool or prompt that a message is about. */
export interface Target {
  readonly attribute: string;
  readonly operation?: string | undefined;
  readonly name: string;
}

/** Tool or prompt that a message names; undefined where it names none. */
export function targetOf(method: string, params: unknown): Target | undefined {
  const named = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const name = isObject(params) ? params["name"] : undefined;
  return named && typeof name === "string" ? { ...named, name } : undefined;
}

/** A URI can be anything, and is no part of the name; nor are arguments and contents of any attribute. */
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
  const target = targetOf(method, params);
  if (target === undefined) return { name: method, attributes };
  attributes[target.attribute] = target.name;
  if (target.operation !== undefined) attributes["gen_ai.operation.name"] = target.operation;
  return { name: `${method} ${target.name}`, attributes };
}
