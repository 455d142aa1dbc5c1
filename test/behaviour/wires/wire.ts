import type { Transport } from "../../../runtime/wire/transport.js";
import type { Package } from "../support/packages.js";
import type { RawEnd } from "../support/raw-end.js";

/** What can be done over a wire, whatever the revision. */
export interface WireTraits {
  /** Whether what is said in one request is remembered in the next. */
  readonly sessions: boolean;
  /** Whether all clients share one server. */
  readonly shared: boolean;
  /** Whether anything but `initialize` is heard first. */
  readonly early: boolean;
  /** Whether what is told on behalf of a request comes with its answer, and before it. */
  readonly tells: boolean;
  /** Whether a server can ask a client something. */
  readonly asks: boolean;
}

/** A server of ours that can be reached over some wire. */
export interface Venue {
  /** What the taps at the server's ends have complained about so far. */
  readonly violations: readonly string[];
  /** What the server has reported to `onerror`. */
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

/** What client and server are connected by. */
export interface Connecting {
  readonly name: string;
  readonly traits: WireTraits;
  /** Serves; what raw ends say is not checked. */
  serve(from: Package, kind: ServerKind, trustsClients: boolean): Promise<Venue>;
  puppet(): Promise<Puppet>;
}
