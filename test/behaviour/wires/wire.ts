import type { Transport } from "../../../runtime/wire/messages/transport.js";
import type { Package } from "../support/packages.js";
import type { RawEnd } from "../support/raw-end.js";

/** The abilities of a transport, at any revision. */
export interface WireTraits {
  /** True if the server remembers a request when the next one arrives. */
  readonly sessions: boolean;
  /** True if all clients share one server. */
  readonly shared: boolean;
  /** True if messages other than `initialize` may come first. */
  readonly early: boolean;
  /** True if notifications about a request precede its response on the same stream. */
  readonly tells: boolean;
  /** True if a server can send requests to a client. */
  readonly asks: boolean;
}

/** A server of ours that can be reached over a transport. */
export interface Venue {
  /** The violations that the taps at the server's ends have found so far. */
  readonly violations: readonly string[];
  /** The errors that the server reported to `onerror`. */
  readonly errors: readonly string[];
  /**
   * Opens another connection and returns the client's end.
   *
   * @param isDeaf - receives no messages except those of a response, if the transport separates them
   */
  transport(isDeaf?: boolean): Transport;
  /** Opens another connection and returns a client's end that the test controls. */
  raw(): Promise<RawEnd>;
  /** Shuts the server down. */
  close(): Promise<void>;
}

/** A client's end and a server that the test controls. */
export interface Puppet {
  readonly transport: Transport;
  readonly raw: RawEnd;
  close(): Promise<void>;
}

export type ServerKind = "everything" | "bare";

/** Connects a client and a server over one transport. */
export interface Connecting {
  readonly name: string;
  readonly traits: WireTraits;
  /** Starts a server. The messages that raw ends send are not checked. */
  serve(from: Package, kind: ServerKind, trustsClients: boolean): Promise<Venue>;
  /** Creates a server that the test controls. Absent if the client runs in a different process from the server. */
  puppet?(): Promise<Puppet>;
}
