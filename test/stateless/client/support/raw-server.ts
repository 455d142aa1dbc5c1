import { onTestFinished } from "vitest";
import { Client, type ClientHandlers } from "@mcp-codegen/2026-07-28";
import { RawPeer, type Wire } from "../../../engine/support/raw-peer.js";

export const REVISION = "2026-07-28";

/** The members of `_meta` as they are sent. */
export const KEY = {
  revision: "io.modelcontextprotocol/protocolVersion",
  info: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
};

/** Returns a stateless server's discovery result. */
export function discovered(more: object = {}): object {
  return {
    resultType: "complete",
    supportedVersions: [REVISION],
    capabilities: CAPABILITIES,
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [KEY.serverInfo]: { name: "raw", version: "0" } },
    ...more,
  };
}

export type Options = ConstructorParameters<typeof Client>[2];

export interface Connected {
  readonly client: Client;
  readonly server: RawPeer;
  readonly errors: Error[];
}

/** Connects a client of the revision, whose discovery a scripted server has answered. */
export async function connected(
  handlers: ClientHandlers = {},
  options: Options = {},
  server: RawPeer = new RawPeer(),
): Promise<Connected> {
  const errors: Error[] = [];
  const client = new Client({ name: "test", version: "1" }, handlers, {
    onerror: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => client.close());
  const connecting = client.connect(server);
  const probe = await server.next();
  server.answer(probe.id, discovered());
  await connecting;
  return { client, server, errors };
}

export function metaOf({ params: { _meta: meta } }: Wire): Wire {
  return meta;
}

/** Returns a request's parameters without what the engine adds to every request. */
export function withoutMeta({ params: { _meta, ...rest } }: Wire): Wire {
  return rest;
}
