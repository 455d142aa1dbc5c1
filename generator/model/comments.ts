import { ts } from "ts-morph";
import { MAX_NESTING } from "./limits.js";
import type { DocTag } from "./schema-model.js";

/** The offsets of a block comment, including its delimiters. */
export interface Comment {
  readonly start: number;
  readonly end: number;
}

export interface PositionedTag extends DocTag {
  readonly start: number;
  readonly end: number;
}

export interface Scan {
  readonly comments: readonly Comment[];
  readonly tooDeep?: Comment;
}

const OPENING = new Set([
  ts.SyntaxKind.OpenParenToken,
  ts.SyntaxKind.OpenBracketToken,
  ts.SyntaxKind.OpenBraceToken,
  ts.SyntaxKind.LessThanToken,
]);

const CLOSING = new Set([
  ts.SyntaxKind.CloseParenToken,
  ts.SyntaxKind.CloseBracketToken,
  ts.SyntaxKind.CloseBraceToken,
  ts.SyntaxKind.GreaterThanToken,
]);

const TRIVIA = new Set([
  ts.SyntaxKind.WhitespaceTrivia,
  ts.SyntaxKind.NewLineTrivia,
  ts.SyntaxKind.SingleLineCommentTrivia,
]);

/**
 * Scans the tokens without parsing them. Measures how deeply brackets are nested, because the parser calls itself for
 * each level and would overflow the stack on hostile input.
 */
export function scan(text: string): Scan {
  const scanner = ts.createScanner(
    ts.ScriptTarget.ES2022,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  const comments: Comment[] = [];
  let depth = 0;
  for (;;) {
    const token = scanner.scan();
    if (token === ts.SyntaxKind.EndOfFileToken) return { comments };
    if (TRIVIA.has(token)) continue;
    const range = { start: scanner.getTokenStart(), end: scanner.getTokenEnd() };
    if (token === ts.SyntaxKind.MultiLineCommentTrivia) comments.push(range);
    else if (OPENING.has(token)) depth++;
    else if (CLOSING.has(token)) depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return { comments, tooDeep: range };
  }
}

const HEADING = /^\/\* ([A-Za-z][^\n*]{0,40}) \*\/$/;

/**
 * Returns a function that finds the section heading that applies at an offset: the last comment before the offset, such
 * as `/* Tools *\/`, that is on its own lines.
 */
export function sectionFinder(
  text: string,
  comments: readonly Comment[],
): (offset: number) => string | undefined {
  const headings = comments.flatMap(({ start, end }) => {
    const title = HEADING.exec(text.slice(start, end))?.[1];
    return title !== undefined && isOnOwnLines(text, start, end)
      ? [{ start, title: title.trim() }]
      : [];
  });
  return (offset) => headings.findLast(({ start }) => start < offset)?.title;
}

function isOnOwnLines(text: string, start: number, end: number): boolean {
  return (
    /^$|[\n\r]/.test(text.slice(Math.max(0, start - 1), start)) &&
    /^$|[\n\r]/.test(text.slice(end, end + 1))
  );
}
