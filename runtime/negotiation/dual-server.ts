import type {
  Address,
  Admitted,
  Agreement,
  Binding,
  Connection,
  Conversation,
  Conversations,
  Lifecycle,
  LifecycleStrategy,
  RequestContext,
} from "../engine/index.js";
import { serverHandshake } from "../session/index.js";
import { serverStateless } from "../stateless/index.js";
import { type Method, type Role, revisionNamed } from "../wire/index.js";
import { ofAnyKind } from "./kinds.js";

/** Lifecycle of a `ServerBase` for session revisions, stateless ones, or both. */
export const serverOfAnyKind: LifecycleStrategy = (opening) =>
  ofAnyKind(
    opening,
    { stateless: serverStateless, sessions: serverHandshake },
    (stateless, sessions) => ({
      begin: (start) => new DualServer(stateless, sessions.begin(start)),
      get stateless() {
        return stateless.stateless;
      },
      load: () => stateless.load!(),
    }),
  );

/**
 * Server for clients of both kinds, also on one connection: a message that names its revision is stateless, any other
 * belongs to the session (MCP: versioning, compatibility).
 */
export class DualServer implements Lifecycle {
  readonly #conversations: Conversations;
  readonly #session: Lifecycle;

  /** @param conversations - the stateless ones */
  constructor(conversations: Conversations, session: Lifecycle) {
    this.#conversations = conversations;
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
    connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | Promise<void> | undefined {
    const version = revisionNamed(params);
    if (version === undefined && this.#isOfSession(kind, method))
      return this.#session.receive?.(connection, kind, method, params);
    const { stateless } = this.#conversations;
    if (stateless === undefined) return this.#conversations.load!();
    const isStateless =
      version !== undefined || kind === "notification" || stateless.answers(method);
    return isStateless ? stateless.conversationFor(kind, method, params, version) : undefined;
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

  /** True for a message that names no revision and has a handler in the session; also for notifications in a session. */
  #isOfSession(kind: Method["kind"], method: string): boolean {
    const { binding, agreement } = this.#session;
    return kind === "notification"
      ? agreement !== undefined || binding.notifications.has(method)
      : binding.requests.has(method);
  }
}
