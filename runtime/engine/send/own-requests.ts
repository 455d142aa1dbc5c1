import type { Progress, RelatedCall, RequestOptions, Session } from "../../api/index.js";
import type {
  Message,
  Origin,
  RequestId,
  RpcError,
  Side,
  TransportHooks,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { SideDefinition } from "../define/side-definition.js";
import type { ReceivedRequests } from "../receive/received-requests.js";
import type { RequestContext } from "../receive/request-context.js";
import type { PendingRequests, OutgoingRequest } from "./pending-request.js";

/** The connection as seen by its calls and by the requests it sends. */
export interface SendingHost {
  readonly side: Side;
  readonly definition: SideDefinition;
  readonly binding: Binding;
  readonly session: Session;
  readonly hooks: TransportHooks | undefined;
  /** The requests that this side has sent; replaced once the code for them has been loaded. */
  sent: OwnRequests;
  readonly agreement: object | undefined;
  readonly received: ReceivedRequests;
  canAsk(during: RequestContext | undefined): boolean;
  refused(error: RpcError): Error;
  notify(method: string, params: unknown, during: RequestContext | undefined): Promise<void>;
  transmit(
    message: Message,
    during: RequestContext | undefined,
    stateless: Binding | undefined,
    once?: string,
  ): Promise<void> | undefined;
  readonly report: (error: Error) => void;
}

/**
 * The requests that one side of a connection sends. Clients create this object together with the connection; servers
 * load its code when they can send a request (`requests-on-demand.ts`).
 */
export interface OwnRequests {
  /** True if requests from this side have become tasks, which received messages may refer to. */
  readonly hasTasks: boolean;
  load(): Promise<void> | undefined;
  /**
   * The pending requests, needed for requests that take several messages, which only clients send. Absent until the
   * code has been loaded.
   */
  readonly pending?: PendingRequests | undefined;
  request(
    request: OutgoingRequest,
    options: RequestOptions,
    during: RequestContext | undefined,
  ): { readonly promise: Promise<unknown> };
  has(id: unknown): boolean;
  /** Handles a received message that is a response, or was meant to be one. */
  response(message: Record<string, unknown>, problem?: string): void;
  fail(id: RequestId, error: Error): void;
  /**
   * Handles an unreadable response. All pending requests are rejected, because any of them may be the one it answers.
   */
  lost(problem: string): void;
  /**
   * Returns the request that a received message belongs to, if the message's task or origin
   * identifies one.
   */
  relatedCall(params: unknown, origin: Origin | undefined): RelatedCall | undefined;
  /** Handles progress for a request. The progress token is the request's id. */
  progress(params: Progress & { readonly progressToken: RequestId }): void;
  cancelDuring(during: RequestContext, reason: unknown): void;
  /**
   * Rejects all pending requests, because the connection has ended.
   *
   * @param reason - creates the error; called only if requests are pending, because most connections end with none
   */
  close(reason: () => Error): void;
}

export type SendingHalf = (connection: SendingHost) => OwnRequests;
