import { isIdentifier } from "mcp-codegen/emit";

const LONGEST = 60;

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Converts a name to Pascal case: `search_issues` becomes `SearchIssues`. If the result would not begin with a letter,
 * the fallback is added in front.
 */
export function pascalCase(name: string, fallback: string): string {
  const text = wordsOf(name).map(capital).join("").slice(0, LONGEST);
  return /^[A-Za-z]/.test(text) ? text : `${fallback}${text}`;
}

function camelCase(name: string): string {
  const text = pascalCase(name, "");
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Returns the member name for each entry in a list: the name in camel case if that is valid and unique, or else the
 * name unchanged. No member is called `then`, because that would make its object a promise.
 */
export function memberNames(names: readonly string[]): ReadonlyMap<string, string> {
  const short = names.map((name) => {
    const text = camelCase(name);
    const isUsable =
      /^[a-z]/.test(text) && text !== "then" && wordsOf(name).join("").length <= LONGEST;
    // Two names may differ only in characters that camel case drops, so such names stay unchanged.
    return isUsable && /^[\w\-./ :]+$/.test(name) ? text : undefined;
  });
  const counts = new Map<string, number>();
  for (const text of [...short, ...names]) {
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return new Map(
    names.map((name, index) => {
      const text = short[index];
      const own = text === name ? 2 : 1;
      const isFree = text !== undefined && counts.get(text) === own;
      return [name, isFree ? text : name === "then" ? "then_" : name];
    }),
  );
}

export class NameSpace {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set([...reserved].map((name) => name.toLowerCase()));
  }

  claim(base: string, suffix = ""): string {
    for (let number = 1; ; number += 1) {
      const name = `${base}${number === 1 ? "" : number}${suffix}`;
      if (this.#taken.has(name.toLowerCase()) || !isIdentifier(name)) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}
