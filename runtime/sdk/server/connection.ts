import { type AskingContext, McpServer as Definition } from "@mcp-codegen/universal";
import { runtimeTransport, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from "../shared/index.js";
import { type FirstMessage, HeldTransport } from "./held-transport.js";
import { isStatelessMessage } from "./request-era.js";

export { Definition };

export type Connection = ReturnType<Definition["fork"]>;

export type NativeContext = AskingContext;

/** A transport that serves a definition itself, such as an HTTP transport. */
export interface ServingTransport extends Transport {
  serveDefinition(server: ServedServer, connection: Connection): Promise<StartedConnection>;
}

export interface ServedServer {
  readonly definition: Definition;
  fork(): Connection;
}

export interface StartedConnection {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<unknown>;
}

/**
 * Serves clients over any transport. A client whose first request is neither `initialize` nor a ping is served without
 * a handshake, as in the SDK, where hosts create a server and a transport for each request.
 *
 * @param failed - called if the connection cannot be served
 */
export async function serveOver(
  transport: Transport,
  server: ServedServer,
  connection: Connection,
  failed: (error: Error) => void,
): Promise<StartedConnection> {
  if ("serveDefinition" in transport) {
    return (transport as ServingTransport).serveDefinition(server, connection);
  }
  const held = new HeldTransport(runtimeTransport(transport, SUPPORTED_PROTOCOL_VERSIONS));
  await held.open();
  void held.first.then(async (first) => {
    try {
      const assume = first && assumedRevision(first, server.definition);
      await connection.connect(held, assume === undefined ? {} : { assume });
    } catch (error) {
      failed(error as Error);
      await held.close();
    }
  });
  return { ended: held.closed };
}

const OPENINGS: readonly unknown[] = ["initialize", "ping", "server/discover"];

/**
 * Returns the session revision for a client that skips the handshake: the one in the HTTP header, or else the newest.
 * Returns undefined if no revision needs to be assumed.
 */
function assumedRevision(
  { message, origin }: FirstMessage,
  { revisions }: Definition,
): string | undefined {
  const first = (Array.isArray(message) ? message[0] : message) as FirstRequest | null | undefined;
  const isRequest = typeof first?.method === "string" && first.id !== undefined;
  if (!isRequest || OPENINGS.includes(first.method) || isStatelessMessage(first)) return undefined;
  const ids = revisions
    .filter(({ traits }) => traits.lifecycle === "initialize")
    .map(({ id }) => id);
  const named = origin?.header?.("mcp-protocol-version");
  return ids.find((id) => id === named) ?? ids[0];
}

interface FirstRequest {
  readonly id?: unknown;
  readonly method?: unknown;
}
