import type { Revision } from "./revision.js";

/** Way of one request to the peer, and of its answer back, as the caller wishes it. */
export interface SendingOptions {
  /** HTTP headers of this request alone; those that the protocol prescribes win. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Goes on with the answer to a request whose connection was lost, in a session over HTTP (MCP: Streamable HTTP,
   * resumability).
   */
  readonly resumption?: Resumption | undefined;
  /**
   * Definition of the tool that is called, for the arguments that it wants repeated in header fields. Default: the one in
   * the list that was fetched last over this connection.
   */
  readonly tool?: object | undefined;
}

/** Event ids of the stream that brings the answer to a request. */
export interface Resumption {
  /**
   * Id that `ontoken` was called with last, for the request that is still to be answered: nothing is sent, and what the
   * server has said after that event is fetched. Other transports than Streamable HTTP refuse it.
   */
  readonly token?: string | undefined;
  /** Called with the id of each event, before its message arrives. */
  readonly ontoken?: ((token: string) => void) | undefined;
}

/** A session that was opened before, over another connection; plain JSON. Keep it as safe as a password. */
export interface OpenSession {
  /** Name that the server gave it (`Mcp-Session-Id`). */
  readonly id: string;
  /** Id of the revision that was agreed on. */
  readonly revision: Revision["id"];
  /** The server, as it described itself. */
  readonly server: {
    readonly info?: unknown;
    readonly capabilities: Readonly<Record<string, unknown>>;
    readonly instructions?: string | undefined;
  };
}
