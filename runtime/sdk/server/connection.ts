import { type AskingContext, McpServer as Definition } from "@mcp-codegen/universal";
import { runtimeTransport, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from "../shared/index.js";

export { Definition };

/** One connection of a definition. */
export type Connection = ReturnType<Definition["fork"]>;

/** Context of handlers as the definition gives it. */
export type NativeContext = AskingContext;

/** A transport that serves a definition by itself, such as one for HTTP. */
export interface ServingTransport extends Transport {
  serveDefinition(definition: Definition, connection: Connection): Promise<StartedConnection>;
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
  if ("serveDefinition" in transport) {
    return (transport as ServingTransport).serveDefinition(definition, connection);
  }
  await connection.connect(runtimeTransport(transport, SUPPORTED_PROTOCOL_VERSIONS));
  return { ended: connection.closed };
}
