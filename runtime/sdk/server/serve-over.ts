import type { Transport } from "../shared/index.js";
import type { Connection, Definition } from "./definition.js";

/** Key of the method by which a transport of this package serves a definition by itself. */
export const SERVE: unique symbol = Symbol("mcp-codegen.serve");

/** A transport that serves a definition by itself, such as one for HTTP. */
export interface ServingTransport extends Transport {
  /** @returns promise of the end of the connection */
  [SERVE](definition: Definition, connection: Connection): Promise<Promise<unknown>>;
}

/**
 * Starts to serve over any transport.
 * @returns promise of the end of the connection, inside a promise of its start
 */
export async function serveOver(
  transport: Transport,
  definition: Definition,
  connection: Connection,
): Promise<{ then: Promise<unknown>["then"] }> {
  if (SERVE in transport) {
    const ended = (transport as ServingTransport)[SERVE](definition, connection);
    return { then: (...handlers) => ended.then((closed) => closed).then(...handlers) };
  }
  await connection.connect(nativeTransport(transport));
  return connection.closed;
}
