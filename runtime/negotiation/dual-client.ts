import type { ConnectOptions } from "../api/index.js";
import {
  type Address,
  type Admitted,
  type Agreement,
  type Binding,
  type Connection,
  type Conversation,
  type Conversations,
  type Lifecycle,
  type LifecycleStrategy,
  type RequestContext,
  type Start,
  conversationUnder,
  ofLifecycle,
  rowOf,
} from "../engine/index.js";
import { LONGEST_DELAY, quiet, within } from "../ground/index.js";
import { beforeHandshake, clientHandshake } from "../session/index.js";
import { clientStateless } from "../stateless/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type Method,
  RequestTimeoutError,
  type Revision,
  type Role,
  RpcError,
  isObject,
} from "../wire/index.js";
import { UnsupportedRevisionError } from "../wire/client-errors/index.js";

const PROBE_TIMEOUT = 1000;

/** The maximum time, in milliseconds, to wait for the second answer from a server that received both requests. */
const SECOND_ANSWER = 5000;

/**
 * The maximum time, in milliseconds, to wait for the discovery's answer if the handshake's answer arrives first.
 * Servers may answer in any order.
 */
const OVERTAKEN = 250;

/**
 * The HTTP statuses that reveal nothing about the kind of server, because they concern the sender, the rate or a
 * timeout.
 */
const NO_EVIDENCE: readonly unknown[] = [401, 403, 408, 429];

/**
 * The evidence from which the client derived the kind of conversation. `answer`: the response to the discovery;
 * `silence`: no response to it in time; `locked`: the server answers discoveries, but refuses stateless requests after
 * a handshake.
 */
export type Evidence = "answer" | "silence" | "locked";

/**
 * Client for servers of both kinds: it detects the kind of its server, and then behaves as a client of that kind
 * (MCP: versioning, compatibility). If the discovery remains unanswered for a while, the client also sends a
 * handshake, so a server that ignores unknown requests delays the connection only by that time. A server that
 * answers both was merely slow. It is treated as stateless, so that the revision does not depend on its speed,
 * unless it refuses a second discovery after the handshake: some servers of both kinds stay in the session that was
 * opened first.
 *
 * | Discovery          | Handshake                             | Kind      | Evidence |
 * | ------------------ | ------------------------------------- | --------- | -------- |
 * | accepted in time   | not sent                              | stateless | answer   |
 * | refused            | sent then                             | session   | answer   |
 * | no response        | accepted                              | session   | silence  |
 * | accepted late      | accepted; second discovery accepted   | stateless | answer   |
 * | accepted late      | accepted; second discovery refused    | session   | locked   |
 * | accepted late      | refused, or no response               | stateless | answer   |
 * | no response        | refused                               | error of the handshake | |
 * | no response        | no response                           | RequestTimeoutError    | |
 */
export class DualClient implements Lifecycle {
  readonly #kinds: Kinds;
  readonly #start: Start;
  readonly #found: (evidence: Evidence) => void;
  readonly #stateless: Lifecycle;
  #session: Lifecycle | undefined;
  #connection: Connection | undefined;
  #current: Lifecycle;
  /** The server's kind according to its answer to the discovery. */
  #probing: Promise<Kind> = Promise.resolve("session");
  #discovery: Promise<unknown> | undefined;
  #opened: Promise<Error | undefined> | undefined;
  /** True while the discovery is being sent again to a server that has answered the handshake. */
  #isVerifying = false;
  #evidence: Evidence = "answer";

  constructor(kinds: Kinds, start: Start, found: (evidence: Evidence) => void) {
    this.#kinds = kinds;
    this.#start = start;
    this.#found = found;
    this.#stateless = kinds.stateless.begin(this.#startOf(() => this.#stateless));
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
    await this.#open(connection, options);
    this.#found(this.#evidence);
  }

  async #open(connection: Connection, options: ConnectOptions): Promise<void> {
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

