import {
  type Address,
  type Admitted,
  type Agreement,
  type Binding,
  type Connection,
  type Conversations,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type SideDefinition,
  type StatelessDoor,
  notSent,
  ofLifecycle,
} from "../engine/index.js";
import { assertFreshness, statelessServerRules } from "../rules/index.js";
import {
  CapabilityError,
  METHOD_NOT_FOUND,
  type Method,
  RpcError,
  isObject,
  quote,
  revisionNamed,
} from "../wire/index.js";
import { StatelessConversation } from "./conversation.js";
import { ServedRequests } from "./served-requests.js";
import { OpenSubscriptions } from "./subscriptions.js";
import { topicKeys } from "./topics.js";

/** Servers of stateless revisions. */
export const serverStateless: LifecycleStrategy = (opening) => new StatelessServer(opening);

/** Server side of stateless conversations, shared by all connections of a server. */
class StatelessServer implements Conversations, StatelessDoor, Lifecycle {
  readonly binding: Binding;
  readonly agreement: Agreement | undefined = undefined;
  readonly isSettled = false;
  readonly #preferred: StatelessConversation;
  readonly #byRevision: ReadonlyMap<unknown, StatelessConversation>;
  readonly #supported: readonly string[];
  readonly #definition: SideDefinition;

  /** @throws TypeError if `freshness` names results that are not cacheable */
  constructor(opening: Opening) {
    const { revisions, definition } = opening;
    const { options, limits, listeners } = definition;
    this.#definition = definition;
    assertFreshness(options.freshness, revisions);
    const keys = new Map(revisions.flatMap((revision) => [...topicKeys(revision)]));
    const subscriptions = new OpenSubscriptions(limits, keys);
    this.#supported = [...revisions, ...ofLifecycle(definition.revisions, "initialize")].map(
      ({ id }) => id,
    );
    const rules = statelessServerRules(definition);
    const conversations = revisions.map(
      (revision) =>
        new StatelessConversation(opening, rules, revision, this.#supported, subscriptions),
    );
    this.#preferred = conversations[0]!;
    this.#byRevision = new Map(conversations.map((one) => [one.revision.id, one]));
    this.binding = this.#preferred.binding;
    listeners.add((event, connection) => {
      subscriptions.notify(event, connection);
      return conversations.some((one) => one.announces(event.method));
    });
  }

  get stateless(): this {
    return this;
  }

  begin(): this {
    return this;
  }

  async open(): Promise<void> {}

  receive(
    _connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): StatelessConversation {
    return this.conversationFor(kind, method, params, revisionNamed(params));
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

  serve(): ServedRequests {
    return new ServedRequests(this.#definition, this);
  }

  answers(method: string): boolean {
    return this.binding.requests.has(method);
  }

  control(): undefined {
    return undefined;
  }

  admit({ kind, method }: Address): Admitted {
    if (kind === "request") {
      const how = "questions travel inside the results of requests, and it is none of them";
      throw new CapabilityError(`${method} was not sent: ${how}`);
    }
    const why = "without a handshake, each message belongs to a request of the client";
    throw notSent(method, why);
  }

  /** Refuses a request that opens another kind of conversation, with the supported revisions (MCP: versioning, compatibility). */
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
    const text = `Unsupported protocol version: ${quote(requested)} ${how}; there are ${supported.join(", ")}`;
    const code = this.#preferred.revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"]!;
    return new RpcError(code, text, { supported, requested });
  }
}
