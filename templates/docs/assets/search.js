// {{origin}}
/**
 * Ranks the index's entries for a query. Each row of the index is [name, kind, address, text]. The page, the tests and
 * other programs use the same function.
 */
(function (scope) {
  "use strict";

  const IGNORED = new Set(
    "a an and are as at be by can do does for from has have how i if in is it may my of on or that the this to was what when where which who why will with you".split(" "),
  );
  const WEIGHTS = { method: 1.25, type: 1.15, error: 1.2, capability: 1.1, page: 1.1, changes: 1.1, guide: 0.7, requirement: 0.5 };

  /** The score of a name that a query of several words contains. */
  const NAMED = 60;
  const SHARES = [1, 0.8, 0.6];

  /** Returns the words of a text in lower case and without endings; `listChanged` and `URLParams` have two each. */
  function words(text) {
    const spaced = text.replace(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$2 ").toLowerCase();
    return (spaced.match(/[\p{L}\p{N}]+/gu) || []).map(stem);
  }

  function stem(word) {
    if (word.length < 5) return word.length === 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
    return word.replace(/(?:ations?|ating|ates?|ated)$/, "at").replace(/(?:ies|y)$/, "i").replace(/(?:ings?|ed|es|s|e)$/, "").replace(/([^aeiou])\1$/, "$1");
  }

  function prepare(rows) {
    const frequency = new Map();
    const entries = rows.map(([name, kind, address, text]) => {
      const own = words(name);
      const tail = words(name.split(/[./]/).pop());
      const counts = new Map();
      for (const word of words(text)) counts.set(word, (counts.get(word) || 0) + 1);
      for (const word of new Set([...own, ...counts.keys()])) {
        frequency.set(word, (frequency.get(word) || 0) + 1);
      }
      return { name, kind, address, text, own, tail, counts, lower: name.toLowerCase(), size: counts.size };
    });
    return { entries, frequency };
  }

  const prepared = new WeakMap();

  /** Returns the best entries for a query, at most `limit`. */
  function search(rows, query, limit = 12) {
    if (!prepared.has(rows)) prepared.set(rows, prepare(rows));
    const { entries, frequency } = prepared.get(rows);
    const whole = query.trim().toLowerCase().replace(/\s+/g, " ");
    if (whole === "") return [];
    const all = [...new Set(words(whole))];
    const telling = words(whole.replace(/[\p{L}]+/gu, (word) => (IGNORED.has(word) ? " " : word)));
    const asked = telling.length > 0 ? [...new Set(telling)] : all;
    const weight = new Map(
      asked.map((word) => [word, Math.log(1 + entries.length / (1 + (frequency.get(word) || 0)))]),
    );
    const named = new Set(query.trim().split(/\s+/).filter((word) => /[/._-]|\p{Ll}\p{Lu}/u.test(word)).map((word) => word.toLowerCase()));
    let found = [];
    for (const entry of entries) {
      const name = nameScore(entry, whole) + (isNameIn(named, entry) ? NAMED : 0);
      const { score, matches, inNames } = wordScore(entry, asked, weight);
      const [isNamed, isWhole] = [inNames, matches].map((count) => name > 0 || count === asked.length);
      if (name + score > 0.5) found.push({ entry, score: name + score, isNamed, isWhole });
    }
    // If a name contains all words, entries that lack some are dropped. Texts do not count here, because long ones contain almost any word.
    if (found.some(({ isNamed }) => isNamed)) found = found.filter(({ isWhole }) => isWhole);
    if (found.length === 0) found.push(...similar(entries, whole));
    found.sort(byScore);
    return varied(found.slice(0, 5 * limit)).slice(0, limit).map(({ entry }) => {
      const { name, kind, address, text } = entry;
      return { name, kind, address, text };
    });
  }

  /** Returns true if one of the words is the entry's name. An error's code also counts as its name. */
  function isNameIn(named, { lower, kind }) {
    return named.has(lower) || (kind === "error" && lower.split(" ").some((part) => named.has(part)));
  }

  function byScore(one, other) {
    return other.score - one.score || one.entry.name.length - other.entry.name.length || (one.entry.name < other.entry.name ? -1 : 1);
  }

  /** Lowers the score of further results on a page that is already among the results. */
  function varied(found) {
    const pages = new Map();
    const shares = found.map(({ entry, score }) => {
      const [page] = entry.address.split("#");
      const before = pages.get(page) || 0;
      pages.set(page, before + 1);
      return { entry, score: score * SHARES[Math.min(before, SHARES.length - 1)] };
    });
    return shares.sort(byScore);
  }

  /** Returns the score of a query that is a name, or the beginning or end of one. */
  function nameScore({ lower, kind }, whole) {
    const factor = WEIGHTS[kind] || 1;
    if (lower === whole) return 1000 * factor;
    if (lower.split(" ").includes(whole)) return 600 * factor;
    if (lower.endsWith(`.${whole}`) || lower.endsWith(`/${whole}`)) return 300 * factor;
    if (whole.length > 1 && lower.startsWith(whole)) return (200 * factor * whole.length) / lower.length + 20;
    if (whole.length > 2 && lower.includes(whole)) return (100 * factor * whole.length) / lower.length + 5;
    return 0;
  }

  /** Returns entries whose names are spelled like the query, if nothing matches it. */
  function similar(entries, whole) {
    const wanted = pairs(whole);
    return entries.flatMap((entry) => {
      const own = pairs(entry.lower);
      const shared = [...wanted].filter((pair) => own.has(pair)).length;
      const score = (2 * shared) / (wanted.size + own.size || 1);
      return score > 0.6 ? [{ entry, score }] : [];
    });
  }

  function pairs(text) {
    return new Set(Array.from(text, (_, index) => text.slice(index, index + 2)));
  }

  /** Returns true if one word begins with the other: `elicitation`, `elicit`. */
  function isStart(word, part) {
    return part.startsWith(word) || (part.length > 4 && word.startsWith(part));
  }

  function wordScore({ own, tail, counts, size, kind }, asked, weight) {
    // If the last part of a name consists of words from the query, the query probably means this name.
    const isMeant = tail.length > 1 && tail.every((word) => asked.includes(word));
    let score = isMeant ? tail.reduce((sum, word) => sum + weight.get(word), 0) : 0;
    let matches = 0;
    let inNames = 0;
    for (const word of asked) {
      const inName = own.includes(word) ? 3 : word.length > 2 && own.some((part) => isStart(word, part)) ? 1.5 : 0;
      const count = counts.get(word) || 0;
      const inText = count === 0 ? 0 : (2.2 * count) / (count + 1.2 * (0.3 + size / 60));
      if (inName + inText === 0) continue;
      matches += 1;
      if (inName > 0) inNames += 1;
      score += weight.get(word) * (inName / (1 + own.length / 8) + inText);
    }
    return { matches, inNames, score: (score * (WEIGHTS[kind] || 1) * matches * matches) / (asked.length * asked.length) };
  }

  scope.referenceSearch = search;
})(globalThis);
