import type { Transport } from "../../../runtime/wire/messages/transport.js";
import type { Package } from "../support/packages.js";
import type { RawEnd } from "../support/raw-end.js";

/** Abilities of a transport, at any revision. */
export interface WireTraits {
  /** True when the server remembers a request in the next one. */
  readonly sessions: boolean;
  /** True when all clients share one server. */
  readonly shared: boolean;
  /** True when messages other than `initialize` may come first. */
  readonly early: boolean;
  /** True when notifications about a request precede its response, on the same stream. */
  readonly tells: boolean;
  /** True when a server can send requests to a client. */
  readonly asks: boolean;
}

/** A server of ours that can be reached over some transport. */
export interface Venue {
  /** Violations that the taps at the server's ends have found so far. */
  readonly violations: readonly string[];
  /** Errors that the server reported to `onerror`. */
  readonly errors: readonly string[];
  /**
   * A client's end of one more connection.
   * @param isDeaf - receives no messages except those of a response, if the transport separates
   * them
   */
  transport(isDeaf?: boolean): Transport;
  /** A client's end of one more connection that the test controls. */
  raw(): Promise<RawEnd>;
  /** The server goes away. */
  close(): Promise<void>;
}

/** A client's end, and a server that the test controls. */
export interface Puppet {
  readonly transport: Transport;
  readonly raw: RawEnd;
  close(): Promise<void>;
}

export type ServerKind = "everything" | "bare";

/** Client and server with the transport that connects them. */
export interface Connecting {
  readonly name: string;
  readonly traits: WireTraits;
  /** Serves; what raw ends say is not checked. */
  serve(from: Package, kind: ServerKind, trustsClients: boolean): Promise<Venue>;
  /** Absent if the client runs in another process than the server. */
  puppet?(): Promise<Puppet>;
}
