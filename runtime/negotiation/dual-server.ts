import type {
  Admitted,
  Agreement,
  Binding,
  Handling,
  Lifecycle,
  Outbound,
  Lifecycles,
} from "../engine/index.js";
import { type Method, type Role, standsAlone } from "../wire/index.js";

/**
 * A server for clients of both kinds, also on one connection: a request that says all about itself is handled by
 * itself, anything else belongs to the conversation that a handshake has opened (MCP: versioning, compatibility).
 */
export class DualServer implements Lifecycle {
  readonly #stateless: Lifecycle;
  readonly #handshake: Lifecycle;

  constructor({ stateless, handshake }: Lifecycles) {
    this.#stateless = stateless;
    this.#handshake = handshake;
  }

  get binding(): Binding {
    return this.#handshake.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#handshake.agreement;
  }

  async open(): Promise<void> {}

  receive(kind: Method["kind"], method: string, params: unknown): Binding {
    return this.#isForStateless(kind, method, params)
      ? this.#stateless.receive!(kind, method, params)
      : this.binding;
  }

  control(role: Role, params: unknown, during: Handling): unknown {
    return this.#lifecycleOf(during).control(role, params, during);
  }

  admit(message: Outbound, during?: Handling): Admitted {
    return this.#lifecycleOf(during).admit(message, during);
  }

  #lifecycleOf(during: Handling | undefined): Lifecycle {
    return during?.binding.alone ? this.#stateless : this.#handshake;
  }

  /** Before there is a conversation, a notification can only be about a request that stands alone. */
  #isForStateless(kind: Method["kind"], method: string, params: unknown): boolean {
    if (standsAlone(params)) return true;
    const { requests, notifications } = this.#handshake.binding;
    if (kind === "notification") return this.agreement === undefined && !notifications.has(method);
    return !requests.has(method) && this.#stateless.binding.requests.has(method);
  }
}
