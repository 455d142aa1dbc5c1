import {
  Admission,
  type Admitted,
  type Agreement,
  type Binding,
  type Lifecycle,
  type Opening,
  type Outbound,
  type Connection,
  type PendingRequests,
  type RequestContext,
  type Start,
  endedEarly,
  notSent,
  rowOf,
  tooEarly,
} from "../engine/index.js";
import {
  type OpenSession,
  type RequestId,
  type Revision,
  UnsupportedRevisionError,
  isObject,
} from "../wire/index.js";
import type { ConnectOptions, RequestOptions } from "../api/index.js";

/** The client's part of the handshake (MCP: lifecycle, initialization). */
export class ClientHandshake implements Lifecycle {
  readonly #opening: Opening;
  readonly #bind: (revision: Revision) => Binding;
  readonly #start: Start;
  readonly #preferred: Revision;
  #binding: Binding;
  #agreement: Agreement | undefined;
  #admission: Admission | undefined;
  #connection: Connection | undefined;
  /** The request that opens the session. */
  #initialize: RequestId | undefined;
  /** True while the handshake itself sends: only it may send its messages. */
  #isSending = false;

  /** @param early - what holds until the server has answered */
  constructor(
    opening: Opening,
    bind: (revision: Revision) => Binding,
    early: Binding,
    start: Start,
  ) {
    const { revisions } = opening;
    this.#bind = bind;
    this.#opening = opening;
    this.#start = start;
    this.#preferred = revisions[0]!;
    this.#binding = early;
  }

  get binding(): Binding {
    return this.#binding;
  }

  get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  async open(connection: Connection, options: ConnectOptions): Promise<void> {
    this.#connection = connection;
    const { opened } = connection.hooks ?? {};
    if (opened) return this.#goOn(opened);
    const params = {
      protocolVersion: this.#preferred.id,
      capabilities: this.#binding.capabilities,
      clientInfo: this.#opening.info,
    };
    const { method } = rowOf(this.#preferred, "initialize")!;
    const result = await this.#send(() => connection.request(method, params, options));
    const revision = this.#choose(result);
    await this.#load(revision);
    this.#agree(revision, params, result);
    const initialized = this.#binding.roles.get("initialized");
    if (initialized) await this.#send(() => connection.notify(initialized.method, undefined));
    if (connection.isClosed) throw (await connection.finished) ?? endedEarly();
  }

  control(): unknown {
    return undefined;
  }

  /** Notes the id of the request that opens the session. */
  exchange(
    requests: PendingRequests,
    request: Admitted,
    options: RequestOptions,
    during: RequestContext | undefined,
  ): Promise<unknown> | undefined {
    if (request.row.role !== "initialize") return undefined;
    return requests.request(request, options, during, (id) => {
      this.#initialize = id;
    }).promise;
  }

  forgo(error: Error): void {
    if (this.#initialize !== undefined) this.#connection?.failed(this.#initialize, error);
  }

  admit(message: Outbound): Admitted {
    const { kind, method, params } = message;
    const row = message.custom ?? this.#binding.outbound.get(method);
    const isOwn = row?.role === "initialize" || row?.role === "initialized";
    if (isOwn && !this.#isSending) {
      throw notSent(method, "connect() does that");
    }
    if (this.#admission) return this.#admission.check(message);
    if (row?.kind === kind && !message.custom) return { row, params };
    throw tooEarly(method);
  }

  /** Loads a revision, and the newer ones in whose shapes its results may be read. */
  async #load(revision: Revision): Promise<void> {
    const { revisions } = this.#opening;
    const needed = revisions.slice(0, revisions.indexOf(revision) + 1);
    await Promise.all(needed.map((one) => one.load?.()));
  }

  /** Takes over a session that was opened before. @throws UnsupportedRevisionError when this client has not its revision */
  async #goOn({ revision: id, server }: OpenSession): Promise<void> {
    const { revisions } = this.#opening;
    const revision = revisions.find((one) => one.id === id);
    if (revision === undefined) {
      throw new UnsupportedRevisionError(
        revisions.map((one) => one.id),
        id,
      );
    }
    await this.#load(revision);
    const { info, capabilities, instructions } = server;
    this.#agreeOn(revision, { info, capabilities, instructions });
  }

  /** The revision that the server decided on, if this client supports it. */
  #choose(result: unknown): Revision {
    const { revisions } = this.#opening;
    const decided = isObject(result) ? result["protocolVersion"] : undefined;
    const revision = revisions.find(({ id }) => id === decided);
    if (revision === undefined && typeof decided === "string") {
      throw new UnsupportedRevisionError(
        revisions.map(({ id }) => id),
        decided,
      );
    }
    return revision ?? this.#preferred;
  }

  #agree(revision: Revision, params: unknown, result: unknown): void {
    const row = rowOf(revision, "initialize")!;
    const read = this.#bind(revision).route(row).readResult(result, params);
    const { serverInfo, capabilities, instructions } = read as InitializeResult;
    this.#agreeOn(revision, { info: serverInfo, capabilities, instructions });
  }

  #agreeOn(revision: Revision, peer: Agreement["peer"]): void {
    this.#binding = this.#bind(revision);
    this.#admission = new Admission("client", this.#binding, peer.capabilities);
    this.#start.agreed(revision);
    this.#agreement = { revision, peer };
  }

  #send<T>(send: () => Promise<T>): Promise<T> {
    this.#isSending = true;
    try {
      return send();
    } finally {
      this.#isSending = false;
    }
  }
}

interface InitializeResult {
  readonly serverInfo: unknown;
  readonly capabilities: Record<string, unknown>;
  readonly instructions?: string;
}
