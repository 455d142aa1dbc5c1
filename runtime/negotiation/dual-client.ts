import type {
  Admitted,
  Agreement,
  Binding,
  Connection,
  Conversation,
  Lifecycle,
  Outbound,
  RequestContext,
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

/** HTTP statuses that tell nothing of the kind of a server: they are about who asks, how often, how long. */
const NO_EVIDENCE: readonly unknown[] = [401, 403, 408, 429];

/**
 * Client for servers of both kinds: it finds out which one it has, and is a client of that kind from then on
 * (MCP: versioning, compatibility).
 */
export class DualClient implements Lifecycle {
  readonly #stateless: Lifecycle;
  readonly #session: Lifecycle;
  readonly #sessionRevisions: readonly Revision[];
  #current: Lifecycle;

  constructor(stateless: Lifecycle, session: Lifecycle, sessionRevisions: readonly Revision[]) {
    this.#stateless = stateless;
    this.#session = session;
    this.#sessionRevisions = sessionRevisions;
    this.#current = stateless;
  }

  get binding(): Binding {
    return this.#current.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#current.agreement;
  }

  async open(connection: Connection, options: ConnectOptions): Promise<void> {
    const found = await this.#probe(connection, options);
    if (found === "stateless") return;
    this.#current = this.#session;
    try {
      await this.#session.open(connection, options);
    } catch (error) {
      const isSlow = found === "silent" && error instanceof RpcError;
      if (!isSlow || !(await this.#isStatelessAfterAll(connection, options))) throw error;
    }
  }

  /** Hands the message to the current kind; a session server may ping before the handshake completes. */
  receive(
    connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | undefined {
    if (this.agreement === undefined && kind === "request")
      return connection.under(this.#session.binding);
    return this.#current.receive?.(connection, kind, method, params);
  }

  control(role: Role, params: unknown, during: RequestContext): unknown {
    return this.#current.control(role, params, during);
  }

  admit(message: Outbound, during?: RequestContext): Admitted {
    return this.#current.admit(message, during);
  }

  exchange(
    ...request: Parameters<NonNullable<Lifecycle["exchange"]>>
  ): Promise<unknown> | undefined {
    return this.#current.exchange?.(...request);
  }

  /** @throws errors that do not identify the server's kind */
  async #probe(
    connection: Connection,
    options: ConnectOptions,
  ): Promise<"stateless" | "session" | "silent"> {
    const { probeTimeout = PROBE_TIMEOUT, timeout = Infinity } = options;
    if (probeTimeout <= 0) return "session";
    const limit = probeTimeout === Infinity ? Infinity : Math.min(probeTimeout, timeout);
    const silence = new RequestTimeoutError("The discovery of the server", limit);
    const timer =
      limit <= LONGEST_DELAY ? setTimeout(() => this.#stateless.forgo!(silence), limit) : undefined;
    const steps = timer === undefined ? options : { ...options, timeout: Infinity };
    try {
      await this.#stateless.open(connection, steps);
      return "stateless";
    } catch (error) {
      if (error === silence) return "silent";
      if (this.#isOfOtherKind(error)) return "session";
      if (!(error instanceof UnsupportedRevisionError)) throw error;
      const { offered, supported } = error;
      const ours = [...offered, ...this.#sessionRevisions.map(({ id }) => id)];
      throw new UnsupportedRevisionError(ours, supported);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Probes again: a server that takes long to start can be late with its answer, and refuse the handshake. */
  async #isStatelessAfterAll(connection: Connection, options: ConnectOptions): Promise<boolean> {
    this.#current = this.#stateless;
    try {
      await this.#stateless.open(connection, options);
      return true;
    } catch {
      return false;
    }
  }

  /** True for an error that shows a server of sessions. */
  #isOfOtherKind(error: unknown): boolean {
    if (error instanceof UnsupportedRevisionError) {
      return this.#sessionRevisions.some(({ id }) => error.supported.includes(id));
    }
    const isRefusal = error instanceof LifecycleError && error.cause instanceof RpcError;
    return isRefusal || error instanceof InvalidMessageError || isHttpEvidence(error);
  }
}

/** True for an HTTP response without a message of the protocol, which a stateless server would not give. */
export function isHttpEvidence(error: unknown): boolean {
  if (!(error instanceof LocalError) || error.code !== "HTTP" || !("status" in error)) return false;
  const { status } = error;
  if (typeof status !== "number" || NO_EVIDENCE.includes(status)) return false;
  return (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
}
