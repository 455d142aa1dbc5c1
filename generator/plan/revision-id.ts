/** Permitted revision ids: they become folder names, package names and words in comments. */
const REVISION_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The rule in words, as the end of a sentence. */
export const REVISION_ID_RULE =
  "it consists of at most 64 lower-case letters, digits, dots, hyphens and underscores, a letter or digit first";

export function isRevisionId(text: string): boolean {
  return REVISION_ID.test(text);
}
