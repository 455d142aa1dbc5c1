/** The maximum number of states in a pattern. Repetitions with large bounds can exceed it. */
const MAX_STATES = 10_000;

/** The maximum length of a pattern, in UTF-16 units. */
const MAX_LENGTH = 10_000;
const MAX_DEPTH = 100;

/** Searches a string for a match. It reports its steps, so that the caller can stop the search by throwing. */
export type Matcher = (text: string, spend: (steps: number) => void) => boolean;

export class PatternError extends Error {
  override readonly name: string = "PatternError";
}

/**
 * Compiles any regular expression to a matcher that takes linear time, because it follows all possible matches at once
 * instead of one after the other. The semantics are those of ECMA-262 with the `u` flag, including lookaround.
 *
 * @param source - a regular expression that is valid with the `u` flag
 * @throws PatternError for back references (which have no such matcher), for modifiers, and for patterns that are too
 *   large
 */
export function linearMatcher(source: string): Matcher {
  const { whole, lookarounds } = readPattern(source);
  const automaton = automatonOf(whole, false);
  const around = lookarounds.map(({ part, isAhead }) => automatonOf(part, isAhead));
  return (text, spend) => {
    const codes = Array.from(text, (character) => character.codePointAt(0)!);
    const subject: Subject = { codes, holds: [] };
    // Inner lookarounds come first in the list, because outer ones depend on their results.
    for (const one of around) {
      const holds = new Uint8Array(codes.length + 1);
      search(one, subject, spend, (at) => {
        holds[at] = 1;
        return false;
      });
      subject.holds.push(holds);
    }
    return search(automaton, subject, spend, () => true);
  };
}

interface Subject {
  readonly codes: readonly number[];
  /** The positions at which each lookaround's pattern matches: 1 for a match. */
  readonly holds: Uint8Array[];
}

type Assertion = (subject: Subject, at: number) => boolean;

/**
 * A state of a nondeterministic automaton. If it has neither a test nor an assertion, it leads to its next states
 * without reading a character.
 */
interface State {
  readonly id: number;
  readonly test?: (code: number) => boolean;
  readonly assertion?: Assertion;
  /** The next states; empty at the end of a match. */
  readonly next: State[];
}

interface Automaton {
  readonly start: State;
  /**
   * True if the automaton reads the text from right to left. A lookahead's automaton does, so that its match ends at
   * the position where the lookahead holds.
   */
  readonly isBackwards: boolean;
  /** The number of the step in which each state was last reached. */
  readonly reached: Float64Array;
  turn: number;
}

/** True if `found` returns true for the end of some match. Matches can start anywhere. */
function search(
  automaton: Automaton,
  subject: Subject,
  spend: (steps: number) => void,
  found: (at: number) => boolean,
): boolean {
  const { start, isBackwards } = automaton;
  const { codes } = subject;
  let pending = [start];
  for (let step = 0; step <= codes.length; step++) {
    const at = isBackwards ? codes.length - step : step;
    const { waiting, isMatch } = settle(automaton, pending, subject, at);
    if (isMatch && found(at)) return true;
    spend(1 + (waiting.length >> 3));
    const code = codes[isBackwards ? at - 1 : at];
    pending = [start];
    if (code === undefined) continue;
    for (const { test, next } of waiting) if (test!(code)) pending.push(next[0]!);
  }
  return false;
}

/** Follows states until each waits for a character. */
function settle(
  automaton: Automaton,
  pending: State[],
  subject: Subject,
  at: number,
): { waiting: State[]; isMatch: boolean } {
  const { reached } = automaton;
  const turn = ++automaton.turn;
  const waiting: State[] = [];
  let isMatch = false;
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    if (reached[state.id] === turn) continue;
    reached[state.id] = turn;
    if (state.test) waiting.push(state);
    else if (state.next.length === 0) isMatch = true;
    else if (state.assertion === undefined || state.assertion(subject, at))
      pending.push(...state.next);
  }
  return { waiting, isMatch };
}

interface Builder {
  readonly isBackwards: boolean;
  size: number;
}

function addState(
  builder: Builder,
  next: State[],
  kind?: Pick<State, "test" | "assertion">,
): State {
  countState(builder);
  return { id: builder.size, next, ...kind };
}

function countState(builder: Builder): void {
  builder.size += 1;
  if (builder.size > MAX_STATES) throw new PatternError("it repeats too much");
}

/** Adds the states for a part of a pattern in front of the state that follows. */
type Part = (builder: Builder, next: State) => State;

function automatonOf(part: Part, isBackwards: boolean): Automaton {
  const builder: Builder = { isBackwards, size: 0 };
  const start = part(builder, addState(builder, []));
  return { start, isBackwards, reached: new Float64Array(builder.size + 1), turn: 0 };
}

