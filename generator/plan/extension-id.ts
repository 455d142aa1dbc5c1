/** Extension id with a prefix, in the notation of `_meta` keys (MCP: extensions). */
const EXTENSION_ID =
  /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/** Maximum length of a package name, in characters. */
const MAX_LENGTH = 200;

/** The rule in words, as the end of a sentence. */
export const EXTENSION_ID_RULE = `it consists of a domain that you own, reversed, a slash and a name, at most ${MAX_LENGTH} characters`;

export function isExtensionId(text: string): boolean {
  return text.length <= MAX_LENGTH && EXTENSION_ID.test(text);
}

/** `com.example/maps` becomes `@com.example/maps`. */
export function packageOfExtension(id: string): string {
  return `@${id.toLowerCase()}`;
}

/** `com.example/maps` becomes `maps`. */
export function folderOfExtension(id: string): string {
  return id.toLowerCase().split("/").at(-1)!;
}
