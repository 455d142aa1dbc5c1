import type {
  Address,
  Admitted,
  Agreement,
  Binding,
  Connection,
  Conversation,
  Lifecycle,
  RequestContext,
  StatelessDoor,
} from "../engine/index.js";
import { type Method, type Role, revisionNamed } from "../wire/index.js";

/**
 * Server for clients of both kinds, also on one connection: a message that names its revision is stateless, any other
 * belongs to the session (MCP: versioning, compatibility).
 */
export class DualServer implements Lifecycle {
  readonly #stateless: StatelessDoor;
  readonly #session: Lifecycle;

  constructor(stateless: StatelessDoor, session: Lifecycle) {
    this.#stateless = stateless;
    this.#session = session;
  }

  get binding(): Binding {
    return this.#session.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#session.agreement;
  }

  async open(): Promise<void> {}

  receive(
    _connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | undefined {
    const version = revisionNamed(params);
    const isStateless = version !== undefined || this.#isOnlyStateless(kind, method);
    return isStateless ? this.#stateless.conversationFor(kind, method, params, version) : undefined;
  }

  control(role: Role, params: unknown, context: RequestContext): unknown {
    return this.#session.control(role, params, context);
  }

  get isSettled(): boolean {
    return this.#session.isSettled;
  }

  admit(message: Address, during?: RequestContext): Admitted {
    return this.#session.admit(message, during);
  }

  /** True for a message that only a stateless client sends: before there is a session, also for notifications. */
  #isOnlyStateless(kind: Method["kind"], method: string): boolean {
    const { binding, agreement } = this.#session;
    return kind === "notification"
      ? agreement === undefined && !binding.notifications.has(method)
      : !binding.requests.has(method) && this.#stateless.answers(method);
  }
}
