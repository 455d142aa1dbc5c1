import { problemOfName } from "../output/check-paths.js";
import { isRevisionId, REVISION_ID_RULE } from "../plan/revision-id.js";

/** Why a text cannot name a revision, and so a folder, as the end of a sentence; undefined when it can. */
export function problemOfRevision(revision: string): string | undefined {
  return isRevisionId(revision) ? problemOfName(revision) : REVISION_ID_RULE;
}
