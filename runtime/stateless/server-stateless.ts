import {
  type Admitted,
  type Agreement,
  type Binding,
  type Handling,
  type Lifecycle,
  type Opening,
  type Outbound,
  notSent,
  ofLifecycle,
} from "../engine/index.js";
import {
  CapabilityError,
  META,
  METHOD_NOT_FOUND,
  type Method,
  type Revision,
  type Role,
  RpcError,
  isObject,
  metaOf,
  quote,
} from "../wire/index.js";
import { assertFreshness } from "./complete-result.js";
import { OpenSubscriptions } from "./open-subscriptions.js";
import { StandaloneServer } from "./standalone-server.js";

/** The server's part of conversations without a handshake; shared by all connections of a server. */
export class ServerStateless implements Lifecycle {
  readonly binding: Binding;
  readonly agreement: Agreement | undefined = undefined;
  readonly #preferred: Revision;
  readonly #served: ReadonlyMap<string, StandaloneServer>;
  readonly #supported: readonly string[];

  /** @throws TypeError for `freshness` of what has none */
  constructor(opening: Opening) {
    const { revisions, definition } = opening;
    const { options, limits, listeners } = definition;
    assertFreshness(options.freshness, revisions);
    const subscriptions = new OpenSubscriptions(limits);
    this.#supported = [...revisions, ...ofLifecycle(definition.revisions, "initialize")].map(
      ({ id }) => id,
    );
    const served = revisions.map(
      (revision) => new StandaloneServer(opening, revision, this.#supported, subscriptions),
    );
    this.#preferred = revisions[0]!;
    this.#served = new Map(served.map((one) => [one.binding.revision!.id, one]));
    this.binding = served[0]!.binding;
    listeners.add((event, connection) => {
      subscriptions.hear(event, connection);
      return served.some((server) => server.announces(event.method));
    });
  }

  async open(): Promise<void> {}

  receive(kind: Method["kind"], method: string, params: unknown): Binding {
    const id = metaOf(params)?.[META.revision];
    if (typeof id !== "string") {
      if (id === undefined && kind === "request") this.#refuseForeign(method, params);
      return this.binding;
    }
    const server = this.#served.get(id);
    if (server) return server.binding;
    if (kind === "notification") return this.binding;
    throw this.#unsupported(id);
  }

  control(role: Role, params: unknown, during: Handling): unknown {
    const server = this.#served.get(during.binding.revision!.id)!;
    if (role === "discover") return server.discovery;
    if (role === "listen") return server.listen(params, during);
    return undefined;
  }

  admit(message: Outbound, during?: Handling): Admitted {
    const { kind, method } = message;
    if (kind === "request") {
      const how = "questions travel inside the results of requests, and it is none of them";
      throw new CapabilityError(`${method} was not sent: ${how}`);
    }
    const server = during && this.#served.get(during.binding.revision!.id);
    if (server) return server.notices.check(message, during);
    const why = "without a handshake, each message belongs to a request of the client";
    throw notSent(method, why);
  }

  /** Says what is served here to a client that opens a conversation in another way (MCP: versioning, compatibility). */
  #refuseForeign(method: string, params: unknown): void {
    if (this.#preferred.methods.has(method)) return;
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
    const code = this.#preferred.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"]!;
    return new RpcError(code, text, { supported, requested });
  }
}
