import type { Facts } from "../link/facts.js";
import type { Protocol } from "../link/protocol.js";

/** A file that was accepted without a recorded digest. */
export interface NewRecord {
  readonly url: string;
  readonly sha256: string;
  /** The linked schema; undefined if it cannot be linked. */
  readonly protocol: Protocol | undefined;
}

/**
 * Returns the text of a facts file for a revision that has none: its protocol, the file's digests and the inherited
 * facts that apply.
 *
 * @param known - the newest bundled revision's facts, for a schema that inherits none
 */
export function unrecordedFacts(
  revision: string,
  known: Facts,
  { url, sha256, protocol }: NewRecord,
): string {
  const { name, keywords } = known;
  const specification = known.specification?.replace(known.revision, revision);
  const own = protocol?.inherited?.facts ?? { revision, name, specification, keywords };
  const { api, wire } = protocol?.source ?? {};
  const official =
    url.startsWith("https:") && protocol ? { official: { url, sha256, api, wire } } : {};
  return `${JSON.stringify({ ...own, ...official }, undefined, 2)}\n`;
}
