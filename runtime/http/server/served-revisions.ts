import type { Revision } from "../../wire/index.js";
import type { ServerInstance } from "./server-instance.js";

/** Revisions of a server by the kind of their conversations, the preferred ones first. */
export interface ServedRevisions {
  readonly sessions: readonly Revision[];
  readonly stateless: readonly Revision[];
}

/** @throws TypeError for a value that is no server */
export function servedRevisions(server: ServerInstance): ServedRevisions {
  const { revisions, fork } = (server ?? {}) as Partial<ServerInstance>;
  if (!Array.isArray(revisions) || typeof fork !== "function") {
    throw new TypeError(
      "This handler takes a server, not what makes one: createHttpHandler(server)",
    );
  }
  const of = (lifecycle: Revision["traits"]["lifecycle"]): Revision[] =>
    revisions.filter(({ traits }) => traits.lifecycle === lifecycle);
  return { sessions: of("initialize"), stateless: of("discover") };
}

/** @throws TypeError for a value that is no server, and for one without a revision of sessions */
export function assertHasSessions(server: ServerInstance): void {
  if (servedRevisions(server).sessions.length > 0) return;
  const ids = server.revisions.map(({ id }) => id).join(", ");
  throw new TypeError(`This handler serves revisions with a handshake, and ${ids} has none`);
}
