import {
  type Address,
  type Admitted,
  type Agreement,
  type Binding,
  type Connection,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type RequestContext,
  type Start,
  admission,
  notSent,
  paramsCheck,
  rowOf,
  unbound,
} from "../engine/index.js";
import { oncePerList } from "../ground/index.js";
import { commonRules } from "../rules/index.js";
import {
  INVALID_REQUEST,
  type Revision,
  type Role,
  RpcError,
  isObject,
  missingCapability,
} from "../wire/index.js";
import { refuseAllBut } from "./handshake.js";
import { questionRules } from "./questions.js";

/** The lifecycle of servers that use sessions. */
export const serverHandshake: LifecycleStrategy = (opening) => {
  const { definition, revisions } = opening;
  const early = beforeInitialize(revisions);
  const rules = [...commonRules(definition), questionRules];
  const bind = (revision: Revision): Binding => definition.bind(revision, rules);
  return { begin: (start) => new ServerHandshake(opening, bind, early, start) };
};

/**
 * The binding of a server before a client has initialized. During this time, the server answers only `initialize` and
 * pings.
 */
export const beforeInitialize: (revisions: readonly Revision[]) => Binding =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => ({
    ...unbound(undefined),
    requests: refuseAllBut(["initialize", "ping"], "server", revisions),
  }));

class ServerHandshake implements Lifecycle {
  readonly #opening: Opening;
  readonly #bind: (revision: Revision) => Binding;
  readonly #start: Start;
  binding: Binding;
  agreement: Agreement | undefined;
  /** True once the client has declared that it is ready for requests. */
  isSettled = false;
  receive: Lifecycle["receive"] = (connection, kind, method, params) => {
    const other = this.#start.receive?.(connection, kind, method, params);
    if (other || this.binding.requests.get(method)?.row.role !== "initialize") return other;
    const revision = this.#chosen(params);
    return revision.load?.() ?? this.#loadSending(connection, this.#bind(revision), params);
  };
  #admission: ReturnType<typeof admission> | undefined;

  constructor(
    opening: Opening,
    bind: (revision: Revision) => Binding,
    early: Binding,
    start: Start,
  ) {
    const { assume, opening: known = NOTHING_KNOWN } = start;
    this.#opening = opening;
    this.#bind = bind;
    this.#start = start;
    this.binding = early;
    if (assume) {
      this.#agree(assume, bind(assume), known as InitializeParams);
      this.isSettled = true;
    }
  }

  /**
   * Holds back the messages of a session that was opened elsewhere until the code that the session needs has been
   * loaded.
   */
  async open(connection: Connection): Promise<void> {
    const { binding, agreement } = this;
    const loading = agreement && this.#loadSending(connection, binding, agreement.peer);
    if (loading) connection.hold(loading, () => {});
  }

  control(role: Role, params: unknown, context: RequestContext): unknown {
    if (role === "initialize") return this.#initialize(params, context);
    if (role === "initialized") this.isSettled = true;
    return undefined;
  }

  admit(message: Address, during?: RequestContext): Admitted {
    const { kind, method } = message;
    if (this.#admission === undefined) throw notSent(method, "no client has initialized yet");
    const admitted = this.#admission(message);
    const isPart = kind === "notification" && during !== undefined;
    if (this.isSettled || isPart || admitted.row.role !== undefined) return admitted;
    throw notSent(method, "the client is not yet initialized");
  }

  #chosen(params: unknown): Revision {
    const { revisions } = this.#opening;
    const wanted = isObject(params) ? params["protocolVersion"] : undefined;
    return revisions.find(({ id }) => id === wanted) ?? revisions[0]!;
  }

  /**
   * Loads the code that sends requests, if the client can receive any, so that a handler's requests and notifications
   * are sent in order.
   */
  #loadSending(
    connection: Connection,
    binding: Binding,
    client: unknown,
  ): Promise<void> | undefined {
    const isNeeded = this.#opening.definition.options.keepAlive || mayRequest(binding, client);
    return isNeeded ? connection.sent.load() : undefined;
  }

  #initialize(params: unknown, context: RequestContext): unknown {
    if (this.agreement) {
      throw new RpcError(
        INVALID_REQUEST,
        "Invalid request: this connection is already initialized",
      );
    }
    const { info, options } = this.#opening.definition;
    const { instructions } = options;
    const revision = this.#chosen(params);
    const row = rowOf(revision, "initialize")!;
    paramsCheck({ row })(params);
    const binding = this.#bind(revision);
    const newest = {
      protocolVersion: revision.id,
      capabilities: binding.capabilities,
      serverInfo: info,
      ...(instructions === undefined ? {} : { instructions }),
    };
    const { writing } = binding.requests.get(row.method)!;
    const result = writing.reduce<unknown>((value, step) => step(value, context), newest);
    this.#agree(revision, binding, params as InitializeParams);
    return result;
  }

  #agree(revision: Revision, binding: Binding, params: InitializeParams): void {
    const { clientInfo: info, capabilities } = params;
    this.binding = binding;
    this.receive = this.#start.receive;
    this.#admission = admission("server", binding, capabilities);
    this.agreement = { revision, peer: { info, capabilities } };
    this.#start.agreed(revision);
  }
}

function mayRequest({ outbound, capabilities: server }: Binding, client: unknown): boolean {
  const declared = { client: isObject(client) ? client["capabilities"] : undefined, server };
  return [...outbound.values()].some(
    (row) =>
      row.kind === "request" &&
      row.role === undefined &&
      missingCapability(row, "server", declared) === undefined,
  );
}

const NOTHING_KNOWN: InitializeParams = { clientInfo: undefined, capabilities: {} };

interface InitializeParams {
  readonly clientInfo: unknown;
  readonly capabilities: Record<string, unknown>;
}
