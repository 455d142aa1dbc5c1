import type { ConnectOptions } from "../api/index.js";
import {
  type Address,
  type Admitted,
  type Agreement,
  type Binding,
  type Connection,
  type RequestExchange,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type Start,
  admission,
  endedEarly,
  notSent,
  rowOf,
  tooEarly,
  unbound,
} from "../engine/index.js";
import { oncePerList } from "../ground/index.js";
import { clientRules } from "../rules/index.js";
import {
  type OpenSession,
  type RequestId,
  type Revision,
  type Role,
  isObject,
} from "../wire/index.js";
import { UnsupportedRevisionError } from "../wire/client-errors/index.js";
import { refuseAllBut, withoutContents } from "./handshake.js";

/** The lifecycle of clients that use sessions (MCP: lifecycle, initialization). */
export const clientHandshake: LifecycleStrategy = (opening) => {
  const { definition, revisions } = opening;
  const rules = clientRules(definition);
  const bind = (revision: Revision): Binding => definition.bind(revision, rules);
  const early = whileInitializing(revisions, bind(revisions[0]!));
  return { begin: (start) => new ClientHandshake(opening, bind, early, start) };
};

/** The binding of a client before it opens a session. During this time, the client only answers pings. */
export const beforeHandshake: (revisions: readonly Revision[]) => Binding =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => ({
    ...unbound(undefined),
    requests: refuseAllBut(["ping"], "client", revisions),
  }));

/**
 * Returns the binding of a client that is waiting for the result of `initialize`, a request that it must not cancel.
 */
function whileInitializing(revisions: readonly Revision[], preferred: Binding): Binding {
  const roles: Role[] = ["initialize", "ping"];
  const rows = roles.flatMap((role) => preferred.roles.get(role) ?? []);
  return {
    ...beforeHandshake(revisions),
    notifications: preferred.notifications,
    outbound: new Map(rows.map((row) => [row.method, withoutContents(row)])),
    capabilities: preferred.capabilities,
  };
}

class ClientHandshake implements Lifecycle {
  readonly #opening: Opening;
  readonly #bind: (revision: Revision) => Binding;
  readonly #start: Start;
  readonly #preferred: Revision;
  binding: Binding;
  agreement: Agreement | undefined;
  isSettled = false;
  #admission: ReturnType<typeof admission> | undefined;
  #connection: Connection | undefined;
  #initialize: RequestId | undefined;
  /** True while the handshake is sending its own messages, which no other code may send. */
  #isSending = false;

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
    this.binding = early;
  }

  async open(connection: Connection, options: ConnectOptions): Promise<void> {
    this.#connection = connection;
    const { opened } = connection.hooks ?? {};
    if (opened) {
      await this.#goOn(opened);
      this.isSettled = true;
      return;
    }
    const params = {
      protocolVersion: this.#preferred.id,
      capabilities: this.binding.capabilities,
      clientInfo: this.#opening.definition.info,
    };
    const { method } = rowOf(this.#preferred, "initialize")!;
    const result = await this.#send(() => connection.request(method, params, options));
    const revision = this.#choose(result);
    await this.#load(revision);
    this.#agree(revision, params, result);
    const initialized = this.binding.roles.get("initialized");
    if (initialized) {
      const none = initialized.paramsOptional ? undefined : {};
      await this.#send(() => connection.notify(initialized.method, none));
    }
    this.isSettled = true;
    if (connection.isClosed) throw (await connection.finished) ?? endedEarly();
  }

  control(): unknown {
    return undefined;
  }

  forgo(error: Error): void {
    if (this.#initialize !== undefined) this.#connection?.failed(this.#initialize, error);
  }

  admit(message: Address): Admitted {
    const { kind, method, custom } = message;
    const row = custom ?? this.binding.outbound.get(method);
    const isOwn = row?.role === "initialize" || row?.role === "initialized";
    if (isOwn && !this.#isSending) throw notSent(method, "connect() does that");
    if (this.#admission) return this.#admission(message);
    if (row?.kind !== kind || custom) throw tooEarly(method);
    return row.role === "initialize" ? { row, exchange: this.#exchange } : { row };
  }

  /**
   * Loads a revision and all those that this client prefers to it. A server may send a result in the form of a newer
   * revision than the agreed one; that result is then read with the newer revision.
   */
  async #load(revision: Revision): Promise<void> {
    const { revisions } = this.#opening;
    const needed = revisions.slice(0, revisions.indexOf(revision) + 1);
    await Promise.all(needed.map((one) => one.load?.()));
  }

  readonly #exchange: RequestExchange = (requests, request, options, during) =>
    requests.request(request, options, during, (id) => {
      this.#initialize = id;
    }).promise;

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
    this.binding = this.#bind(revision);
    this.#admission = admission("client", this.binding, peer.capabilities);
    this.#start.agreed(revision);
    this.agreement = { revision, peer };
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
