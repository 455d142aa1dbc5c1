import type { Binding } from "../binding.js";
import type { Handling } from "../handling.js";
import type { ConnectOptions } from "../options.js";
import type { Peer } from "../peer.js";
import type { Method, Revision, Role, Side } from "../revision.js";
import type { PeerDescription } from "../session.js";

/** What was agreed on with the peer, and what it said about itself. */
export interface Agreement {
  readonly revision: Revision;
  readonly peer: PeerDescription;
}

/** What one side brings into a conversation. */
export interface Opening {
  readonly side: Side;
  /** In order of preference; at least one. */
  readonly revisions: readonly Revision[];
  readonly info: unknown;
  readonly instructions: string | undefined;
  /** What this side does under a revision. */
  readonly bind: (revision: Revision) => Binding;
}

/** What is particular to one connection. */
export interface Start {
  /** The revision to serve without a handshake. */
  readonly assume: Revision | undefined;
  /** Called when a revision has been agreed on, before anything is sent under it. */
  agreed(revision: Revision): void;
}

/** What is to be sent. */
export interface Outbound {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  /** Describes a message that no revision has. */
  readonly custom?: Method | undefined;
}

/** What may be sent. */
export interface Admitted {
  readonly row: Method;
  readonly params: unknown;
}

/** How a conversation opens, and what may be said when: one per connection. */
export interface Lifecycle {
  /** What holds for the next message. */
  readonly binding: Binding;
  /** Absent until the peer is known. */
  readonly agreement: Agreement | undefined;
  /**
   * Opens the conversation once the transport has started. For a client it resolves when requests can be
   * sent, for a server at once.
   */
  open(peer: Peer, options: ConnectOptions): Promise<void>;
  /** Handles a received message that opens a conversation. */
  control(role: Role, params: unknown): unknown;
  /**
   * Looks up a message that is to be sent, by itself or while another one is handled, and takes out of its
   * parameters what counts for nothing here.
   * @throws LifecycleError when it may not be sent now, CapabilityError when not at all
   */
  admit(message: Outbound, during?: Handling): Admitted;
}