function sequence(parts: readonly Part[]): Part {
  return (builder, next) => {
    const ordered = builder.isBackwards ? parts : parts.toReversed();
    return ordered.reduce((state, part) => part(builder, state), next);
  };
}

function alternatives(parts: readonly Part[]): Part {
  if (parts.length === 1) return parts[0]!;
  return (builder, next) =>
    addState(
      builder,
      parts.map((part) => part(builder, next)),
    );
}

function repeated(part: Part, minimum: number, maximum: number): Part {
  return (builder, next) => {
    let state = next;
    if (maximum === Infinity) {
      state = addState(builder, [next]);
      state.next.push(part(builder, state));
    } else {
      for (let count = minimum; count < maximum; count++) {
        state = addState(builder, [part(builder, state), next]);
      }
    }
    for (let count = 0; count < minimum; count++) {
      countState(builder);
      state = part(builder, state);
    }
    return state;
  };
}

function asserted(assertion: Assertion): Part {
  return (builder, next) => addState(builder, [next], { assertion });
}

const START: Assertion = (_, at) => at === 0;
const END: Assertion = ({ codes }, at) => at === codes.length;
const BOUNDARY: Assertion = ({ codes }, at) => isWord(codes[at - 1]) !== isWord(codes[at]);
const NO_BOUNDARY: Assertion = (subject, at) => !BOUNDARY(subject, at);

const ASSERTIONS: ReadonlyMap<string, Assertion> = /* @__PURE__ */ new Map([
  ["^", START],
  ["$", END],
  ["\\b", BOUNDARY],
  ["\\B", NO_BOUNDARY],
]);

function isWord(code: number | undefined): boolean {
  return code !== undefined && /\w/u.test(String.fromCodePoint(code));
}

interface Lookaround {
  readonly part: Part;
  readonly isAhead: boolean;
}

/** Matches a class, an escape or a single character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u[dD][89abAB][\da-f]{2}\\u[dD][c-fC-F][\da-f]{2}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|.)|./isuy;

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y;

function readPattern(source: string): { whole: Part; lookarounds: Lookaround[] } {
  if (source.length > MAX_LENGTH) throw new PatternError("it is too long");
  const lookarounds: Lookaround[] = [];
  const characters = new Map<string, Part>();
  let position = 0;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };

  const readAlternatives = (depth: number): Part => {
    if (depth > MAX_DEPTH) throw new PatternError("it has too many groups inside each other");
    const parts: Part[] = [];
    do parts.push(readSequence(depth));
    while (take(/\|/y));
    return alternatives(parts);
  };

  const readSequence = (depth: number): Part => {
    const parts: Part[] = [];
    while (position < source.length && !"|)".includes(source[position]!)) {
      const part = source[position] === "(" ? readGroup(depth) : readAtom();
      parts.push(quantified(part));
    }
    return sequence(parts);
  };

  const readGroup = (depth: number): Part => {
    const [, around] = take(/\((?:\?(<?[=!]|:|<[^>]*>))?/y)!;
    if (source[position] === "?") throw new PatternError("it has modifiers");
    const part = readAlternatives(depth + 1);
    take(/\)/y);
    if (around === undefined || !/^<?[=!]$/.test(around)) return part;
    const expected = around.endsWith("=") ? 1 : 0;
    const index = lookarounds.push({ part, isAhead: !around.startsWith("<") }) - 1;
    return asserted(({ holds }, at) => holds[index]![at] === expected);
  };

  const readAtom = (): Part => {
    const [atom] = take(ATOM)!;
    if (/^\\[1-9k]/.test(atom)) throw new PatternError("it has back references");
    const assertion = ASSERTIONS.get(atom);
    if (assertion !== undefined) return asserted(assertion);
    let part = characters.get(atom);
    if (part === undefined) {
      const test = characterTest(atom);
      part = (builder, next) => addState(builder, [next], { test });
      characters.set(atom, part);
    }
    return part;
  };

  const quantified = (part: Part): Part => {
    const match = take(QUANTIFIER);
    if (match === null) return part;
    const [, sign, from, range, to] = match;
    if (sign !== undefined)
      return repeated(part, sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity);
    const minimum = Number(from);
    return repeated(
      part,
      minimum,
      range === undefined ? minimum : to === "" ? Infinity : Number(to),
    );
  };

  return { whole: readAlternatives(0), lookarounds };
}

function characterTest(atom: string): (code: number) => boolean {
  const pattern = new RegExp(`^${atom}$`, "u");
  const known: (boolean | undefined)[] = [];
  return (code) => {
    if (code > 127) return pattern.test(String.fromCodePoint(code));
    return (known[code] ??= pattern.test(String.fromCodePoint(code)));
  };
}
