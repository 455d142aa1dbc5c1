import {
  type Address,
  type Admitted,
  type Agreement,
  type Attempt,
  type Binding,
  type Conversation,
  type RequestContext,
  type Lifecycle,
  type LifecycleStrategy,
  type Opening,
  type Continuation,
  type RequestExchange,
  type Connection,
  type PendingRequest,
  type Start,
  admission,
  conversationUnder,
  endedEarly,
  rowOf,
  tooEarly,
} from "../../engine/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  META,
  type Method,
  type RequestId,
  type Revision,
  type Role,
  RpcError,
  isObject,
  metaOf,
  quote,
} from "../../wire/index.js";
import { UnsupportedRevisionError } from "../../wire/client-errors/index.js";
import {
  type ConnectOptions,
  type RelatedCall,
  type StepSource,
  isInputRequired,
} from "../../api/index.js";
import { quiet } from "../../ground/index.js";
import { statelessClientRules } from "../../rules/index.js";
import { ClientSubscriptions } from "./client-subscriptions.js";
import type { InputRequests, InputRounds } from "./input-rounds.js";

/** The lifecycle of clients with stateless revisions (MCP: statelessness). */
export const clientStateless: LifecycleStrategy = (opening) => {
  const rules = statelessClientRules(opening.definition);
  return { begin: (start) => new StatelessClient(opening, rules, start) };
};

interface DiscoverResult {
  readonly supportedVersions: readonly string[];
  readonly capabilities: Record<string, unknown>;
  readonly instructions?: string;
}

/**
 * Creates the steps that add `_meta` to all requests, with the revision, the client's capabilities and the client's
 * name. Members that the caller has set take precedence, except for the revision.
 */
function requestMeta(info: unknown): StepSource {
  return ({ revision, direction, row, capabilities }) => {
    if (direction === "in" || row.kind !== "request") return undefined;
    const own = { [META.revision]: revision.id };
    const all = {
      ...own,
      [META.clientCapabilities]: capabilities,
      ...(info === undefined ? {} : { [META.clientInfo]: info }),
    };
    return {
      writeParams(params) {
        const given = metaOf(params);
        const meta = given ? { ...all, ...given, ...own } : all;
        const sent: Record<string, unknown> = { _meta: meta, ...(params as object | undefined) };
        sent["_meta"] = meta;
        return sent;
      },
    };
  };
}

class StatelessClient implements Lifecycle {
  readonly #opening: Opening;
  readonly #rules: readonly StepSource[];
  readonly #start: Start;
  readonly #subscriptions: ClientSubscriptions;
  binding!: Binding;
  agreement: Agreement | undefined;
  #rounds: InputRounds | undefined;
  #admission: ReturnType<typeof admission> | undefined;
  #connection: Connection | undefined;
  #discovery: RequestId | undefined;

  constructor(opening: Opening, rules: readonly StepSource[], start: Start) {
    this.#opening = opening;
    this.#rules = rules;
    this.#start = start;
    this.#subscriptions = new ClientSubscriptions(opening.definition);
    this.#use(opening.revisions[0]!);
  }

  async open(connection: Connection, options: ConnectOptions): Promise<void> {
    this.#connection = connection;
    this.#agree(await this.#discover(connection, options));
    if (connection.isClosed) throw (await connection.finished) ?? endedEarly();
  }

