import type { Revision } from "../../wire/index.js";
import type { Forkable } from "./forkable.js";

/** The revisions of a server by how conversations with them go, the preferred ones first. */
export interface ServedRevisions {
  readonly handshake: readonly Revision[];
  /** Those whose requests stand alone. */
  readonly alone: readonly Revision[];
}

/** @throws TypeError for what is no server */
export function servedRevisions(server: Forkable): ServedRevisions {
  const { revisions, fork } = (server ?? {}) as Partial<Forkable>;
  if (!Array.isArray(revisions) || typeof fork !== "function") {
    throw new TypeError(
      "This handler takes a server, not what makes one: createHttpHandler(server)",
    );
  }
  const of = (lifecycle: Revision["traits"]["lifecycle"]): Revision[] =>
    revisions.filter(({ traits }) => traits.lifecycle === lifecycle);
  return { handshake: of("initialize"), alone: of("discover") };
}

/** @throws TypeError for what is no server, and for one without a revision that has a handshake */
export function assertHasHandshake(server: Forkable): void {
  if (servedRevisions(server).handshake.length > 0) return;
  const ids = server.revisions.map(({ id }) => id).join(", ");
  throw new TypeError(`This handler serves revisions with a handshake, and ${ids} has none`);
}
