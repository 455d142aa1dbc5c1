/** Returns a sentence such as `Did you mean "tools/call"?` */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const near = nearest(word, known).map((name) => `"${name}"`);
  if (near.length === 0) return undefined;
  return `Did you mean ${near.length === 1 ? near[0] : `${near.slice(0, -1).join(", ")} or ${near.at(-1)}`}?`;
}

/**
 * Returns up to three names that begin with `word` or differ from it by a few typos, starting with the most similar.
 */
export function nearest(word: string, known: Iterable<string>): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(known)]
    .map((name) => ({ name, distance: typos(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .filter(({ distance }, _, all) => distance <= (all[0]?.distance ?? 0) + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

/**
 * Returns the edit distance between two names, or 1 if `name` begins with `word`, because the user may have abbreviated
 * it.
 */
function typos(word: string, name: string): number {
  return word.length > 2 && name.startsWith(word) ? 1 : distanceBetween(word, name);
}

/**
 * Returns the edit distance between two strings, counting insertions, deletions, substitutions and swaps of
 * neighbouring characters.
 */
export function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
