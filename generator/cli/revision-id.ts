import { problemOfName } from "../output/check-paths.js";

/** Why a text cannot name a revision, and so a folder, as the end of a sentence; undefined when it can. */
export function problemOfRevision(revision: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(revision)
    ? problemOfName(revision)
    : "it is made of letters, digits, dots, dashes and underscores, a letter or digit first";
}