  /**
   * Answers requests as in a session before its handshake until a revision has been agreed on. This is necessary
   * because session servers may send pings.
   */
  receive(
    connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | Promise<void> | undefined {
    if (this.agreement === undefined && kind === "request")
      return conversationUnder(
        connection,
        this.#session?.binding ?? beforeHandshake(this.#kinds.sessionRevisions),
      );
    return this.#current.receive?.(connection, kind, method, params);
  }

  control(role: Role, params: unknown, during: RequestContext): unknown {
    return this.#current.control(role, params, during);
  }

  get isSettled(): boolean {
    return this.#current.isSettled && this.agreement !== undefined;
  }

  /**
   * Admits a message to the current conversation. Until a revision has been agreed on, a discovery always belongs to
   * the stateless conversation, and the answers to the two opening requests wait for each other, for a limited time.
   */
  admit(message: Address, during?: RequestContext): Admitted {
    if (this.agreement) return this.#current.admit(message, during);
    const isDiscovery = this.#stateless.binding.outbound.get(message.method)?.role === "discover";
    const own = isDiscovery ? this.#stateless : this.#current;
    const admitted = own.admit(message, during);
    const { exchange } = admitted;
    if (exchange === undefined || this.#isVerifying) return admitted;
    const settle = isDiscovery ? this.#afterHandshake : this.#unlessStateless;
    return {
      ...admitted,
      exchange: (...sent) => quiet(settle(exchange(...sent))),
    };
  }

  refused(error: RpcError): Error {
    return this.#current.refused?.(error) ?? error;
  }

  /**
   * Creates what is needed to open one kind of conversation. The kind that first agrees on a revision with the server
   * becomes the current one, and opening the other kind then fails.
   */
  #startOf(kind: () => Lifecycle): Start {
    return {
      ...this.#start,
      agreed: (revision) => {
        if (this.agreement) throw superseded();
        this.#current = kind();
        this.#start.agreed(revision);
      },
    };
  }

  /**
   * Returns the discovery's answer. If a handshake has been sent in the meantime, first waits until that handshake has
   * ended, for at most {@link SECOND_ANSWER}.
   */
  readonly #afterHandshake = async (discovery: Promise<unknown>): Promise<unknown> => {
    this.#discovery = discovery;
    const result = await discovery;
    if (this.#opened) await within(SECOND_ANSWER, this.#opened);
    return result;
  };

  /**
   * Returns the answer to the handshake.
   * @throws LifecycleError if the server has also answered the discovery with a supported stateless revision, and
   * does not refuse a second discovery
   */
  readonly #unlessStateless = async (handshake: Promise<unknown>): Promise<unknown> => {
    const result = await handshake;
    const discovered =
      this.#discovery &&
      (await within(
        OVERTAKEN,
        this.#discovery.catch(() => undefined),
      ));
    if (!this.#namesStatelessRevision(discovered)) return result;
    if (await this.#stillDiscovers()) throw superseded();
    this.#evidence = "locked";
    return result;
  };

  #namesStatelessRevision(discovered: unknown): boolean {
    const supported = isObject(discovered) ? discovered["supportedVersions"] : undefined;
    if (!Array.isArray(supported)) return false;
    return this.#kinds.statelessRevisions.some(({ id }) => supported.includes(id));
  }

  /**
   * Sends the discovery again, and returns true unless the server refuses it. Silence does not count as a refusal,
   * because the server has answered before.
   */
  async #stillDiscovers(): Promise<boolean> {
    const { method } = rowOf(this.#kinds.statelessRevisions[0]!, "discover")!;
    this.#isVerifying = true;
    try {
      const again = this.#connection!.request(method, undefined, { timeout: SECOND_ANSWER });
      this.#isVerifying = false;
      await again;
      return true;
    } catch (error) {
      return !(error instanceof RpcError);
    }
  }

  /** Opens a session. Throws if a stateless conversation was agreed on while the code for sessions was being loaded. */
  async #openSession(connection: Connection, options: ConnectOptions): Promise<void> {
    this.#connection = connection;
    const sessions = await this.#kinds.sessions();
    if (this.agreement) throw superseded();
    const session = sessions.begin(this.#startOf(() => session));
    this.#session = session;
    this.#current = session;
    return session.open(connection, options);
  }

  /**
   * Starts a handshake alongside an unanswered discovery, and uses whichever succeeds.
   *
   * @param silence - the time for which the discovery has gone unanswered, in milliseconds
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
      if (failure === undefined && first !== "session" && this.#evidence === "answer") {
        this.#evidence = "silence";
      }
      if (failure === undefined || failure === "stateless") return;
      if (failure instanceof RequestTimeoutError) throw silent(failure, silence);
      const mayBeStateless = failure instanceof RpcError || failure instanceof LifecycleError;
      const found =
        mayBeStateless && first !== "session"
          ? await within(SECOND_ANSWER, this.#probing).catch(() => undefined)
          : undefined;
      if (found !== "stateless") throw failure;
    } finally {
      for (const kind of [this.#stateless, this.#session]) kind?.forgo!(superseded());
    }
  }

  /** Opens a stateless conversation, and returns the server's kind. Throws errors that do not identify the kind. */
  async #probe(connection: Connection, options: ConnectOptions): Promise<Kind> {
    try {
      await this.#stateless.open(connection, options);
      return "stateless";
    } catch (error) {
      if (this.#isOfOtherKind(error)) return "session";
      if (!(error instanceof UnsupportedRevisionError)) throw error;
      const { offered, supported } = error;
      const ours = [...offered, ...this.#kinds.sessionRevisions.map(({ id }) => id)];
      throw new UnsupportedRevisionError(ours, supported);
    }
  }

  #isOfOtherKind(error: unknown): boolean {
    if (error instanceof UnsupportedRevisionError) {
      return this.#kinds.sessionRevisions.some(({ id }) => error.supported.includes(id));
    }
    const isRefusal = error instanceof LifecycleError && error.cause instanceof RpcError;
    return isRefusal || error instanceof InvalidMessageError || isHttpEvidence(error);
  }
}

type Kind = "stateless" | "session";

interface Kinds {
  readonly stateless: Conversations;
  /** Returns the conversations of sessions, after loading the revision that a handshake offers. */
  readonly sessions: () => Promise<Conversations>;
  readonly statelessRevisions: readonly Revision[];
  readonly sessionRevisions: readonly Revision[];
}

function superseded(): LifecycleError {
  return new LifecycleError("The server uses the other kind of conversation");
}

function silent({ method, timeout }: RequestTimeoutError, silence: number): RequestTimeoutError {
  const what = `no response arrived, nor one to the discovery ${silence} ms before (option probeTimeout),`;
  return new RequestTimeoutError(method, timeout, what, "timeout");
}

/**
 * True for an HTTP response that a stateless server would not send: one that contains no protocol message and has a 2xx
 * or 4xx status other than {@link NO_EVIDENCE}.
 */
export function isHttpEvidence(error: unknown): boolean {
  if (!(error instanceof LocalError) || error.code !== "HTTP" || !("status" in error)) return false;
  const { status } = error;
  if (typeof status !== "number" || NO_EVIDENCE.includes(status)) return false;
  return (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
}

/**
 * Creates the lifecycle of a `ClientBase` for session revisions, stateless ones, or both.
 * @param found - called when a server's kind is known
 */
export const clientOfKindFound =
  (found: (evidence: Evidence) => void): LifecycleStrategy =>
  (opening) => {
    const statelessRevisions = ofLifecycle(opening.revisions, "discover");
    const sessionRevisions = ofLifecycle(opening.revisions, "initialize");
    if (sessionRevisions.length === 0) return clientStateless(opening);
    if (statelessRevisions.length === 0) return clientHandshake(opening);
    let bound: Conversations | undefined;
    const kinds: Kinds = {
      stateless: clientStateless({ ...opening, revisions: statelessRevisions }),
      async sessions() {
        await sessionRevisions[0]!.load?.();
        return (bound ??= clientHandshake({ ...opening, revisions: sessionRevisions }));
      },
      statelessRevisions,
      sessionRevisions,
    };
    return { begin: (start) => new DualClient(kinds, start, found) };
  };

/** The lifecycle of a `ClientBase` for session revisions, stateless ones, or both. */
export const clientOfAnyKind: LifecycleStrategy = /* @__PURE__ */ clientOfKindFound(() => {});
