import * as v20241105 from "@mcp-codegen/2024-11-05";
import * as v20250326 from "@mcp-codegen/2025-03-26";
import * as v20250618 from "@mcp-codegen/2025-06-18";
import * as v20251125 from "@mcp-codegen/2025-11-25";
import type { Feature } from "../../../runtime/api/feature.js";
import type { RequestOptions } from "../../../runtime/api/index.js";
import type { Revision } from "../../../runtime/wire/revision/revision.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import type { Transport } from "../../../runtime/wire/messages/transport.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { Traffic } from "./traffic.js";

/** Any sent or received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

/** A generated client or server without its types, so that one test can cover all revisions. */
export interface Endpoint {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
  request(method: string, params?: unknown, options?: RequestOptions): Promise<Wire>;
  notify(method: string, params?: unknown): Promise<void>;
  fork(): Endpoint;
  readonly server: { readonly capabilities: Wire } | undefined;
  readonly client: { readonly capabilities: Wire } | undefined;
}

type Make = new (info: object, handlers: object, options: object) => Endpoint;

export interface Package {
  readonly revision: Revision;
  readonly Server: Make;
  readonly Client: Make;
}

const packages = [v20241105, v20250326, v20250618, v20251125] as unknown as readonly Package[];

/** The generated packages with a handshake, by revision, for use with `describe.each`. */
export const handshakes: readonly (readonly [string, Package])[] = packages.map((one) => [
  one.revision.id,
  one,
]);

/** Returns the packages that have a method. */
export function having(method: string): readonly (readonly [string, Package])[] {
  return handshakes.filter(([, { revision }]) => revision.methods.has(method));
}

export interface Side {
  readonly features?: readonly Feature[];
  readonly handlers?: object;
  readonly options?: object;
}

export interface Connected {
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** All sent messages, validated. */
  readonly traffic: Traffic;
  /** The errors that the client and the server reported to `onerror`. */
  readonly errors: Error[];
}

/** Connects a client and a server of one package in memory, with these features. */
export async function connected(
  { Client, Server, revision }: Package,
  ofServer: Side,
  ofClient: Side = {},
): Promise<Connected> {
  const errors: Error[] = [];
  const optionsOf = ({ features = [], options = {} }: Side): object => ({
    features,
    onerror: (error: Error) => void errors.push(error),
    ...options,
  });
  const info = { name: "test", version: "1" };
  const server = new Server(info, ofServer.handlers ?? {}, optionsOf(ofServer));
  const client = new Client(info, ofClient.handlers ?? {}, optionsOf(ofClient));
  return { client, server, errors, traffic: await connect(revision, client, server) };
}

/** Connects a client to a server over a separate pair. */
export async function connect(
  revision: Revision,
  client: Endpoint,
  server: Endpoint,
): Promise<Traffic> {
  const traffic = new Traffic(revision);
  const [one, other] = memoryPair({ ontext: (text, from) => traffic.see(text, from) });
  await server.connect(other);
  await client.connect(one);
  return traffic;
}

/** Waits until everything that needs neither a timer nor input has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

/** Connects a client with these features to a server that the test controls and that may send anything. */
export async function rawServerOf(
  { Client, revision }: Package,
  features: readonly Feature[],
  errors: Error[] = [],
): Promise<RawPeer> {
  const onerror = (error: Error): void => void errors.push(error);
  const client = new Client({ name: "test", version: "1" }, {}, { features, onerror });
  const raw = new RawPeer();
  const isConnected = client.connect(raw);
  const { id } = await raw.next();
  const serverInfo = { name: "raw", version: "1" };
  raw.answer(id, { protocolVersion: revision.id, capabilities: {}, serverInfo });
  await isConnected;
  await raw.next();
  return raw;
}
