import {
  ConnectionClosedError,
  InvalidMessageError,
  RpcError,
  type Transport,
  UnsupportedRevisionError,
} from "../../wire/index.js";
import { isHttpEvidence } from "../../negotiation/index.js";
import type { ConnectOptions as Steps } from "../../api/index.js";
import type { Era, EraCache } from "./era-cache.js";
import { type ConnectionHooks, isHttp, type ServerLocation } from "./targets.js";

/**
 * Operations of the client that opening a connection needs. It can be connected again after a
 * failure.
 */
export interface ConnectionClient {
  connect(transport: Transport, options: Steps): Promise<void>;
  /** Kind of the server, once connected. */
  era(): Era | undefined;
  /** True for an error with which a server refuses the handshake, and may only do so because it was probed before. */
  mayBeOfProbe(error: unknown): boolean;
}

/**
 * Connects to a server of either kind (MCP: versioning, compatibility): the way that worked before, where that is
 * known; else by a probe, and once more with a handshake where the probe was the end of the connection, or of the only
 * session that there is behind it.
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
  }
  await remember(client.era());
}

/** True when a handshake may have failed because the server no longer supports it. */
function contradicts(error: unknown): boolean {
  if (error instanceof RpcError || error instanceof InvalidMessageError) return true;
  if (error instanceof UnsupportedRevisionError || error instanceof ConnectionClosedError)
    return true;
  return isHttpEvidence(error);
}
