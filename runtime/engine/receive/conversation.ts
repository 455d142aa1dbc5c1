import type { CustomMessage, RequestOptions, Session } from "../../api/index.js";
import type { Message, RequestId, ResponseMessage, Side } from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { RequestContext } from "./request-context.js";

/**
 * Kind of conversation that a received message belongs to: one over a connection, as sessions are, or one of stateless
 * requests. Everything that differs between the two while a message is handled is here.
 */
export interface Conversation {
  readonly side: Side;
  readonly binding: Binding;
  /** Session that the handler sees. */
  sessionOf(context: RequestContext): Session;
  /** Handles a message that is for the engine itself. */
  control(context: RequestContext): unknown;
  /** Sends a request while a message is handled. */
  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown>;
  /** Sends a notification that belongs to a message under way. */
  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void>;
  /** Does something once for a request, however often its handler is called. */
  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value>;
  /** Releases the stream that a request is answered on, until the client comes back for the rest. */
  releaseStream(context: RequestContext, retry: number | undefined): void;
  /** Cancels the requests that were sent while a message was handled. */
  cancelRequestsOf(context: RequestContext, reason: Error): void;
  report(error: Error): void;
}

/** Way back to the sender of a message: a connection, or the HTTP request that brought it. */
export interface Reply {
  /** True when it is the way back of one request alone, on a stream of its own, which its sender leaves to cancel it. */
  readonly hasOwnStream: boolean;
  /** Same object for all messages that one connection brings. */
  readonly connection: object;
  /** @throws TypeError or RangeError when the answer cannot be written as JSON; nothing is sent then */
  respond(answer: ResponseMessage): void;
  /**
   * Sends a message that belongs to the one under way.
   *
   * @param relatedTo - id of the request under way, as long as that has no answer
   * @returns a promise that resolves when there is room for more
   */
  send(message: Message, relatedTo: RequestId | undefined): Promise<void> | undefined;
  /** Called when a request was cancelled, so that no answer follows. */
  cancelled(id: RequestId): void;
  /** Called when the server is closed, so that no answer follows; absent where a connection is told instead. */
  dropped?(): void;
}

/** Keeper of the requests that are in flight. */
export interface RequestOwner {
  /** Takes the answer of a handler that has taken time; undefined where none is due. */
  take(context: RequestContext, answer: ResponseMessage | undefined): void;
  /** Ends a request whose time is over. */
  expire(context: RequestContext): void;
  /** Answers in place of a handler, which is not waited for any more: its signal aborts afterwards. */
  answer(context: RequestContext, outcome: Promise<unknown>, reason: Error): void;
  /** Ends a response that stays open, with its result. */
  retire(context: RequestContext): void;
  /**
   * Stops a request: its handler is aborted, and no answer is sent. Does nothing for one that is not in flight.
   * @param key - id of the request; the reply of one with a stream of its own
   */
  cancel(key: unknown, reason?: unknown): void;
}
