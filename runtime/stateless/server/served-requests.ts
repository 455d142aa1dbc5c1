import {
  type Conversation,
  ReceivedRequests,
  type Reply,
  RequestContext,
  type SideDefinition,
  type StatelessDoor,
  type StatelessRequests,
  closedHere,
} from "../../engine/index.js";
import {
  type NotificationMessage,
  type Origin,
  type RequestMessage,
  RpcError,
} from "../../wire/index.js";

/** Stateless requests of one server. */
export class ServedRequests implements StatelessRequests {
  /** Resolves when they have been closed. */
  readonly closed: Promise<void>;
  readonly #definition: SideDefinition;
  readonly #door: StatelessDoor;
  readonly #inFlight: ReceivedRequests;
  readonly #leave: () => void;
  #finish!: () => void;
  isClosed = false;

  constructor(definition: SideDefinition, door: StatelessDoor) {
    this.#definition = definition;
    this.#door = door;
    this.#inFlight = new ReceivedRequests(definition, () => {});
    this.#leave = definition.join();
    this.closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
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
    if (this.isClosed) return;
    this.isClosed = true;
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
