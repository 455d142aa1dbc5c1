import { expect, it } from "vitest";
import { linearMatcher, PatternError } from "../../runtime/json-schema/linear-pattern.js";
import { Random } from "../support/random.js";

const noLimit = (): void => {};

function stop(): never {
  throw new Error("enough");
}

const ATOMS =
  "a b c - . [ab] [^a] [\\]a] [\\d-] \\w \\d \\s \\S \\n 😀 \\u{1F600} \\ud83d\\ude00 \\ud83d \\p{L} \\P{L} \\x61 \\u0062".split(
    " ",
  );

const QUANTIFIERS = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{1,}", "*?", "+?", "{0}"];

function patternOf(random: Random, depth: number): string {
  const terms = Array.from({ length: 1 + random.below(4) }, () => termOf(random, depth));
  return random.below(5) === 0 ? `${terms.join("")}|${patternOf(random, depth)}` : terms.join("");
}

function termOf(random: Random, depth: number): string {
  const kind = random.below(12);
  if (kind === 0) return random.pick(["^", "$", "\\b", "\\B"]);
  if (kind === 1 && depth > 0) {
    return `${random.pick(["(?=", "(?!", "(?<=", "(?<!"])}${patternOf(random, depth - 1)})`;
  }
  const isGroup = kind <= 4 && depth > 0;
  const atom = isGroup
    ? `${random.pick(["(", "(?:"])}${patternOf(random, depth - 1)})`
    : random.pick(ATOMS);
  return atom + random.pick(QUANTIFIERS);
}

/** Returns true for a match at any character. Only V8 also looks for empty matches inside surrogate pairs. */
function isMatchedBy(source: string, text: string): boolean {
  const native = new RegExp(source, "uy");
  for (let at = 0; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    native.lastIndex = at;
    if (native.test(text)) return true;
  }
  return false;
}

it("a linear matcher agrees with RegExp about random patterns and strings", () => {
  const random = new Random("linear");
  const units = ["a", "b", "c", "\n", " ", "1", "😀", "\ud83d", "-", "_", "é", "]"];
  let matched = 0;
  for (let round = 0; round < 1500; round++) {
    const source = patternOf(random, 3);
    let matches;
    try {
      matches = linearMatcher(source);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      continue;
    }
    for (let turn = 0; turn < 5; turn++) {
      const text = Array.from({ length: random.below(8) }, () => random.pick(units)).join("");
      const expected = isMatchedBy(source, text);
      if (expected) matched += 1;
      expect(matches(text, noLimit), JSON.stringify([source, text])).toBe(expected);
    }
  }
  expect(matched).toBeGreaterThan(1500);
});

it("a linear matcher takes steps in proportion to the string", () => {
  for (const source of [
    "^(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "^(?=(a+)+$)(?!(a|aa)+c).*b",
    "(a?){50}a{50}b",
  ]) {
    const matches = linearMatcher(source);
    const [few, many] = [1000, 10_000].map((length) => {
      let spent = 0;
      matches("a".repeat(length), (steps) => (spent += steps));
      return spent;
    });
    expect(many! / few!).toBeLessThan(11);
  }
});

it("a linear matcher ends if its caller throws", () => {
  expect(() => linearMatcher("a*b")("aaaa", stop)).toThrow("enough");
});

it.each(["(?i:a|A)*b", "(a)\\1", "(?<n>a)\\k<n>"])("%s has no linear matcher", (source) => {
  expect(() => linearMatcher(source)).toThrow(PatternError);
});
