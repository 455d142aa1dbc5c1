import { summarize } from "../../engine/index.js";
import {
  INVALID_PARAMS,
  META,
  type Method,
  type Revision,
  type Trace,
  metaOf,
} from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import { headerMismatch, nameMismatch } from "./header-mismatch.js";
import type { Problem } from "./problem.js";
import { StandaloneMarks } from "./standalone-marks.js";
import type { StandaloneRequest } from "./standalone-transport.js";

/** A revision whose requests stand alone, as far as HTTP is concerned. */
export interface Served {
  readonly revision: Revision;
  /** HTTP statuses by the code of the error. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Compares what a request says of itself with what its HTTP header says, before the server gets to see it. */
export class StandaloneChecks {
  /** The one that counts for requests that name none that is served. */
  readonly preferred: Served;
  readonly #served: ReadonlyMap<string, Served>;
  readonly #marks: StandaloneMarks;

  /** @param revisions - at least one, the preferred one first */
  constructor(revisions: readonly Revision[]) {
    const served = revisions.map((revision) => ({ revision, statuses: statusesOf(revision) }));
    this.preferred = served[0]!;
    this.#served = new Map(served.map((one) => [one.revision.id, one]));
    this.#marks = new StandaloneMarks({ alone: revisions, handshake: [] });
  }

  /** The revision that a request names; undefined when it is none that is served. */
  servedFor({ params }: StandaloneRequest): Served | undefined {
    return this.#served.get(versionOf(params) as string);
  }

  /** Why a request is refused; in the order in which the specification has it. */
  whyRefused(
    exchange: Exchange,
    { method, params }: StandaloneRequest,
    row: Method | undefined,
  ): Problem | undefined {
    const { revision } = this.preferred;
    const version = versionOf(params);
    if (version === undefined && !this.#marks.inHead(exchange)) {
      // What opens a conversation in another way hears from the server which revisions it has.
      if (!revision.methods.has(method)) return undefined;
      const ids = [...this.#served.keys()].join(", ");
      const named = exchange.header("mcp-protocol-version");
      if (named === undefined)
        return this.mismatch(`MCP-Protocol-Version is missing: send one of ${ids}`);
    }
    const incomplete = whyIncomplete(revision, params);
    if (incomplete !== undefined) return incomplete;
    const problem =
      headerMismatch(exchange, version as string, method) ??
      (row && nameMismatch(exchange, row, params));
    return problem === undefined ? undefined : this.mismatch(problem);
  }

  mismatch(text: string): Problem {
    const code = this.preferred.revision.errorCodes["HEADER_MISMATCH"]!;
    return { status: 400, code, message: `Header mismatch: ${text}` };
  }
}

function versionOf(params: unknown): unknown {
  return metaOf(params)?.[META.revision];
}

/** Requests have to say what a handshake would have said. */
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
