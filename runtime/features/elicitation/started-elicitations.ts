import type { Session } from "../../api/index.js";
import type { Revision } from "../../wire/index.js";
import { OpenElicitations } from "./open-elicitations.js";

/** Notification that what the user went to a page for is done. */
export const COMPLETE = "notifications/elicitation/complete";

/** URL elicitations that this process has started as a server. */
export const startedElicitations: OpenElicitations = /* @__PURE__ */ new OpenElicitations();

export function knowsCompletion({ methods }: Revision): boolean {
  return methods.has(COMPLETE);
}

/** Audience of the notification of a completion: the sessions in which the elicitation was started, each once. */
export function toldOfCompletion(
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
