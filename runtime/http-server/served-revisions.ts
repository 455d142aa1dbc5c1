import type { Revision } from "../revision.js";
import type { Forkable } from "./forkable.js";

/**
 * The revisions of a server whose clients begin with a handshake: no others can be served here.
 * @throws TypeError when there are none
 */
export function servedRevisions({ revisions, fork }: Forkable): readonly Revision[] {
  if (!Array.isArray(revisions) || typeof fork !== "function") {
    throw new TypeError(
      "This handler takes a server, not what makes one: createHttpHandler(server)",
    );
  }
  const served = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  if (served.length > 0) return served;
  const ids = revisions.map(({ id }) => id).join(", ");
  throw new TypeError(`This handler serves revisions with a handshake, and ${ids} has none`);
}
