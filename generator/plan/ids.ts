const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

const RESERVED: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval " +
    "export extends false finally for function if implements import in instanceof interface let new " +
    "null package private protected public return static super switch this throw true try typeof " +
    "undefined var void while with yield"
  ).split(" "),
);

/** Returns true if a module can declare the name as both a type and a value. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED.has(name);
}

/** Matches valid revision ids, which are used in folder names, package names and comments. */
const REVISION_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The rule for revision ids in words, phrased as the end of a sentence. */
export const REVISION_ID_RULE =
  "it consists of at most 64 lower-case letters, digits, dots, hyphens and underscores, a letter or digit first";

export function isRevisionId(text: string): boolean {
  return REVISION_ID.test(text);
}

/** Matches extension ids with a prefix, in the notation of `_meta` keys (MCP: extensions). */
const EXTENSION_ID =
  /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;

const MAX_LENGTH = 200;

/** The rule for extension ids in words, phrased as the end of a sentence. */
export const EXTENSION_ID_RULE = `it consists of a domain that you own, reversed, a slash and a name, at most ${MAX_LENGTH} characters`;

export function isExtensionId(text: string): boolean {
  return text.length <= MAX_LENGTH && EXTENSION_ID.test(text);
}

export function packageOfExtension(id: string): string {
  return `@${id.toLowerCase()}`;
}

export function folderOfExtension(id: string): string {
  return id.toLowerCase().split("/").at(-1)!;
}
