import { type Method, type Revision, isObject, standsAlone } from "../../wire/index.js";
import type { RequestHead } from "./exchange.js";
import type { ServedRevisions } from "./served-revisions.js";

/** Tells requests that stand alone from those of sessions, where both are served (MCP: versioning, compatibility). */
export class StandaloneMarks {
  readonly #alone: ReadonlySet<string>;
  readonly #handshake: ReadonlySet<string>;
  /** Methods that open a session. */
  readonly #openings: ReadonlySet<string>;
  /** Methods that no session has. */
  readonly #own: ReadonlySet<string>;

  constructor({ alone, handshake }: ServedRevisions) {
    this.#alone = new Set(alone.map(({ id }) => id));
    this.#handshake = new Set(handshake.map(({ id }) => id));
    this.#openings = openingMethods(handshake);
    const known = new Set(rowsOf(handshake).map(({ method }) => method));
    const own = rowsOf(alone).filter(({ kind, from }) => kind === "request" && from !== "server");
    this.#own = new Set(own.map(({ method }) => method).filter((method) => !known.has(method)));
  }

  /** By the header: it names a revision without sessions, or a method as only those do. */
  inHead(head: RequestHead): boolean {
    const version = head.header("mcp-protocol-version");
    if (version !== undefined) {
      if (this.#alone.has(version)) return true;
      if (this.#handshake.has(version)) return false;
    }
    const method = head.header("mcp-method");
    return method !== undefined && !this.#openings.has(method);
  }

  /** By the message itself; by one of them, where there are several. */
  inMessage(value: unknown): boolean {
    if (Array.isArray(value)) return value.some((message) => this.inMessage(message));
    if (!isObject(value)) return false;
    const { method, params } = value;
    return standsAlone(params) || (typeof method === "string" && this.#own.has(method));
  }
}

/** Methods of the requests that open a session. */
export function openingMethods(revisions: readonly Revision[]): ReadonlySet<string> {
  const openings = rowsOf(revisions).filter(({ role }) => role === "initialize");
  return new Set(openings.map(({ method }) => method));
}

function rowsOf(revisions: readonly Revision[]): readonly Method[] {
  return revisions.flatMap(({ methods }) => [...methods.values()]);
}
