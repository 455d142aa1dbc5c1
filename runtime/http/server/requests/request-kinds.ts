import { oncePerList } from "../../../ground/index.js";
import { type Method, type Revision, isObject, revisionNamed } from "../../../wire/index.js";
import type { RequestFields } from "./exchange.js";

/** A server's revisions by kind of conversation, in order of preference. */
export interface ServedRevisions {
  readonly sessions: readonly Revision[];
  readonly stateless: readonly Revision[];
}

function isStateless({ traits }: Revision): boolean {
  return traits.lifecycle === "discover";
}

export function byKind(revisions: readonly Revision[]): ServedRevisions {
  return {
    sessions: revisions.filter((one) => !isStateless(one)),
    stateless: revisions.filter(isStateless),
  };
}

/** Distinguishes stateless requests from those of sessions when both are served (MCP: versioning, compatibility). */
export interface RequestKinds {
  readonly openings: ReadonlySet<string>;
  /**
   * True if the header alone shows that a request is stateless. This is so if only stateless revisions are served, if
   * the header names one of them, or if it names no served revision and has an `Mcp-Method` that opens no session. If
   * this is false, the message itself may still show it.
   */
  isStatelessHead(fields: RequestFields): boolean;
  isStatelessMessage(value: unknown): boolean;
}

export const requestKinds: (revisions: readonly Revision[]) => RequestKinds =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => {
    const { sessions, stateless } = byKind(revisions);
    const sessionIds = new Set(sessions.map(({ id }) => id));
    const statelessIds = new Set(stateless.map(({ id }) => id));
    const openings = methodsIn(sessions, ({ role }) => role === "initialize");
    const known = methodsIn(sessions, () => true);
    const onlyStateless = methodsIn(
      stateless,
      ({ kind, from, method }) => kind === "request" && from !== "server" && !known.has(method),
    );
    const isStatelessMessage = (value: unknown): boolean => {
      if (Array.isArray(value)) return value.some(isStatelessMessage);
      if (!isObject(value)) return false;
      const { method, params } = value;
      const isNamed = revisionNamed(params) !== undefined;
      return isNamed || (typeof method === "string" && onlyStateless.has(method));
    };
    return {
      openings,
      isStatelessHead(fields) {
        if (stateless.length === 0 || sessions.length === 0) return sessions.length === 0;
        const version = fields["mcp-protocol-version"];
        if (version !== undefined) {
          if (statelessIds.has(version)) return true;
          if (sessionIds.has(version)) return false;
        }
        const method = fields["mcp-method"];
        return method !== undefined && !openings.has(method);
      },
      isStatelessMessage,
    };
  });

function methodsIn(
  revisions: readonly Revision[],
  matches: (row: Method) => boolean,
): ReadonlySet<string> {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  return new Set(rows.filter(matches).map(({ method }) => method));
}
