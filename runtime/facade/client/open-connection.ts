import {
  ConnectionClosedError,
  InvalidMessageError,
  RpcError,
  type Transport,
  UnsupportedRevisionError,
} from "../../wire/index.js";
import { type Evidence, isHttpEvidence } from "../../negotiation/index.js";
import type { ConnectOptions as Steps } from "../../api/index.js";
import { type ConnectionHooks, type ServerLocation, isHttp } from "./targets.js";

/**
 * Kind of conversation that a server supports: sessions that open with a handshake, or stateless
 * requests.
 */
export type Era = "handshake" | "stateless";

/** Remembers the kinds of servers, so that they need not be probed each time. */
export interface EraCache {
  /** @param server - origin and path of its URL, or its command line */
  get(server: string): Era | undefined | Promise<Era | undefined>;
  /** @param era - undefined if the cached kind turned out to be wrong */
  set(server: string, era: Era | undefined): void | Promise<void>;
}

export interface MemoryEraCacheOptions {
  /** Time for which the kind of a server is remembered, in milliseconds. Default: one hour. */
  readonly maxAge?: number | undefined;
  /** Maximum number of servers; the oldest are removed first. Default: 1000. */
  readonly maxEntries?: number | undefined;
}

/** Remembers kinds in memory for the lifetime of the process, and no longer than `maxAge`. */
export class MemoryEraCache implements EraCache {
  readonly #maxAge: number;
  readonly #maxEntries: number;
  readonly #known = new Map<string, { readonly era: Era; readonly until: number }>();

  constructor({ maxAge = 3_600_000, maxEntries = 1000 }: MemoryEraCacheOptions = {}) {
    this.#maxAge = maxAge;
    this.#maxEntries = maxEntries;
  }

  get(server: string): Era | undefined {
    const known = this.#known.get(server);
    return known && performance.now() < known.until ? known.era : undefined;
  }

  set(server: string, era: Era | undefined): void {
    this.#known.delete(server);
    if (era === undefined) return;
    this.#known.set(server, { era, until: performance.now() + this.#maxAge });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > this.#maxEntries) this.#known.delete(oldest);
  }
}

/**
 * Operations of the client that opening a connection needs. It can be connected again after a
 * failure.
 */
export interface ConnectionClient {
  connect(transport: Transport, options: Steps): Promise<void>;
  /** Kind of the server, once connected. */
  era(): Era | undefined;
  /** Reason for the kind of the server, once connected. */
  evidence(): Evidence;
  close(): Promise<void>;
  /** True for an error with which a server refuses the handshake, and may only do so because it was probed before. */
  mayBeOfProbe(error: unknown): boolean;
}

/**
 * Connects to a server of either kind (MCP: versioning, compatibility): in the way that worked before, if that is known;
 * otherwise with a probe. It connects a second time with a handshake if the probe ended the connection, or the only session
 * that there is behind it; and without one if a stateless server stays in the session that it opened because it started
 * slowly. A kind that only silence indicates is not remembered.
 */
export async function openConnection(
  client: ConnectionClient,
  location: ServerLocation,
  eras: EraCache | undefined,
  steps: Steps,
  hooks: ConnectionHooks,
): Promise<void> {
  const { name, canRepeat } = location;
  let known = name === undefined ? undefined : await eras?.get(name);
  const remember = async (era: Era | undefined): Promise<void> => {
    if (name !== undefined && known !== era) await eras?.set(name, era);
    known = era;
  };
  let isOverHttp = false;
  const connect = async (given?: number): Promise<void> => {
    const transport = await location.connection(hooks);
    isOverHttp = isHttp(transport);
    const probeTimeout = given ?? (isOverHttp ? Infinity : undefined);
    await client.connect(transport, { ...steps, probeTimeout });
  };
  if (known === "handshake") {
    try {
      return await connect(0);
    } catch (error) {
      if (!canRepeat || !contradicts(error)) throw error;
      await remember(undefined);
    }
  }
  try {
    await connect(steps.probeTimeout);
  } catch (error) {
    const isOfProbe = error instanceof ConnectionClosedError || client.mayBeOfProbe(error);
    if (!canRepeat || isOverHttp || !isOfProbe) throw error;
    await connect(0);
    return remember(client.era());
  }
  if (client.evidence() === "locked" && canRepeat) {
    await client.close();
    await connect(Infinity);
  }
  if (client.evidence() === "answer") await remember(client.era());
}

/** True when a handshake may have failed because the server no longer supports it. */
function contradicts(error: unknown): boolean {
  if (error instanceof RpcError || error instanceof InvalidMessageError) return true;
  if (error instanceof UnsupportedRevisionError || error instanceof ConnectionClosedError)
    return true;
  return isHttpEvidence(error);
}
