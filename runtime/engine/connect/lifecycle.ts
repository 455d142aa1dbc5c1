import type {
  ConnectOptions,
  CustomMessage,
  InputRequest,
  PeerDescription,
  RelatedCall,
  RequestOptions,
  Session,
} from "../../api/index.js";
import type {
  Frame,
  Method,
  NotificationMessage,
  Origin,
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
import type { OwnRequests } from "../send/own-requests.js";
import type { OutgoingRequest } from "../send/pending-request.js";

export interface Agreement {
  readonly revision: Revision;
  readonly peer: PeerDescription;
  readonly discovered?: unknown;
}

export interface Opening {
  readonly definition: SideDefinition;
  /** The revisions for this kind of conversation, in order of preference. There is at least one. */
  readonly revisions: readonly Revision[];
}

export interface Start {
  readonly assume: Revision | undefined;
  readonly opening: unknown;
  /**
   * Returns the conversation for a message that does not belong to the session; absent if all messages belong to it.
   */
  readonly receive?: Lifecycle["receive"];
  /** Called when a revision has been negotiated, before anything is sent under it. */
  agreed(revision: Revision): void;
}

export interface Conversations {
  begin(start: Start): Lifecycle;
  /** The entry point for stateless requests. Absent if no revision is stateless, and until `load` has resolved. */
  readonly stateless?: StatelessDoor | undefined;
  readonly load?: () => Promise<void>;
}

/**
 * The strategy by which one side opens a kind of conversation. It is passed to servers and clients, so that bundlers
 * can drop unused lifecycles.
 */
export type LifecycleStrategy = (opening: Opening) => Conversations;

/** The entry point for stateless messages that arrive without a connection (HTTP). */
export interface StatelessRequests {
  readonly isClosed: boolean;
  handle(request: RequestMessage, version: unknown, reply: Reply, origin: Origin): void;
  react(notification: NotificationMessage, version: unknown, origin: Origin): void;
  cancel(reply: Reply): void;
  /** Resolves when `close` has ended all requests; absent if that is not reported. */
  readonly closed?: Promise<void> | undefined;
  /** Ends subscriptions with their results, and aborts all other requests in progress. */
  close(): void;
}

export interface StatelessDoor {
  serve(): StatelessRequests;
  /**
   * Returns the conversation that a message belongs to.
   *
   * @param version - the revision named in the message's `_meta`
   * @throws RpcError if it does not belong to any conversation
   */
  conversationFor(
    kind: Method["kind"],
    method: string,
    params: unknown,
    version: unknown,
  ): Conversation;
  answers(method: string): boolean;
}

export type Attempt = (
  request: OutgoingRequest,
  options: RequestOptions,
  sent?: (id: RequestId) => void,
) => Promise<unknown>;

export interface Connection extends Reply {
  readonly side: Side;
  readonly definition: SideDefinition;
  readonly lifecycle: Lifecycle;
  readonly binding: Binding;
  readonly agreement: Agreement | undefined;
  readonly session: Session;
  readonly hooks: TransportHooks | undefined;
  readonly received: ReceivedRequests;
  readonly sent: OwnRequests;
  readonly isClosed: boolean;
  /** Resolves when the connection is over, with the error that ended it, if any. */
  readonly finished: Promise<Error | undefined>;
  readonly report: (error: Error) => void;
  /** Returns true if a request could reach the peer now. */
  canAsk(during?: RequestContext): boolean;
  request(
    method: string | CustomMessage,
    params: unknown,
    options?: RequestOptions,
    during?: RequestContext,
  ): Promise<unknown>;
  /**
   * Sends a notification.
   *
   * @param once - the name of a broadcast that other instances also send, so that the peer receives it only once
   */
  notify(
    method: string | CustomMessage,
    params: unknown,
    during?: RequestContext,
    once?: string,
  ): Promise<void>;
  send(frame: Frame, related: RequestId | undefined, once?: string): Promise<void> | undefined;
  failed(id: RequestId | undefined, error: Error): void;
  readonly conversation: Conversation;
  /**
   * Holds back all further messages while code is being loaded.
   *
   * @param loaded - called before the messages that were held back, with the error if loading failed
   */
  hold(loading: Promise<void>, loaded: (failure?: Error) => void): void;
  /** Runs a function immediately or, while code is being loaded, after the messages that are held back. */
  inOrder(handle: () => void): void;
  closed(error?: Error): void;
}

/**
 * The procedure that opens a conversation, and the rules for which messages are allowed when. Each connection has its
 * own.
 */
export interface Lifecycle {
  /** The current binding, which is replaced when a revision is agreed on. */
  readonly binding: Binding;
  /** The outcome of the negotiation; absent until the peer is known. */
  readonly agreement: Agreement | undefined;
  /**
   * Opens the conversation after the transport has started. On a client, the promise resolves when requests can be
   * sent; on a server, it resolves immediately.
   */
  open(connection: Connection, options: ConnectOptions): Promise<void>;
  /**
   * Returns the conversation for a received message. This is the only place that decides whether the message is
   * stateless.
   *
   * @returns undefined for the connection's own conversation; a promise if code that the message needs has to be loaded
   *   first, in which case the message must be received again afterwards
   * @throws RpcError if the message does not belong to any conversation
   */
  readonly receive?:
    | ((
        connection: Connection,
        kind: Method["kind"],
        method: string,
        params: unknown,
      ) => Conversation | Promise<void> | undefined)
    | undefined;
  control(role: Role, params: unknown, context: RequestContext): unknown;
  /** True once the rules for sending can no longer change. Connections then look up each message only once. */
  readonly isSettled: boolean;
  /**
   * Looks up a message that is to be sent.
   *
   * @throws LifecycleError if it may not be sent now
   * @throws CapabilityError if it may never be sent
   */
  admit(message: Address, during?: RequestContext): Admitted;
  /**
   * Uses this side's handlers to answer questions from the peer that did not arrive as requests.
   *
   * @throws InputRefusedError if one of them is refused, OverloadError if there are too many
   */
  answer?:
    | ((
        questions: Readonly<Record<string, InputRequest>>,
        call: RelatedCall,
        signal: AbortSignal | undefined,
      ) => Promise<Readonly<Record<string, unknown>>>)
    | undefined;
  /** Converts the peer's error response to the error that the caller receives. */
  refused?(error: RpcError): Error;
  /**
   * Stops opening, if still in progress, because the other kind of conversation has been chosen. Opening rejects with
   * this error, and the peer is not notified.
   */
  forgo?(error: Error): void;
}
