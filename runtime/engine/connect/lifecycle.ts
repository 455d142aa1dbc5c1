import type {
  ConnectOptions,
  CustomMessage,
  InputRequest,
  PeerDescription,
  RelatedCall,
  RequestOptions,
  Session,
  StepSource,
} from "../../api/index.js";
import type {
  Frame,
  Method,
  NotificationMessage,
  Origin,
  Receiver,
  RequestId,
  RequestMessage,
  Revision,
  Role,
  RpcError,
  Side,
  TransportHooks,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { SideDefinition } from "../define/side-definition.js";
import type { ReceivedRequests } from "../receive/received-requests.js";
import type { Conversation, Reply, RequestContext } from "../receive/request-context.js";
import type { Address, Admitted } from "../send/admission.js";
import type { SentRequest } from "../send/pending-request.js";
import type { SentRequests } from "../send/sent-requests.js";

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
  /** Wraps the receiver of a connection's messages; absent where they reach the connection at once. */
  readonly receiver?: ((inner: Receiver) => Receiver) | undefined;
}

/**
 * Way in which one side opens conversations of a kind. Passed to servers and clients, so that bundlers can
 * drop unused lifecycles.
 */
export type LifecycleStrategy = (opening: Opening) => Conversations;

/** Entry point for stateless messages that arrive without a connection (HTTP). */
export interface StatelessRequests {
  /** True after {@link close}. */
  readonly isClosed: boolean;
  /**
   * Handles a request; its reply gets the answer, at once or later.
   * @param version - revision that the request names in its `_meta`
   */
  handle(request: RequestMessage, version: unknown, reply: Reply, origin: Origin): void;
  /** Handles a notification, to which nothing can be said. */
  react(notification: NotificationMessage, version: unknown, origin: Origin): void;
  /** Stops a request whose sender does not wait for its answer any more. */
  cancel(reply: Reply): void;
  /** Resolves when they have been closed; absent if it does not say so. */
  readonly closed?: Promise<void> | undefined;
  /** Ends subscriptions with their results, and aborts all else that is under way. */
  close(): void;
}

/** Door of a server for stateless requests. */
export interface StatelessDoor {
  /** Serves requests that no connection brings, each with a reply of its own. */
  serve(): StatelessRequests;
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
  request: SentRequest,
  options: RequestOptions,
  sent?: (id: RequestId) => void,
) => Promise<unknown>;

/** Connection as its parts, its lifecycle and its conversations know it. */
export interface Connection extends Reply {
  readonly side: Side;
  readonly definition: SideDefinition;
  readonly lifecycle: Lifecycle;
  readonly binding: Binding;
  readonly agreement: Agreement | undefined;
  readonly session: Session;
  readonly hooks: TransportHooks | undefined;
  /** Requests that this side has received. */
  readonly received: ReceivedRequests;
  /** Requests that this side has sent. */
  readonly sent: SentRequests;
  readonly isClosed: boolean;
  /** Resolves when the connection is over, with the error that ended it, if one did. */
  readonly finished: Promise<Error | undefined>;
  readonly report: (error: Error) => void;
  /** True if a request could reach the peer now. */
  canAsk(during?: RequestContext): boolean;
  /** Sends a request, by itself or while a received message is handled. */
  request(
    method: string | CustomMessage,
    params: unknown,
    options?: RequestOptions,
    during?: RequestContext,
  ): Promise<unknown>;
  /**
   * Sends a notification, by itself or while a received message is handled.
   * @param once - name of a broadcast that other instances send, too
   */
  notify(
    method: string | CustomMessage,
    params: unknown,
    during?: RequestContext,
    once?: string,
  ): Promise<void>;
  /** Passes a message to the transport. */
  send(frame: Frame, related: RequestId | undefined, once?: string): Promise<void> | undefined;
  /** Sends a ping, which the engine of any peer answers. */
  ping(timeout: number): Promise<void>;
  /** Ends a request that cannot be answered any more. */
  failed(id: RequestId | undefined, error: Error): void;
  /** Conversation over this connection under a binding. */
  under(binding: Binding): Conversation;
  /**
   * Conversation that a received message belongs to.
   * @throws RpcError if there is none
   */
  conversationFor(kind: Method["kind"], method: string, params: unknown): Conversation;
  /** Ends the connection because of an error, or in order. */
  closed(error?: Error): void;
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
  /** True once nothing changes any more about what may be sent: connections then look up each message only once. */
  readonly isSettled: boolean;
  /**
   * Looks up a message that is to be sent, by itself or while another one is handled.
   * @throws LifecycleError if it may not be sent now, CapabilityError if never
   */
  admit(message: Address, during?: RequestContext): Admitted;
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
