import {
  Admission,
  type Admitted,
  type Agreement,
  type Attempt,
  type Binding,
  type Handling,
  type Lifecycle,
  type Opening,
  type Outbound,
  type Outgoing,
  type Peer,
  type Start,
  endedEarly,
  rowOf,
  tooEarly,
} from "../engine/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  META,
  type Method,
  type RequestId,
  type Revision,
  type Role,
  RpcError,
  UnsupportedRevisionError,
  isObject,
  metaOf,
  quote,
} from "../wire/index.js";
import type { ConnectOptions, RequestOptions } from "../api/index.js";
import { quiet } from "../ground/index.js";
import { arrivedResult } from "./arrived-result.js";
import { ClientSubscriptions } from "./client-subscriptions.js";
import { Envelope } from "./envelope.js";
import { FreshLists } from "./fresh-lists.js";
import { InputRounds } from "./input-rounds.js";

/** The client's part of conversations without a handshake (MCP: statelessness, discovery). */
export class ClientStateless implements Lifecycle {
  readonly #opening: Opening;
  readonly #start: Start;
  readonly #subscriptions: ClientSubscriptions;
  #binding!: Binding;
  #envelope!: Envelope;
  #rounds: InputRounds | undefined;
  #agreement: Agreement | undefined;
  #admission: Admission | undefined;
  #peer: Peer | undefined;
  /** The discovery that opens the conversation. */
  #discovery: RequestId | undefined;

  constructor(opening: Opening, start: Start) {
    this.#opening = opening;
    this.#start = start;
    this.#subscriptions = new ClientSubscriptions(opening.definition, () => this.#peer!);
    this.#use(opening.revisions[0]!);
  }

  get binding(): Binding {
    return this.#binding;
  }

  get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  async open(peer: Peer, options: ConnectOptions): Promise<void> {
    this.#peer = peer;
    this.#agree(await this.#discover(peer, options));
    if (peer.isClosed) throw (await peer.finished) ?? endedEarly();
  }

  forgo(error: Error): void {
    this.#peer?.failed(this.#discovery ?? 0, error);
  }

  receive(kind: Method["kind"], method: string, params: unknown): Binding {
    if (kind === "request") {
      const text = `The server asks ${quote(method)}, which has no place in ${this.#revision.id}`;
      throw new InvalidMessageError(text);
    }
    const row = this.#revision.methods.get(method) ?? this.#binding.notifications.get(method)?.row;
    return row ? this.#subscriptions.receive(row, params, this.#binding) : this.#binding;
  }

  control(role: Role, params: unknown, _during: Handling): unknown {
    if (role === "acknowledged") this.#subscriptions.acknowledge(params);
    return undefined;
  }

  admit(message: Outbound): Admitted {
    if (this.#admission) return this.#admission.check(message);
    const { kind, method, params } = message;
    const row = this.#binding.outbound.get(method);
    if (row?.kind === kind && (row.role === "discover" || row.role === "cancelled")) {
      return { row, params };
    }
    throw tooEarly(method);
  }

  exchange(
    outgoing: Outgoing,
    { row, params }: Admitted,
    options: RequestOptions,
    during: Handling | undefined,
  ): Promise<unknown> {
    const request = { row, params: this.#envelope.around(params) };
    if (row.role === "listen") {
      const send: Attempt = (own, times, sent) =>
        outgoing.request(own, times, during, sent).promise;
      return quiet(this.#subscriptions.open(request, options, send));
    }
    const sent = row.role === "discover" ? this.#discovering : undefined;
    const pending = outgoing.request(request, options, during, sent);
    const isFinal = !row.inputResult && !row.paramHeaders;
    return isFinal ? pending.promise : pending.continued(this.#rounds!, outgoing);
  }

  arrived(row: Method, result: unknown): unknown {
    const isOfRevision = this.#binding.outbound.get(row.method) === row;
    return isOfRevision && this.#revision.traits.resultType ? arrivedResult(row, result) : result;
  }

  readonly #discovering = (id: RequestId): void => {
    this.#discovery = id;
  };

  get #revision(): Revision {
    return this.#binding.revision!;
  }

  /** Speaks under a revision, as far as that is possible before the server is known. */
  #use(revision: Revision): void {
    const { bind, definition, info } = this.#opening;
    this.#binding = bind(revision);
    const { capabilities } = this.#binding;
    const told = definition.options.anonymous ? undefined : info;
    this.#envelope = new Envelope(revision, capabilities, told);
  }

  /** The result of the discovery; once more when the server refuses, and names a revision of ours. */
  async #discover(peer: Peer, options: ConnectOptions): Promise<unknown> {
    try {
      return await this.#ask(peer, options);
    } catch (error) {
      const supported = this.#supportedIn(error);
      if (supported === undefined) throw this.#isModern(error) ? error : this.#refused(error);
      const other = this.#choose(supported);
      if (other === undefined) throw this.#nothingInCommon(supported);
      this.#use(other);
      return this.#ask(peer, options);
    }
  }

  async #ask(peer: Peer, options: ConnectOptions): Promise<unknown> {
    const row = rowOf(this.#revision, "discover");
    if (row === undefined) throw new LifecycleError(`${this.#revision.id} has no discovery`);
    return peer.request(row.method, undefined, options);
  }

  #agree(result: unknown): void {
    const { supportedVersions, capabilities, instructions } = result as DiscoverResult;
    const revision = this.#choose(supportedVersions);
    if (revision === undefined) throw this.#nothingInCommon(supportedVersions);
    this.#use(revision);
    const lists = new FreshLists(this.#binding, this.#envelope);
    this.#rounds = new InputRounds(this.#peer!, this.#binding, this.#opening.definition, lists);
    this.#admission = new Admission("client", this.#binding, capabilities);
    this.#start.agreed(revision);
    const info = metaOf(result)?.[META.serverInfo];
    this.#agreement = { revision, peer: { info, capabilities, instructions } };
  }

  /** The revision that we prefer among those that a server names. */
  #choose(supported: readonly string[]): Revision | undefined {
    return this.#opening.revisions.find(({ id }) => supported.includes(id));
  }

  /** What the server speaks, when it has refused a revision. */
  #supportedIn(error: unknown): readonly string[] | undefined {
    const code = this.#revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"];
    if (!(error instanceof RpcError) || error.code !== code) return undefined;
    const supported = isObject(error.data) ? error.data["supported"] : undefined;
    return Array.isArray(supported) ? supported.filter((id) => typeof id === "string") : [];
  }

  /** Whether an error is one that only servers without a handshake have. */
  #isModern(error: unknown): boolean {
    const { errorCodes } = this.#revision;
    const own = [errorCodes["HEADER_MISMATCH"], errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"]];
    return error instanceof RpcError && own.includes(error.code);
  }

  #refused(error: unknown): unknown {
    if (!(error instanceof RpcError)) return error;
    const { id } = this.#revision;
    const text = `The server does not seem to speak ${id}: it answered "${error.message}"`;
    return new LifecycleError(text, { cause: error });
  }

  #nothingInCommon(supported: readonly string[]): UnsupportedRevisionError {
    const ours = this.#opening.revisions.map(({ id }) => id);
    return new UnsupportedRevisionError(ours, supported);
  }
}

interface DiscoverResult {
  readonly supportedVersions: readonly string[];
  readonly capabilities: Record<string, unknown>;
  readonly instructions?: string;
}
