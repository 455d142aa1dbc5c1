import type { Session, StepSource } from "../../api/index.js";
import { isObject, isWebUrl, type Revision } from "../../wire/index.js";

/** The maximum number of open elicitations per session. If it is exceeded, the oldest are removed. */
const LIMIT = 1000;

/** The URL elicitations that have been started but not completed, by session. */
export interface OpenElicitations {
  add(session: Session, id: string): void;
  delete(session: Session, id: string): boolean;
}

export function openElicitations(): OpenElicitations {
  const bySession = new WeakMap<Session, Set<string>>();
  return {
    add(session, id) {
      const ids = bySession.get(session) ?? new Set();
      bySession.set(session, ids);
      ids.delete(id);
      ids.add(id);
      if (ids.size > LIMIT) ids.delete(ids.values().next().value!);
    },
    delete: (session, id) => bySession.get(session)?.delete(id) ?? false,
  };
}

export const COMPLETE = "notifications/elicitation/complete";

/** The URL elicitations that this process has started as a server. */
export const startedElicitations: OpenElicitations = /* @__PURE__ */ openElicitations();

export function knowsCompletion({ methods }: Revision): boolean {
  return methods.has(COMPLETE);
}

/**
 * Returns the sessions to notify when an elicitation is complete, which are those in which it was started. The
 * elicitation is removed, so each session is notified only once.
 */
export function completionAudience(
  sessions: () => Iterable<Session>,
): Readonly<Record<string, (params: unknown) => Iterable<Session>>> {
  return {
    [COMPLETE]: function* (params) {
      const { elicitationId } = (params ?? {}) as { readonly elicitationId?: unknown };
      if (typeof elicitationId !== "string") return;
      for (const session of sessions())
        if (startedElicitations.delete(session, elicitationId)) yield session;
    },
  };
}

/**
 * Records an elicitation that a handler starts with its own notification or request, so that the notification of its
 * completion reaches the client.
 */
export function noteElicitation(session: Session, params: unknown): void {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  if (typeof id === "string") startedElicitations.add(session, id);
}

/** Records the elicitations that an error from any handler requires (MCP: elicitation, URL mode). */
export const requiredElicitations: StepSource = ({ revision, direction }) => {
  const required = revision.errorCodes["URL_ELICITATION_REQUIRED"];
  if (required === undefined || direction === "out") return undefined;
  return {
    failing({ code, data }, { session }) {
      const list = code === required && isObject(data) ? data["elicitations"] : undefined;
      if (Array.isArray(list)) for (const one of list) noteElicitation(session, one);
    },
  };
};

export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new TypeError("The URL of an elicitation must be an http: or https: URL");
}