  /**
   * Converts an error that refuses the agreed revision. In that case, the server must have been replaced by another
   * one.
   */
  refused(error: RpcError): Error {
    const supported = this.agreement && this.#supportedIn(error);
    if (supported === undefined) return error;
    if (this.#choose(supported) === undefined) return this.#nothingInCommon(supported);
    const { id } = this.#revision;
    const text = `The server no longer supports ${id}, but ${supported.join(", ")}: connect again`;
    return new LifecycleError(text, { cause: error });
  }

  forgo(error: Error): void {
    if (this.#discovery !== undefined) this.#connection?.failed(this.#discovery, error);
  }

  receive(
    connection: Connection,
    kind: Method["kind"],
    method: string,
    params: unknown,
  ): Conversation | undefined {
    if (kind === "request") {
      const text = `The server requests ${quote(method)}, which ${this.#revision.id} does not have`;
      throw new InvalidMessageError(text);
    }
    const binding = this.binding;
    const row = this.#revision.methods.get(method) ?? binding.notifications.get(method)?.row;
    if (!row || this.#subscriptions.receive(connection, row, params)) return undefined;
    return conversationUnder(connection, { ...binding, notifications: new Map() });
  }

  control(role: Role, params: unknown, _during: RequestContext): unknown {
    if (role === "acknowledged") this.#subscriptions.acknowledge(params);
    return undefined;
  }

  get isSettled(): boolean {
    return this.agreement !== undefined;
  }

  admit(message: Address): Admitted {
    const { kind, method } = message;
    const bound = { stateless: this.binding, exchange: this.#exchange };
    if (this.#admission) return { ...this.#admission(message), ...bound };
    const row = this.binding.outbound.get(method);
    if (row?.kind === kind && (row.role === "discover" || row.role === "cancelled"))
      return { row, ...bound };
    throw tooEarly(method);
  }

  readonly #exchange: RequestExchange = (requests, request, options, during) => {
    const { row } = request.route;
    if (row.role === "listen") {
      const send: Attempt = (own, times, sent) =>
        requests.request(own, times, during, sent).promise;
      return quiet(this.#subscriptions.open(request, options, send));
    }
    const sent = row.role === "discover" ? this.#discovering : undefined;
    const pending = requests.request(request, options, during, sent);
    const isFinal = !row.inputResult && !row.paramHeaders;
    if (isFinal) return pending.promise;
    const { manual, full } = this.#rounds!;
    return pending.continued(options.rounds === "manual" ? manual : full);
  };

  async answer(
    questions: InputRequests,
    call: RelatedCall,
    signal: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { answerInputs } = await import("./input-rounds.js");
    signal?.throwIfAborted();
    return answerInputs(questions, this.#connection!, this.binding, call, signal);
  }

  readonly #discovering = (id: RequestId): void => {
    this.#discovery = id;
  };

  get #revision(): Revision {
    return this.binding.revision!;
  }

  /** Binds a revision, provisionally until the server is known. */
  #use(revision: Revision): void {
    const { definition } = this.#opening;
    const { info, options } = definition;
    const isNamed = info !== undefined && !options.anonymous;
    this.binding = definition.bind(revision, [
      ...this.#rules,
      requestMeta(isNamed ? info : undefined),
    ]);
  }

  /**
   * Sends the discovery request, unless the caller passed an earlier result. If the server refuses the revision and
   * names another one that this client supports, the request is sent again with that revision.
   */
  async #discover(connection: Connection, options: ConnectOptions): Promise<unknown> {
    if (options.prior !== undefined) return this.#known(options.prior);
    try {
      return await this.#ask(connection, options);
    } catch (error) {
      const supported = this.#supportedIn(error);
      if (supported === undefined)
        throw isStatelessError(error, this.#revision) ? error : this.#refused(error);
      const other = this.#choose(supported);
      if (other === undefined) throw this.#nothingInCommon(supported);
      this.#use(other);
      return this.#ask(connection, options);
    }
  }

  #known(prior: unknown): unknown {
    if (rowOf(this.#revision, "discover")?.result?.(prior)) return prior;
    throw new TypeError("prior must be the result of a discovery: pass `discovered` of a client");
  }

  async #ask(connection: Connection, options: ConnectOptions): Promise<unknown> {
    const row = rowOf(this.#revision, "discover");
    if (row === undefined) throw new LifecycleError(`${this.#revision.id} has no discovery`);
    return connection.request(row.method, undefined, options);
  }

  #agree(result: unknown): void {
    const { supportedVersions, capabilities, instructions } = result as DiscoverResult;
    const revision = this.#choose(supportedVersions);
    if (revision === undefined) throw this.#nothingInCommon(supportedVersions);
    this.#use(revision);
    this.#rounds = roundsOnDemand(this.#connection!, this.binding);
    this.#admission = admission("client", this.binding, capabilities);
    this.#start.agreed(revision);
    const info = metaOf(result)?.[META.serverInfo];
    const peer = { info, capabilities, instructions };
    this.agreement = { revision, peer, discovered: result };
  }

  #choose(supported: readonly string[]): Revision | undefined {
    return this.#opening.revisions.find(({ id }) => supported.includes(id));
  }

  /**
   * Returns the revisions that the server supports, if the error refuses a revision. The list is empty if the error
   * does not name them.
   */
  #supportedIn(error: unknown): readonly string[] | undefined {
    const code = this.#revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"];
    if (!(error instanceof RpcError) || error.code !== code) return undefined;
    const supported = isObject(error.data) ? error.data["supported"] : undefined;
    return Array.isArray(supported) ? supported.filter((id) => typeof id === "string") : [];
  }

  #refused(error: unknown): unknown {
    if (!(error instanceof RpcError)) return error;
    const { id } = this.#revision;
    const text = `The server does not seem to support ${id}: it responded with "${error.message}"`;
    return new LifecycleError(text, { cause: error });
  }

  #nothingInCommon(supported: readonly string[]): UnsupportedRevisionError {
    const ours = this.#opening.revisions.map(({ id }) => id);
    return new UnsupportedRevisionError(ours, supported);
  }
}

/** Creates continuations for requests. Their code is loaded the first time that a request must be sent again. */
function roundsOnDemand(connection: Connection, binding: Binding): InputRounds {
  const { revision, outbound } = binding;
  const mismatch = revision?.errorCodes["HEADER_MISMATCH"];
  const lacksFields = ({ row }: PendingRequest, error: unknown): boolean =>
    error instanceof RpcError && error.code === mismatch && outbound.has(row.paramHeaders!);
  let loaded: InputRounds | undefined;
  const use = async (
    request: PendingRequest,
    work: (rounds: InputRounds) => Promise<unknown> | undefined,
  ): Promise<unknown> => {
    if (loaded === undefined) {
      const { inputRounds } = await import("./input-rounds.js");
      loaded ??= inputRounds(connection, binding, lacksFields);
      request.signal?.throwIfAborted();
    }
    return work(loaded);
  };
  const refused =
    (kind: keyof InputRounds): Continuation["refused"] =>
    (request, error, requests) =>
      lacksFields(request, error)
        ? use(request, (rounds) => rounds[kind].refused(request, error, requests))
        : undefined;
  return {
    manual: { refused: refused("manual") },
    full: {
      refused: refused("full"),
      answered(request, result, requests) {
        if (!request.row.inputResult || !isInputRequired(result)) return undefined;
        return use(request, (rounds) => rounds.full.answered?.(request, result, requests));
      },
    },
  };
}

export function isStatelessError(error: unknown, { errorCodes }: Revision): boolean {
  const own = [errorCodes["HEADER_MISMATCH"], errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"]];
  return error instanceof RpcError && own.includes(error.code);
}
