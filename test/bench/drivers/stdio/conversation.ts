import type { Pipeline } from "./pipeline.js";

/** What a server speaks; those without an own revision are asked for the newest of the era. */
export type Revision = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";
export type Era = "handshake" | "stateless";

const clientInfo = { name: "driver", version: "1.0.0" };

export const newest: Record<Era, Revision> = { handshake: "2025-11-25", stateless: "2026-07-28" };

export function eraOf(revision: Revision): Era {
  return revision === newest.stateless ? "stateless" : "handshake";
}

/** Parameters as a client of the revision sends them. */
export function paramsOf(revision: Revision, params: object = {}): object {
  if (eraOf(revision) === "handshake") return params;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { ...params, _meta: envelope };
}

/** The first request of a conversation. */
export function openingOf(revision: Revision): { method: string; params: object } {
  return eraOf(revision) === "stateless"
    ? { method: "server/discover", params: paramsOf(revision) }
    : {
        method: "initialize",
        params: { protocolVersion: revision, capabilities: {}, clientInfo },
      };
}

export async function open(pipeline: Pipeline, revision: Revision): Promise<void> {
  const { method, params } = openingOf(revision);
  const { result, error } = await pipeline.ask(method, params);
  if (!result) throw new Error(`${method} failed: ${error?.message}`);
  if (eraOf(revision) === "handshake") pipeline.tell("notifications/initialized");
}
