import type {
  ConnectOptions,
  InputRequest,
  PeerDescription,
  RelatedCall,
  RequestOptions,
  StepSource,
} from "../api/index.js";
import type { Method, RequestId, Revision, Role, RpcError, Side } from "../wire/index.js";
import type { Binding } from "./define/binding.js";
import type { Connection } from "./connection.js";
import type { Conversation } from "./conversation.js";
import type { Outbound } from "./outbound.js";
import type { PendingRequests } from "./pending-requests.js";
import type { RequestContext } from "./request-context.js";
import type { SideDefinition } from "./side-definition.js";

/** Revision that was agreed on with the peer, and the peer's description of itself. */
export interface Agreement {
  readonly revision: Revision;
  readonly peer: PeerDescription;
  /** Result of the discovery, where the conversation began with one. */
  readonly discovered?: unknown;
}

/** Part of a client or server that its conversations need. */
export interface Opening {
  readonly side: Side;
  /** Revisions in order of preference; at least one. */
  readonly revisions: readonly Revision[];
  readonly info: unknown;
  readonly instructions: string | undefined;
  readonly definition: SideDefinition;
  /**
   * Binds the handlers of this side to a revision.
   * @param sources - contributions of the kind of conversation to the routes
   */
  readonly bind: (revision: Revision, sources: readonly StepSource[]) => Binding;
}

/** Facts that are particular to one connection. */
export interface Start {
  /** Revision of sessions to serve without a handshake. */
  readonly assume: Revision | undefined;
  /** Parameters of the `initialize` that opened the session elsewhere, under that revision. */
  readonly opening: unknown;
  /** Called when a revision has been agreed on, before anything is sent under it. */
  agreed(revision: Revision): void;
}

/** Conversations of a client or server, of one kind or of both. */
export interface Conversations {
  /** Begins the conversation of one more connection. */
  begin(start: Start): Lifecycle;
  /** Door of a server for stateless requests; absent where no revision is stateless. */
  readonly stateless?: StatelessDoor | undefined;
}

/**
 * Way in which one side opens conversations of a kind. Passed to servers and clients, so that bundlers can
 * drop unused lifecycles.
 */
export type LifecycleStrategy = (opening: Opening) => Conversations;

/** Door of a server for stateless requests. */
export interface StatelessDoor {
  /**
   * Conversation that a message belongs to.
   * @param version - revision that the message names in its `_meta`
   * @throws RpcError when there is none
   */
  conversationFor(
    kind: Method["kind"],
    method: string,
    params: unknown,
    version: unknown,
  ): Conversation;
  /** True when a request is one that it answers. */
  answers(method: string): boolean;
}

/**
 * Sends a request, waits for its answer, and gives the result.
 * @param sent - called with the id of the request
 */
export type Attempt = (
  request: Admitted,
  options: RequestOptions,
  sent?: (id: RequestId) => void,
) => Promise<unknown>;

/** Message that may be sent. */
export interface Admitted {
  readonly row: Method;
  readonly params: unknown;
  /** Binding of a stateless message; absent for one of a session. */
  readonly stateless?: Binding | undefined;
}

/** Way in which a conversation opens, and the rules of what may be said when: one per connection. */
export interface Lifecycle {
  /** Binding that holds for the connection. */
  readonly binding: Binding;
  /** Absent until the peer is known. */
  readonly agreement: Agreement | undefined;
  /**
   * Opens the conversation once the transport has started. For a client it resolves when requests can be
   * sent, for a server at once.
   */
  open(connection: Connection, options: ConnectOptions): Promise<void>;
  /**
   * Conversation that a received message belongs to: whether it is stateless is decided here, once.
   * @returns undefined for the conversation of the connection itself
   * @throws RpcError when the message belongs to none
   */
  receive?(
    connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | undefined;
  /** Handles a received message that is for the engine. */
  control(role: Role, params: unknown, context: RequestContext): unknown;
  /**
   * Looks up a message that is to be sent, by itself or while another one is handled, and takes out of its
   * parameters the members that count for nothing here.
   * @throws LifecycleError when it may not be sent now, CapabilityError when not at all
   */
  admit(message: Outbound, during?: RequestContext): Admitted;
  /**
   * Sends a request where that takes more than it does elsewhere.
   * @returns a promise of its final result, whose rejection need not be looked at; undefined where it takes no more
   */
  exchange?(
    requests: PendingRequests,
    request: Admitted,
    options: RequestOptions,
    during: RequestContext | undefined,
  ): Promise<unknown> | undefined;
  /**
   * Answers questions of the peer that did not come as requests, by the handlers of this side.
   * @throws InputRefusedError when one of them is refused, OverloadError when there are too many
   */
  answer?:
    | ((
        questions: Readonly<Record<string, InputRequest>>,
        call: RelatedCall,
        signal: AbortSignal | undefined,
      ) => Promise<Readonly<Record<string, unknown>>>)
    | undefined;
  /** Error for the caller of a request, in place of one that the peer has answered with. */
  refused?(error: RpcError): Error;
  /** Gives up opening, which takes too long: it ends with this error, and the peer does not hear of it. */
  forgo?(error: Error): void;
}
