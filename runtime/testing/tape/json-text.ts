import { below } from "./json-value.js";

type Path = readonly (string | number)[];

/** A function that returns the replacement for a scalar, or undefined to keep the scalar. */
type Visit = (path: Path, literal: string) => string | undefined;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const LITERAL = /[^\s,\]}]+/y;

/**
 * Replaces scalars in valid JSON text and keeps every other character. `JSON.parse` is not used because it would round
 * numbers.
 */
export function replaceScalars(text: string, visit: Visit): string {
  const parts: string[] = [];
  let written = 0;
  walk(text, (path, start, end, isScalar) => {
    if (!isScalar) return;
    const replacement = visit(path, text.slice(start, end));
    if (replacement === undefined) return;
    parts.push(text.slice(written, start), replacement);
    written = end;
  });
  return written === 0 ? text : parts.join("") + text.slice(written);
}

export function textAt(text: string, path: Path): string | undefined {
  const wanted = pointerOf(path);
  let found: string | undefined;
  walk(text, (at, start, end) => {
    if (at.length === path.length && pointerOf(at) === wanted) found = text.slice(start, end);
  });
  return found;
}

export function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
}

export function pointerOf(path: Path): string {
  return path.reduce<string>(below, "");
}

/** Visits the values in JSON text, inner ones first. Does not use recursion, because a message may be deeply nested. */
function walk(
  text: string,
  visit: (path: Path, start: number, end: number, isScalar: boolean) => void,
): void {
  const path: (string | number)[] = [];
  const starts: number[] = [];
  let at = 0;
  const space = (): void => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) throw new SyntaxError(`Not JSON at character ${at}`);
    at += found.length;
    return found;
  };
  const name = (): void => {
    space();
    path.push(JSON.parse(match(STRING)) as string);
    space();
    at++;
  };
  const enter = (): boolean => {
    const isArray = text[at] === "[";
    starts.push(at++);
    space();
    if (text[at] === "]" || text[at] === "}") return false;
    if (isArray) path.push(0);
    else name();
    return true;
  };
  for (;;) {
    space();
    const start = at;
    const first = text[at];
    if ((first === "{" || first === "[") && enter()) continue;
    if (first === "{" || first === "[") {
      at++;
      visit(path, starts.pop()!, at, false);
    } else {
      match(first === '"' ? STRING : LITERAL);
      visit(path, start, at, true);
    }
    // Visits all arrays and objects that end here.
    for (;;) {
      if (starts.length === 0) return;
      space();
      const next = text[at++];
      const last = path.pop();
      if (next === ",") {
        if (typeof last === "number") path.push(last + 1);
        else name();
        break;
      }
      if (next !== "]" && next !== "}") throw new SyntaxError(`Not JSON at character ${at - 1}`);
      visit(path, starts.pop()!, at, false);
    }
  }
}
