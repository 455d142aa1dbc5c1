import type { ConnectOptions } from "../api/index.js";
import type {
  Address,
  Admitted,
  Agreement,
  Binding,
  Connection,
  Conversation,
  Conversations,
  Lifecycle,
  RequestContext,
  Start,
} from "../engine/index.js";
import { LONGEST_DELAY, quiet } from "../ground/index.js";
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

const PROBE_TIMEOUT = 1000;

/** Time for a server that was asked for both kinds to give its second answer after the first, in milliseconds. */
const SECOND_ANSWER = 5000;

/** HTTP statuses that tell nothing of the kind of a server: they are about who asks, how often, how long. */
const NO_EVIDENCE: readonly unknown[] = [401, 403, 408, 429];

/**
 * Client for servers of both kinds: it finds out which one it has, and is a client of that kind from then on
 * (MCP: versioning, compatibility). A server that is silent for a while gets a handshake behind the discovery, so that
 * one that ignores what it does not know costs no more than that while. One that starts slowly answers both: it is
 * stateless if it refuses the handshake, and in a session otherwise, because some servers of both kinds stay in a
 * session that was opened once.
 */
export class DualClient implements Lifecycle {
  readonly #stateless: Lifecycle;
  readonly #session: Lifecycle;
  readonly #sessionRevisions: readonly Revision[];
  #current: Lifecycle;
  /** Result of the discovery. */
  #probing: Promise<Kind> = Promise.resolve("session");
  /** End of a handshake behind the discovery: its failure, or undefined. */
  #opened: Promise<Error | undefined> | undefined;

  /** @param start - what is particular to the connection */
  constructor(
    stateless: Conversations,
    sessions: Conversations,
    sessionRevisions: readonly Revision[],
    start: Start,
  ) {
    this.#stateless = stateless.begin(this.#startOf(start, () => this.#stateless));
    this.#session = sessions.begin(this.#startOf(start, () => this.#session));
    this.#sessionRevisions = sessionRevisions;
    this.#current = this.#stateless;
  }

  get binding(): Binding {
    return this.#current.binding;
  }

  get agreement(): Agreement | undefined {
    return this.#current.agreement;
  }

  get answer(): Lifecycle["answer"] {
    return this.#current.answer?.bind(this.#current);
  }

  async open(connection: Connection, options: ConnectOptions): Promise<void> {
    const { probeTimeout = PROBE_TIMEOUT, timeout = Infinity } = options;
    if (probeTimeout <= 0 || connection.hooks?.opened)
      return this.#openSession(connection, options);
    const patience = probeTimeout === Infinity ? Infinity : Math.min(probeTimeout, timeout);
    const isPatient = patience > LONGEST_DELAY;
    const steps = isPatient ? options : { ...options, timeout: Infinity };
    this.#probing = quiet(this.#probe(connection, steps));
    const found = await (isPatient ? this.#probing : within(patience, this.#probing));
    if (found === "session") return this.#openSession(connection, options);
    if (found === undefined) await this.#openEither(connection, options, patience);
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

  get isSettled(): boolean {
    return this.#current.isSettled && this.agreement !== undefined;
  }

  /** Hands the message to the current kind; while both are open, a discovery belongs to the stateless one. */
  admit(message: Address, during?: RequestContext): Admitted {
    if (this.agreement) return this.#current.admit(message, during);
    const isDiscovery = this.#stateless.binding.outbound.get(message.method)?.role === "discover";
    const own = isDiscovery ? this.#stateless : this.#current;
    const admitted = own.admit(message, during);
    const { exchange } = admitted;
    if (own !== this.#stateless || exchange === undefined) return admitted;
    return {
      ...admitted,
      exchange: (...sent) => quiet(this.#afterHandshake(exchange(...sent))),
    };
  }

  refused(error: RpcError): Error {
    return this.#current.refused?.(error) ?? error;
  }

  /** The first kind that agrees with the server is the one; the other gives up. */
  #startOf(start: Start, kind: () => Lifecycle): Start {
    return {
      ...start,
      agreed: (revision) => {
        if (this.agreement) throw superseded();
        this.#current = kind();
        start.agreed(revision);
      },
    };
  }

  /** The answer to the discovery, once it is known what came of a handshake behind it. */
  async #afterHandshake(discovery: Promise<unknown>): Promise<unknown> {
    const result = await discovery;
    if (this.#opened) await within(SECOND_ANSWER, this.#opened);
    return result;
  }

  #openSession(connection: Connection, options: ConnectOptions): Promise<void> {
    this.#current = this.#session;
    return this.#session.open(connection, options);
  }

  /**
   * Opens a session beside the discovery, which has had no answer yet.
   * @param silence - time since the discovery, in milliseconds
   */
  async #openEither(
    connection: Connection,
    options: ConnectOptions,
    silence: number,
  ): Promise<void> {
    const opened = this.#openSession(connection, options).then(
      () => undefined,
      (error: Error) => error,
    );
    this.#opened = opened;
    try {
      const first = await Promise.race([this.#probing, opened]);
      const failure = first === "session" ? await opened : first;
      if (failure === undefined || failure === "stateless") return;
      if (failure instanceof RequestTimeoutError) throw silent(failure, silence);
      const found =
        failure instanceof RpcError && first !== "session"
          ? await within(SECOND_ANSWER, this.#probing).catch(() => undefined)
          : undefined;
      if (found !== "stateless") throw failure;
    } finally {
      for (const kind of [this.#stateless, this.#session]) kind.forgo!(superseded());
    }
  }

  /** @throws errors that do not identify the server's kind */
  async #probe(connection: Connection, options: ConnectOptions): Promise<Kind> {
    try {
      await this.#stateless.open(connection, options);
      return "stateless";
    } catch (error) {
      if (this.#isOfOtherKind(error)) return "session";
      if (!(error instanceof UnsupportedRevisionError)) throw error;
      const { offered, supported } = error;
      const ours = [...offered, ...this.#sessionRevisions.map(({ id }) => id)];
      throw new UnsupportedRevisionError(ours, supported);
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

type Kind = "stateless" | "session";

/** Resolves with undefined when the promise takes longer. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function superseded(): LifecycleError {
  return new LifecycleError("The conversation was opened in another way");
}

function silent({ method, timeout }: RequestTimeoutError, silence: number): RequestTimeoutError {
  const what = `no answer came, nor one to the discovery ${silence} ms before (option probeTimeout),`;
  return new RequestTimeoutError(method, timeout, what, "timeout");
}

/** True for an HTTP response without a message of the protocol, which a stateless server would not give. */
export function isHttpEvidence(error: unknown): boolean {
  if (!(error instanceof LocalError) || error.code !== "HTTP" || !("status" in error)) return false;
  const { status } = error;
  if (typeof status !== "number" || NO_EVIDENCE.includes(status)) return false;
  return (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
}
