/** Steps that may be taken at a time: up to 100 ms, as engines interpret a pattern before they compile it. */
const MAX_STEPS = 500_000;

/** Loops that may follow each other; the search for where a match starts is one. */
const MAX_LOOPS = 4;

/** Shorter limits are of no use to anybody. */
const MIN_LENGTH = 32;

/** No pattern that people write is longer. */
const MAX_PATTERN = 1000;

/** Part of a pattern, with the properties that determine how long matching takes. */
interface Part {
  /** Number of ways to match, loops aside. */
  readonly ways: number;
  /** Loops without an upper bound. */
  readonly loops: number;
  /** Characters that it looks at, loops counted once. */
  readonly size: number;
  /** Literal character that the part is or starts with; undefined when there is none. */
  readonly head: string | undefined;
  /** True when it matches only at the start of the string. */
  readonly isAnchored: boolean;
}

const NOTHING: Part = { ways: 1, loops: 0, size: 0, head: undefined, isAnchored: false };
const START: Part = { ...NOTHING, isAnchored: true };
const IMPOSSIBLE: Part = { ...NOTHING, ways: Infinity, size: 1 };

/**
 * Length of the longest string that a pattern can be matched with in bounded time, by the ways that a backtracking
 * matcher could have to try; undefined when it cannot be told, as for loops within loops and back references.
 *
 * @param source - a valid regular expression for the flag `u`
 * @param matches - how many strings are matched at a time
 */
export function patternBound(source: string, matches: number = 1): number | undefined {
  if (source.length > MAX_PATTERN) return undefined;
  const { ways, loops, size, isAnchored } = new PatternReader(source).read();
  const degree = loops + (isAnchored ? 0 : 1);
  const budget = MAX_STEPS / (matches * ways * Math.max(size, 1));
  if (!(budget >= 1) || degree > MAX_LOOPS) return undefined;
  if (degree === 0) return Infinity;
  // Loops that follow each other share n characters in C(n + d, d) ways, which is at most (n + d)^d / d!;
  // those in what looks around do not.
  const shared = /\(\?<?[=!]/.test(source) ? 1 : factorial(degree);
  const length = Math.floor((budget * shared) ** (1 / degree)) - degree;
  return length < MIN_LENGTH ? undefined : length;
}

/** Reads a pattern once, from left to right. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Part {
    return this.#alternatives();
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    if (parts.length === 1) return parts[0]!;
    const heads = new Set(parts.map(({ head }) => head));
    const isDecidable =
      heads.size === parts.length && !heads.has(undefined) && !parts.some(hasChoice);
    return {
      ways: isDecidable ? 1 : parts.reduce((sum, { ways }) => sum + ways, 0),
      loops: Math.max(...parts.map(({ loops }) => loops)),
      size: Math.max(...parts.map(({ size }) => size)),
      head: undefined,
      isAnchored: parts.every(({ isAnchored }) => isAnchored),
    };
  }

  #sequence(): Part {
    let whole = NOTHING;
    while (this.#at < this.#source.length && !this.#sees("|") && !this.#sees(")")) {
      const part = this.#repeated(this.#atom());
      whole = {
        ways: whole.ways * part.ways,
        loops: whole.loops + part.loops,
        size: whole.size + part.size,
        head: whole === NOTHING ? part.head : whole.head,
        isAnchored: whole === NOTHING ? part.isAnchored : whole.isAnchored,
      };
    }
    return whole;
  }

  #atom(): Part {
    const start = this.#source[this.#at]!;
    if (start === "(") return this.#group();
    if (start === "[") return this.#class();
    if (start === "\\") return this.#escape();
    this.#at += start >= "\ud800" && start <= "\udbff" ? 2 : 1;
    if (start === "^") return START;
    if (start === "$") return NOTHING;
    return { ...NOTHING, size: 1, head: start === "." ? undefined : start };
  }

  #group(): Part {
    const looksAround = this.#skip(/\(\?<?[=!]/y);
    if (!looksAround) this.#skip(/\((?:\?(?::|<[^>]*>))?/y);
    // What is left are modifiers, such as in (?i:a|A).
    const isUnknown = this.#sees("?");
    const inner = this.#alternatives();
    this.#take(")");
    if (isUnknown) return IMPOSSIBLE;
    return looksAround ? { ...inner, head: undefined, isAnchored: false } : inner;
  }

  #class(): Part {
    this.#skip(/\[(?:\\.|[^\]\\])*\]/suy);
    return { ...NOTHING, size: 1 };
  }

  #escape(): Part {
    const isReference = this.#skip(/\\(?:[1-9]|k<)/y);
    if (isReference) return IMPOSSIBLE;
    if (this.#skip(/\\[bB]/y)) return NOTHING;
    this.#skip(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|.)/iuy);
    return { ...NOTHING, size: 1 };
  }

  #repeated(part: Part): Part {
    const [minimum, maximum] = this.#quantifier();
    if (minimum === 1 && maximum === 1) return part;
    const { head } = part;
    if (maximum === Infinity) {
      if (hasChoice(part)) return IMPOSSIBLE;
      return { ...NOTHING, loops: 1, size: part.size * Math.max(minimum, 1) };
    }
    return {
      ways: part.ways ** maximum * (maximum - minimum + 1),
      loops: part.loops * maximum,
      size: part.size * maximum,
      head: minimum > 0 ? head : undefined,
      isAnchored: minimum > 0 && part.isAnchored,
    };
  }

  #quantifier(): [minimum: number, maximum: number] {
    const pattern = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match === null) return [1, 1];
    this.#at = pattern.lastIndex;
    const [, sign, from, range, to] = match;
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
    const minimum = Number(from);
    if (range === undefined) return [minimum, minimum];
    return [minimum, to === "" ? Infinity : Number(to)];
  }

  #sees(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#at += 1;
    return true;
  }

  /** @param pattern - sticky */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#source)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}

function factorial(number: number): number {
  return number <= 1 ? 1 : number * factorial(number - 1);
}

function hasChoice({ ways, loops }: Part): boolean {
  return ways > 1 || loops > 0;
}
