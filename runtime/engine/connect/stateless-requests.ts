import {
  LifecycleError,
  type NotificationMessage,
  type Origin,
  type RequestMessage,
  RpcError,
} from "../../wire/index.js";
import { closedHere } from "../define/errors.js";
import type { SideDefinition } from "../define/side-definition.js";
import { ReceivedRequests } from "../receive/received-requests.js";
import { type Conversation, type Reply, RequestContext } from "../receive/request-context.js";
import type { Conversations, StatelessDoor } from "./lifecycle.js";

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
  /** Ends subscriptions with their results, and aborts all else that is under way. */
  close(): void;
}

/** Stateless requests of one server. */
export class ServedStatelessRequests implements StatelessRequests {
  /** Resolves when they have been closed. */
  readonly closed: Promise<void>;
  readonly #definition: SideDefinition;
  readonly #door: StatelessDoor;
  readonly #inFlight: ReceivedRequests;
  readonly #leave: () => void;
  #finish!: () => void;
  #isClosed = false;

  /** @throws LifecycleError when no revision is stateless */
  constructor(definition: SideDefinition, conversations: Conversations) {
    const { limits, options, deadlines, report } = definition;
    if (conversations.stateless === undefined)
      throw new LifecycleError("This server has no stateless revision");
    this.#definition = definition;
    this.#door = conversations.stateless;
    this.#inFlight = new ReceivedRequests({
      limit: limits.incoming,
      handlerTimeout: options.handlerTimeout ?? Infinity,
      rates: definition.rates,
      log: definition.log,
      deadlines,
      report,
      idle() {},
    });
    this.#leave = definition.join();
    this.closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  handle(request: RequestMessage, version: unknown, reply: Reply, origin: Origin): void {
    const { id, method, params } = request;
    let conversation: Conversation;
    try {
      conversation = this.#door.conversationFor("request", method, params, version);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return reply.respond({ jsonrpc: "2.0", id, error: error.toJSON() });
    }
    this.#inFlight.handle(new RequestContext(conversation, reply, request, origin));
  }

  react(notification: NotificationMessage, version: unknown, origin: Origin): void {
    const { method, params } = notification;
    const conversation = this.#door.conversationFor("notification", method, params, version);
    const context = new RequestContext(conversation, NO_REPLY, notification, origin);
    this.#inFlight.react(context);
  }

  cancel(reply: Reply): void {
    this.#inFlight.cancel(reply);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#inFlight.retireAll();
    for (const { reply } of this.#inFlight.close(closedHere)) reply.dropped?.();
    this.#definition.deadlines.rest();
    this.#leave();
    this.#finish();
  }
}

const NO_REPLY: Reply = {
  hasOwnStream: true,
  connection: {},
  respond() {},
  send: () => undefined,
  cancelled() {},
};
