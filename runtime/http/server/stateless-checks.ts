import { summarize } from "../../engine/index.js";
import {
  INVALID_PARAMS,
  type Method,
  type RequestMessage,
  type Revision,
  type Trace,
} from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import { headerMismatch, nameMismatch } from "./header-mismatch.js";
import type { Problem } from "./problem.js";
import { RequestKinds } from "./request-kinds.js";

/** Stateless revision, as far as HTTP is concerned. */
interface ServedRevision {
  readonly revision: Revision;
  /** HTTP statuses by the code of the error. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Compares what a stateless request says of itself with its HTTP header, before the server gets to see it. */
export class StatelessChecks {
  /** Revision that counts for requests that name none that is served. */
  readonly preferred: Revision;
  readonly #served: ReadonlyMap<unknown, ServedRevision>;
  readonly #kinds: RequestKinds;

  /** @param revisions - at least one, the preferred one first */
  constructor(revisions: readonly Revision[]) {
    this.preferred = revisions[0]!;
    this.#served = new Map(
      revisions.map((revision) => [revision.id, { revision, statuses: statusesOf(revision) }]),
    );
    this.#kinds = RequestKinds.of(revisions);
  }

  /** Row of a method under the revision that a request names. */
  rowOf(method: string, version: unknown): Method | undefined {
    return this.#served.get(version)?.revision.methods.get(method);
  }

  /** HTTP status of an error that answers a request. */
  statusOf(code: number, { params }: RequestMessage, version: unknown): number {
    if (code === INVALID_PARAMS && whyIncomplete(this.preferred, params)) return 400;
    const { statuses } = this.#served.get(version) ?? this.#served.get(this.preferred.id)!;
    return statuses.get(code) ?? 200;
  }

  /**
   * Problem for which a request is refused; in the order in which the specification has them. `_meta` of a method that
   * is known is validated with its parameters, later.
   */
  whyRefused(
    exchange: Exchange,
    { method, params }: RequestMessage,
    version: unknown,
    row: Method | undefined,
  ): Problem | undefined {
    if (version === undefined && !this.#kinds.isStatelessHead(exchange)) {
      // The server itself answers a client that opens a conversation in another way.
      if (!this.preferred.methods.has(method)) return undefined;
      const ids = [...this.#served.keys()].join(", ");
      const named = exchange.header("mcp-protocol-version");
      if (named === undefined)
        return this.mismatch(`MCP-Protocol-Version is missing: send one of ${ids}`);
    }
    const problem =
      headerMismatch(exchange, version as string, method) ??
      (row && nameMismatch(exchange, row, params));
    if (row && problem === undefined) return undefined;
    const incomplete = whyIncomplete(this.preferred, params);
    return incomplete ?? (problem === undefined ? undefined : this.mismatch(problem));
  }

  mismatch(text: string): Problem {
    const code = this.preferred.errorCodes["HEADER_MISMATCH"]!;
    return { status: 400, code, message: `Header mismatch: ${text}` };
  }
}

/** Problem of a request that does not say what a handshake would have said. */
function whyIncomplete({ requestParams }: Revision, params: unknown): Problem | undefined {
  if (requestParams === undefined || requestParams(params)) return undefined;
  const trace: Trace = [];
  requestParams(params ?? {}, trace);
  const message = `Invalid params: ${summarize(trace)}`;
  return { status: 400, code: INVALID_PARAMS, message };
}

function statusesOf({ conventions, errorCodes }: Revision): ReadonlyMap<number, number> {
  const statuses = new Map<number, number>();
  for (const [name, status] of Object.entries(conventions.errorStatuses)) {
    const code = errorCodes[name];
    if (code !== undefined) statuses.set(code, status);
  }
  return statuses;
}
