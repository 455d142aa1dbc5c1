import type { Binding } from "./binding.js";
import type { Definition } from "./definition.js";
import type { Handling } from "./handling.js";
import type { Method, RequestId, Revision, Role, Side } from "../wire/index.js";
import type { ConnectOptions, PeerDescription, RequestOptions } from "../api/index.js";
import type { Outgoing } from "./outgoing.js";
import type { Peer } from "./peer.js";

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
  /** What the client or server is; its options and features. */
  readonly definition: Definition;
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

/** Makes the lifecycle of one more connection. */
export type LifecycleFactory = (start: Start) => Lifecycle;

/**
 * How one side opens conversations of a kind. A revision brings that of a server, and a client its own, so that none
 * comes along unused.
 */
export type LifecycleStrategy = (opening: Opening) => LifecycleFactory;

/**
 * Sends a request, waits for its answer, and gives the result.
 * @param sent - hears the id that the request has
 */
export type Attempt = (
  request: Admitted,
  options: RequestOptions,
  sent?: (id: RequestId) => void,
) => Promise<unknown>;

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
  /** What holds for the connection. */
  readonly binding: Binding;
  /** Absent until the peer is known. */
  readonly agreement: Agreement | undefined;
  /**
   * Opens the conversation once the transport has started. For a client it resolves when requests can be
   * sent, for a server at once.
   */
  open(peer: Peer, options: ConnectOptions): Promise<void>;
  /**
   * What a received message is handled under, where messages say that themselves; `binding` without this method.
   * @throws RpcError when it cannot be handled under what it says
   */
  receive?(kind: Method["kind"], method: string, params: unknown): Binding;
  /** Handles a received message that is for the engine. */
  control(role: Role, params: unknown, during: Handling): unknown;
  /**
   * Looks up a message that is to be sent, by itself or while another one is handled, and takes out of its
   * parameters what counts for nothing here.
   * @throws LifecycleError when it may not be sent now, CapabilityError when not at all
   */
  admit(message: Outbound, during?: Handling): Admitted;
  /**
   * Sends a request where that takes more than it does elsewhere.
   * @returns a promise of its final result, whose rejection need not be looked at; undefined where it takes no more
   */
  exchange?(
    outgoing: Outgoing,
    request: Admitted,
    options: RequestOptions,
    during: Handling | undefined,
  ): Promise<unknown> | undefined;
  /** Opening the conversation takes too long: it ends with this error, and the peer does not hear of it. */
  forgo?(error: Error): void;
  /**
   * Fills in what the result of an own request may lack, before it is validated.
   * @throws InvalidMessageError when it is of a kind that the request cannot have
   */
  arrived?(row: Method, result: unknown): unknown;
}
