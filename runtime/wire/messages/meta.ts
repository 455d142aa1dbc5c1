import { isObject } from "../validation/tests.js";

/** The members of `_meta` that the protocol defines (MCP: `_meta`). */
export const META = {
  revision: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
} as const;

/**
 * Removes `serverInfo` from metadata received from another server, so that forwarded results do not claim that server's
 * identity.
 */
export function withoutServerInfo(meta: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(meta, META.serverInfo)) return meta;
  const { [META.serverInfo]: _, ...others } = meta;
  return others;
}

/** Returns the revision that a stateless message names in its `_meta`; undefined for messages in sessions. */
export function revisionNamed(params: unknown): unknown {
  return metaOf(params)?.[META.revision];
}

export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof params !== "object" || params === null || !Object.hasOwn(params, "_meta"))
    return undefined;
  const { _meta: meta } = params as { readonly _meta: unknown };
  return isObject(meta) ? meta : undefined;
}

/** The log levels, from least to most severe (the reverse of RFC 5424). */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export function severityOf(level: unknown): number {
  return (LOG_LEVELS as readonly unknown[]).indexOf(level);
}
