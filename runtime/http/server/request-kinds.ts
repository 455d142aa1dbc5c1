import { oncePerList } from "../../ground/index.js";
import { type Method, type Revision, isObject, revisionNamed } from "../../wire/index.js";
import type { RequestHead } from "./exchange.js";

/** Tells stateless requests from those of sessions, where both are served (MCP: versioning, compatibility). */
export class RequestKinds {
  readonly #stateless: ReadonlySet<string>;
  readonly #sessions: ReadonlySet<string>;
  /** Methods that open a session. */
  readonly #openings: ReadonlySet<string>;
  /** Methods that only stateless revisions have. */
  readonly #own: ReadonlySet<string>;

  private constructor(stateless: readonly Revision[], sessions: readonly Revision[]) {
    this.#stateless = new Set(stateless.map(({ id }) => id));
    this.#sessions = new Set(sessions.map(({ id }) => id));
    this.#openings = openingMethods(sessions);
    const known = new Set(rowsOf(sessions).map(({ method }) => method));
    const own = rowsOf(stateless).filter(
      ({ kind, from }) => kind === "request" && from !== "server",
    );
    this.#own = new Set(own.map(({ method }) => method).filter((method) => !known.has(method)));
  }

  /** Kinds of requests by the revisions that are served, the preferred ones of each kind first. */
  static readonly of: (revisions: readonly Revision[]) => RequestKinds = oncePerList(
    (revisions: readonly Revision[]) =>
      new RequestKinds(
        revisions.filter(isStateless),
        revisions.filter((one) => !isStateless(one)),
      ),
  );

  /** True when the header shows a stateless request: it names such a revision, or a method as only those do. */
  isStatelessHead(head: RequestHead): boolean {
    const version = head.header("mcp-protocol-version");
    if (version !== undefined) {
      if (this.#stateless.has(version)) return true;
      if (this.#sessions.has(version)) return false;
    }
    const method = head.header("mcp-method");
    return method !== undefined && !this.#openings.has(method);
  }

  /** True when the message (or any message of a batch) is stateless. */
  isStatelessMessage(value: unknown): boolean {
    if (Array.isArray(value)) return value.some((message) => this.isStatelessMessage(message));
    if (!isObject(value)) return false;
    const { method, params } = value;
    return (
      revisionNamed(params) !== undefined || (typeof method === "string" && this.#own.has(method))
    );
  }
}

/** Methods of the requests that open a session. */
export const openingMethods: (revisions: readonly Revision[]) => ReadonlySet<string> =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => {
    const openings = rowsOf(revisions).filter(({ role }) => role === "initialize");
    return new Set(openings.map(({ method }) => method));
  });

/** Notifications that are for the engine: about a connection, mostly. */
export const engineNotifications: (revisions: readonly Revision[]) => ReadonlySet<string> =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => {
    const rows = rowsOf(revisions);
    const own = rows.filter(({ kind, role }) => kind === "notification" && role !== undefined);
    return new Set(own.map(({ method }) => method));
  });

function isStateless({ traits }: Revision): boolean {
  return traits.lifecycle === "discover";
}

function rowsOf(revisions: readonly Revision[]): readonly Method[] {
  return revisions.flatMap(({ methods }) => [...methods.values()]);
}
