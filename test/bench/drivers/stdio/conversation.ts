import type { Pipeline } from "./pipeline.js";

export type Kind = "session" | "stateless";

export const kinds = ["session", "stateless"] as const;

/** The revision at which each kind of conversation is measured. */
export const revisionOf = { session: "2025-11-25", stateless: "2026-07-28" } as const;

const clientInfo = { name: "driver", version: "1.0.0" };

/** Returns the parameters as a client sends them. */
export function paramsOf(kind: Kind, params: object = {}): object {
  if (kind === "session") return params;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": revisionOf.stateless,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { ...params, _meta: envelope };
}

/** Returns the first request of a conversation. */
export function openingOf(kind: Kind): { method: string; params: object } {
  if (kind === "stateless") return { method: "server/discover", params: paramsOf(kind) };
  const protocolVersion = revisionOf.session;
  return { method: "initialize", params: { protocolVersion, capabilities: {}, clientInfo } };
}

export async function open(pipeline: Pipeline, kind: Kind): Promise<void> {
  const { method, params } = openingOf(kind);
  const { result, error } = await pipeline.ask(method, params);
  if (!result) throw new Error(`${method} failed: ${error?.message}`);
  if (kind === "session") pipeline.tell("notifications/initialized");
}
