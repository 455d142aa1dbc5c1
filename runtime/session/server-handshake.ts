import {
  type Address,
  type Admitted,
  type Agreement,
  type Binding,
  type Lifecycle,
  type Opening,
  type RequestContext,
  type Start,
  admission,
  isSendable,
  notSent,
  paramsCheck,
  resultIssues,
  rowOf,
  summarize,
} from "../engine/index.js";
import { INVALID_REQUEST, type Revision, type Role, RpcError, isObject } from "../wire/index.js";

/** Server side of the handshake (MCP: lifecycle, initialization). */
export class ServerHandshake implements Lifecycle {
  readonly #opening: Opening;
  readonly #bind: (revision: Revision) => Binding;
  readonly #start: Start;
  binding: Binding;
  agreement: Agreement | undefined;
  /** True once the client has declared that it is ready for requests. */
  isSettled = false;
  /** Also loads the revision of the session before the message that opens it is handled. */
  receive: Lifecycle["receive"] = (connection, kind, method, params) => {
    const other = this.#start.receive?.(connection, kind, method, params);
    if (other || this.binding.requests.get(method)?.row.role !== "initialize") return other;
    return this.#chosen(params).load?.();
  };
  #admission: ReturnType<typeof admission> | undefined;

  /** @param early - binding used until the client has initialized */
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

  async open(): Promise<void> {}

  control(role: Role, params: unknown): unknown {
    if (role === "initialize") return this.#initialize(params);
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

  /** Revision of the session: the one that the client requests, or the preferred one. */
  #chosen(params: unknown): Revision {
    const { revisions } = this.#opening;
    const wanted = isObject(params) ? params["protocolVersion"] : undefined;
    return revisions.find(({ id }) => id === wanted) ?? revisions[0]!;
  }

  #initialize(params: unknown): unknown {
    if (this.agreement) {
      throw new RpcError(
        INVALID_REQUEST,
        "Invalid request: this connection is already initialized",
      );
    }
    const { info, instructions } = this.#opening;
    const revision = this.#chosen(params);
    const row = rowOf(revision, "initialize")!;
    paramsCheck({ row })(params);
    const binding = this.#bind(revision);
    const told = {
      protocolVersion: revision.id,
      capabilities: binding.capabilities,
      serverInfo: info,
      ...(instructions === undefined ? {} : { instructions }),
    };
    const result = revision.projection?.down(row, "result")?.(told) ?? told;
    if (!isSendable(row, params, result, this.#opening.definition.checksContent)) {
      throw new TypeError(summarize(resultIssues(row, params, result)));
    }
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

const NOTHING_KNOWN: InitializeParams = { clientInfo: undefined, capabilities: {} };

interface InitializeParams {
  readonly clientInfo: unknown;
  readonly capabilities: Record<string, unknown>;
}
