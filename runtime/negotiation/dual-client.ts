import type {
  Admitted,
  Agreement,
  Binding,
  Handling,
  Lifecycle,
  Outbound,
  Peer,
  Lifecycles,
} from "../engine/index.js";
import { LONGEST_DELAY } from "../ground/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type Method,
  RequestTimeoutError,
  type Revision,
  type Role,
  RpcError,
  UnsupportedRevisionError,
} from "../wire/index.js";
import type { ConnectOptions } from "../api/index.js";

const PROBE_TIMEOUT = 5000;

/** HTTP statuses that tell nothing of what a server speaks: who asks, how often, how long. */
const NO_EVIDENCE: readonly unknown[] = [401, 403, 408, 429];

/**
 * A client for servers of both kinds: it finds out which one it has, and is a client of that kind from then on
 * (MCP: versioning, compatibility).
 */
export class DualClient implements Lifecycle {
  readonly #stateless: Lifecycle;
  readonly #handshake: Lifecycle;
  readonly #shaken: readonly Revision[];
  #current: Lifecycle;

  /** @param shaken - the revisions with a handshake */
  constructor({ stateless, handshake }: Lifecycles, shaken: readonly Revision[]) {
    this.#stateless = stateless;
    this.#handshake = handshake;
    this.#shaken = shaken;
    this.#current = stateless;
  }

  get binding(): Binding {
    return this.#current.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#current.agreement;
  }

  async open(peer: Peer, options: ConnectOptions): Promise<void> {
    const found = await this.#probe(peer, options);
    if (found === "stateless") return;
    this.#current = this.#handshake;
    try {
      await this.#handshake.open(peer, options);
    } catch (error) {
      const isSlow = found === "silent" && error instanceof RpcError;
      if (!isSlow || !(await this.#isStatelessAfterAll(peer, options))) throw error;
    }
  }

  /** A server with a handshake may want a sign of life before it knows more. */
  receive(kind: Method["kind"], method: string, params: unknown): Binding {
    const { agreement, binding } = this.#current;
    if (agreement === undefined && kind === "request") return this.#handshake.binding;
    return this.#current.receive?.(kind, method, params) ?? binding;
  }

  control(role: Role, params: unknown, during: Handling): unknown {
    return this.#current.control(role, params, during);
  }

  admit(message: Outbound, during?: Handling): Admitted {
    return this.#current.admit(message, during);
  }

  exchange(
    ...request: Parameters<NonNullable<Lifecycle["exchange"]>>
  ): Promise<unknown> | undefined {
    return this.#current.exchange?.(...request);
  }

  arrived(row: Method, result: unknown): unknown {
    return this.#current.arrived?.(row, result) ?? result;
  }

  /** @throws what tells nothing of the server's kind */
  async #probe(peer: Peer, options: ConnectOptions): Promise<"stateless" | "handshake" | "silent"> {
    const { probeTimeout = PROBE_TIMEOUT, timeout = Infinity } = options;
    if (probeTimeout <= 0) return "handshake";
    const limit = probeTimeout === Infinity ? Infinity : Math.min(probeTimeout, timeout);
    const silence = new RequestTimeoutError("The discovery of the server", limit);
    const timer =
      limit <= LONGEST_DELAY ? setTimeout(() => this.#stateless.forgo!(silence), limit) : undefined;
    const steps = timer === undefined ? options : { ...options, timeout: Infinity };
    try {
      await this.#stateless.open(peer, steps);
      return "stateless";
    } catch (error) {
      if (error === silence) return "silent";
      if (this.#isOfOtherKind(error)) return "handshake";
      if (!(error instanceof UnsupportedRevisionError)) throw error;
      const { offered, supported } = error;
      const ours = [...offered, ...this.#shaken.map(({ id }) => id)];
      throw new UnsupportedRevisionError(ours, supported);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A server that takes long to start can be late with its answer to the probe, and refuse the handshake. */
  async #isStatelessAfterAll(peer: Peer, options: ConnectOptions): Promise<boolean> {
    this.#current = this.#stateless;
    try {
      await this.#stateless.open(peer, options);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether an error shows that the server opens conversations with a handshake. */
  #isOfOtherKind(error: unknown): boolean {
    if (error instanceof UnsupportedRevisionError) {
      return this.#shaken.some(({ id }) => error.supported.includes(id));
    }
    const isRefusal = error instanceof LifecycleError && error.cause instanceof RpcError;
    return isRefusal || error instanceof InvalidMessageError || isHttpEvidence(error);
  }
}

/** An HTTP response without a message of the protocol, which a server of the kind that was asked would not give. */
export function isHttpEvidence(error: unknown): boolean {
  if (!(error instanceof LocalError) || error.code !== "HTTP" || !("status" in error)) return false;
  const { status } = error;
  if (typeof status !== "number" || NO_EVIDENCE.includes(status)) return false;
  return (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
}
