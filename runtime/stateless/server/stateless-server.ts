import type { BusEvent } from "../../api/index.js";
import {
  type Conversation,
  type Opening,
  ReceivedRequests,
  type Reply,
  RequestContext,
  type SideDefinition,
  type StatelessDoor,
  type StatelessRequests,
  closedHere,
  ofLifecycle,
} from "../../engine/index.js";
import { statelessServerRules } from "../../rules/stateless/index.js";
import {
  METHOD_NOT_FOUND,
  type Method,
  type NotificationMessage,
  type Origin,
  type RequestMessage,
  RpcError,
  isObject,
  quote,
} from "../../wire/index.js";
import { topicKeys } from "../topics.js";
import { StatelessConversation } from "./conversation.js";
import { OpenSubscriptions } from "./subscriptions.js";

/** The server side of stateless conversations, shared by all connections of a server. */
export class StatelessServer implements StatelessDoor {
  readonly #preferred: StatelessConversation;
  readonly #byRevision: ReadonlyMap<unknown, StatelessConversation>;
  readonly #supported: readonly string[];
  readonly #definition: SideDefinition;
  readonly #subscriptions: OpenSubscriptions;

  constructor({ definition, revisions }: Opening) {
    this.#definition = definition;
    const keys = new Map(revisions.flatMap((revision) => [...topicKeys(revision)]));
    this.#subscriptions = new OpenSubscriptions(definition.limits, keys);
    this.#supported = [...revisions, ...ofLifecycle(definition.revisions, "initialize")].map(
      ({ id }) => id,
    );
    const rules = statelessServerRules(definition);
    const conversations = revisions.map(
      (revision) =>
        new StatelessConversation(
          definition,
          rules,
          revision,
          this.#supported,
          this.#subscriptions,
        ),
    );
    this.#preferred = conversations[0]!;
    this.#byRevision = new Map(conversations.map((one) => [one.revision.id, one]));
  }

  notify(event: BusEvent, connection: object | undefined): void {
    this.#subscriptions.notify(event, connection);
  }

  conversationFor(
    kind: Method["kind"],
    method: string,
    params: unknown,
    version: unknown,
  ): StatelessConversation {
    const conversation = this.#byRevision.get(version);
    if (conversation) return conversation;
    if (kind === "notification") return this.#preferred;
    if (typeof version === "string") throw this.#unsupported(version);
    if (version === undefined) this.#refuseForeign(method, params);
    return this.#preferred;
  }

  serve(): StatelessRequests {
    return servedRequests(this.#definition, this);
  }

  answers(method: string): boolean {
    return this.#preferred.binding.requests.has(method);
  }

  /**
   * Refuses a request that would open another kind of conversation; the error names the supported revisions (MCP:
   * versioning, compatibility).
   */
  #refuseForeign(method: string, params: unknown): void {
    const row = this.#preferred.revision.methods.get(method);
    if (row && row.extension === undefined) return;
    const wanted = isObject(params) ? params["protocolVersion"] : undefined;
    if (typeof wanted === "string") throw this.#unsupported(wanted);
    const name = quote(method);
    const text = `Method not found: ${name} is not a request of ${this.#supported.join(", ")}`;
    throw new RpcError(METHOD_NOT_FOUND, text, { supported: this.#supported });
  }

  #unsupported(requested: string): RpcError {
    const supported = this.#supported;
    const how = supported.includes(requested) ? "needs a handshake" : "is not served";
    const text = `Unsupported protocol version: ${quote(requested)} ${how}; supported are ${supported.join(", ")}`;
    const code = this.#preferred.revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"]!;
    return new RpcError(code, text, { supported, requested });
  }
}

function servedRequests(definition: SideDefinition, door: StatelessDoor): StatelessRequests {
  const inFlight = new ReceivedRequests(definition, () => {});
  const leave = definition.join();
  let finish!: () => void;
  const closed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const requests = {
    closed,
    isClosed: false,

    handle(request: RequestMessage, version: unknown, reply: Reply, origin: Origin): void {
      const { id, method, params } = request;
      let conversation: Conversation;
      try {
        conversation = door.conversationFor("request", method, params, version);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return reply.respond({ jsonrpc: "2.0", id, error: error.toJSON() });
      }
      inFlight.handle(new RequestContext(conversation, reply, request, origin));
    },

    react(notification: NotificationMessage, version: unknown, origin: Origin): void {
      const { method, params } = notification;
      const conversation = door.conversationFor("notification", method, params, version);
      inFlight.react(new RequestContext(conversation, NO_REPLY, notification, origin));
    },

    cancel: (reply: Reply) => inFlight.cancel(reply),

    close(): void {
      if (requests.isClosed) return;
      requests.isClosed = true;
      inFlight.retireAll();
      for (const { reply } of inFlight.close(closedHere)) reply.dropped?.();
      definition.deadlines.rest();
      leave();
      finish();
    },
  };
  return requests;
}

const NO_REPLY: Reply = {
  hasOwnStream: true,
  connection: {},
  respond() {},
  send: () => undefined,
  cancelled() {},
};
