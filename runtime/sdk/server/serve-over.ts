import { runtimeTransport, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from "../shared/index.js";
import type { Connection, Definition } from "./definition.js";

/** Key of the method by which a transport of this package serves a definition by itself. */
export const SERVE: unique symbol = Symbol("mcp-codegen.serve");

/** A transport that serves a definition by itself, such as one for HTTP. */
export interface ServingTransport extends Transport {
  [SERVE](definition: Definition, connection: Connection): Promise<StartedConnection>;
}

/** A connection that has started. */
export interface StartedConnection {
  /** Resolves when it is over. */
  readonly ended: Promise<unknown>;
}

/** Starts to serve over any transport. */
export async function serveOver(
  transport: Transport,
  definition: Definition,
  connection: Connection,
): Promise<StartedConnection> {
  if (SERVE in transport) {
    return (transport as ServingTransport)[SERVE](definition, connection);
  }
  await connection.connect(runtimeTransport(transport, SUPPORTED_PROTOCOL_VERSIONS));
  return { ended: connection.closed };
}
