const BACKSLASH = 0x5c;

/**
 * The first name that two members of one object have in common, however each is escaped; undefined when all differ.
 * One pass without recursion.
 *
 * @param text - valid JSON
 */
export function duplicateKey(text: string): string | undefined {
  /** The names of the objects around the current place; undefined for an array. */
  const scopes: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{") scopes.push(new Set());
    else if (character === "[") scopes.push(undefined);
    else if (character === "}" || character === "]") scopes.pop();
    if (character !== '"') continue;

    const start = index;
    index = endOfString(text, start);
    if (!isFollowedByColon(text, index)) continue;
    const name = JSON.parse(text.slice(start, index + 1)) as string;
    const names = scopes.at(-1)!;
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** Index of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Only a member's name is a string with a colon behind it. */
function isFollowedByColon(text: string, index: number): boolean {
  for (let next = index + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code > 0x20) return code === 0x3a;
  }
  return false;
}
