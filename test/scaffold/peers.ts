import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Flavor } from "./projects.js";

/** A server's address: a URL, or a command that starts the server. */
export type Place = URL | { readonly command: string; readonly args: string[] };

/** The members that both official clients share. */
export type Peer = Pick<
  ClientV1,
  "callTool" | "close" | "getPrompt" | "getServerVersion" | "listTools" | "readResource"
>;

const info = { name: "peer", version: "1.0.0" };

async function handshake(place: Place): Promise<Peer> {
  const client = new ClientV1(info);
  const transport = place instanceof URL ? new HttpV1(place) : new StdioV1(place);
  await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
  return client;
}

async function stateless(place: Place): Promise<Peer> {
  const client = new ClientV2(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(place instanceof URL ? new HttpV2(place) : new StdioV2(place));
  return client as unknown as Peer;
}

/** Official clients, by the server flavor that they support in addition to the universal one. */
export const PEERS: readonly (readonly [Flavor, (place: Place) => Promise<Peer>])[] = [
  ["2025-11-25", handshake],
  ["2026-07-28", stateless],
];
