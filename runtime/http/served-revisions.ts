import type { Revision } from "../revision.js";
import type { Forkable } from "./forkable.js";

/**
 * The revisions of a server whose clients begin with a handshake: no others can be served here.
 * @throws TypeError when there are none
 */
export function servedRevisions({ revisions }: Pick<Forkable, "revisions">): readonly Revision[] {
  const served = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  if (served.length > 0) return served;
  const ids = revisions.map(({ id }) => id).join(", ");
  throw new TypeError(`This handler serves revisions with a handshake, and ${ids} has none`);
}
