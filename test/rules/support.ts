import * as v20241105 from "@mcp-codegen/2024-11-05";
import * as v20250326 from "@mcp-codegen/2025-03-26";
import * as v20250618 from "@mcp-codegen/2025-06-18";
import * as v20251125 from "@mcp-codegen/2025-11-25";
import * as v20260728 from "@mcp-codegen/2026-07-28";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import type { Endpoint, Package } from "../features/support/revisions.js";
import { RawPeer } from "../engine/support/raw-peer.js";
import { envelope } from "../stateless/server/support/raw-client.js";
import { partsOf, type Part, samplesOf } from "./wrong-values.js";

export { settled } from "../engine/support/raw-peer.js";

const packages = [
  v20241105,
  v20250326,
  v20250618,
  v20251125,
  v20260728,
] as unknown as readonly Package[];

/** All revisions, with the parts of their messages whose content can be wrong. */
export const revisions: readonly (readonly [string, Package, readonly Part[]])[] = packages.map(
  (one) => [one.revision.id, one, partsOf(one.revision)],
);

/** Revisions with a handshake. */
export const sessions: typeof revisions = revisions.filter(
  ([, { revision }]) => revision.traits.lifecycle === "initialize",
);

export const info = { name: "test", version: "1" };

/** Every client capability for received requests. */
const CAPABILITIES = {
  roots: {},
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

export function isEngines({ row }: Part): boolean {
  return row.role !== undefined;
}

/** Connects a client that the test controls to a server from the package. */
export async function rawClientOf(
  { Server, revision }: Package,
  handlers: object,
  errors: Error[],
  options: object = {},
): Promise<{ readonly raw: RawPeer; readonly server: Endpoint }> {
  const onerror = (error: Error): void => void errors.push(error);
  const server = new Server(info, handlers, { onerror, ...options });
  const raw = new RawPeer();
  await server.connect(raw);
  if (revision.traits.lifecycle === "initialize") {
    const capabilities = CAPABILITIES;
    const hello = { protocolVersion: revision.id, capabilities, clientInfo: info };
    await raw.call(0, "initialize", hello);
    raw.tell("notifications/initialized");
  }
  return { raw, server };
}

/** Connects a server that the test controls to a client from the package. */
export async function rawServerOf(
  { Client, revision }: Package,
  handlers: object,
  errors: Error[],
  options: object = {},
): Promise<{ readonly raw: RawPeer; readonly client: Endpoint }> {
  const onerror = (error: Error): void => void errors.push(error);
  const client = new Client(info, handlers, { onerror, ...options });
  const raw = new RawPeer();
  const isConnected = client.connect(raw);
  const { id } = await raw.next();
  const resources = { subscribe: true };
  const capabilities = { tools: {}, prompts: {}, resources, completions: {}, logging: {} };
  raw.answer(id, { protocolVersion: revision.id, capabilities, serverInfo: info });
  await isConnected;
  await raw.next();
  return { raw, client };
}

/** Connects a client and a server from the package in memory. */
export async function pairOf(
  { Client, Server }: Package,
  ofServer: { readonly handlers?: object; readonly options?: object },
  ofClient: { readonly handlers?: object; readonly options?: object },
): Promise<{
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly atServer: Error[];
  readonly atClient: Error[];
}> {
  const atServer: Error[] = [];
  const atClient: Error[] = [];
  const server = new Server(info, ofServer.handlers ?? {}, {
    onerror: (error: Error) => void atServer.push(error),
    capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
    ...ofServer.options,
  });
  const client = new Client(info, ofClient.handlers ?? {}, {
    onerror: (error: Error) => void atClient.push(error),
    ...ofClient.options,
  });
  const [one, other] = memoryPair();
  await server.connect(other);
  await client.connect(one);
  return { client, server, atServer, atClient };
}

/** Returns valid parameters for a request, as a raw client sends it. */
export function paramsFor({ revision }: Package, method: string): object {
  const validator = revision.methods.get(method)!.params;
  const params = ((validator && samplesOf(validator)?.right) ?? {}) as object;
  const isStateless = revision.traits.lifecycle === "discover";
  return isStateless ? { ...params, _meta: envelope(ASKABLE, revision.id) } : params;
}

const ASKABLE = { "io.modelcontextprotocol/clientCapabilities": CAPABILITIES };

/** Returns the texts of errors, one per line, to search in. */
export function textOf(errors: readonly Error[]): string {
  return errors.map(({ message }) => message).join("\n");
}
