import type { Transport } from "../../../runtime/wire/messages/transport.js";
import type { Package } from "../support/packages.js";
import type { RawEnd } from "../support/raw-end.js";

/** Abilities of a wire, whatever the revision. */
export interface WireTraits {
  /** True when the server remembers a request in the next one. */
  readonly sessions: boolean;
  /** True when all clients share one server. */
  readonly shared: boolean;
  /** True when messages other than `initialize` may come first. */
  readonly early: boolean;
  /** True when notifications about a request come before its answer, on the same stream. */
  readonly tells: boolean;
  /** True when a server can send requests to a client. */
  readonly asks: boolean;
}

/** A server of ours that can be reached over some wire. */
export interface Venue {
  /** Violations that the taps at the server's ends have found so far. */
  readonly violations: readonly string[];
  /** Errors that the server reported to `onerror`. */
  readonly errors: readonly string[];
  /**
   * A client's end of one more connection.
   * @param isDeaf - hears nothing but what comes with answers, where that is another place
   */
  transport(isDeaf?: boolean): Transport;
  /** A client's end of one more connection, in the hands of the test. */
  raw(): Promise<RawEnd>;
  /** The server goes away. */
  close(): Promise<void>;
}

/** A client's end and a server that is in the hands of the test. */
export interface Puppet {
  readonly transport: Transport;
  readonly raw: RawEnd;
  close(): Promise<void>;
}

export type ServerKind = "everything" | "bare";

/** Client and server with the wire that connects them. */
export interface Connecting {
  readonly name: string;
  readonly traits: WireTraits;
  /** Serves; what raw ends say is not checked. */
  serve(from: Package, kind: ServerKind, trustsClients: boolean): Promise<Venue>;
  /** Absent where the client runs elsewhere than the server. */
  puppet?(): Promise<Puppet>;
}
