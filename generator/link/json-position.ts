import type { Span } from "../diagnostics.js";

/** Steps into a JSON document: member names and array positions. */
export type JsonPath = readonly (string | number)[];

/**
 * Finds the span of a value in a JSON text, or of its innermost ancestor that exists. The text must
 * be valid JSON.
 */
export function locate(text: string, path: JsonPath): Span {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const next = stepInto(text, at, step);
    if (next === undefined) break;
    at = next;
  }
  const before = text.slice(0, at);
  return {
    line: before.split("\n").length,
    column: at - before.lastIndexOf("\n"),
    start: at,
    end: endOf(text, at),
  };
}

function stepInto(text: string, at: number, step: string | number): number | undefined {
  const open = text[at];
  if (open !== "{" && open !== "[") return undefined;
  let position = skipSpace(text, at + 1);
  for (let index = 0; text[position] !== "}" && text[position] !== "]"; index += 1) {
    let key: string | number = index;
    if (open === "{") {
      const end = endOf(text, position);
      key = JSON.parse(text.slice(position, end)) as string;
      position = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (key === step) return position;
    position = skipSpace(text, endOf(text, position));
    if (text[position] === ",") position = skipSpace(text, position + 1);
  }
  return undefined;
}

/** The offset behind the value that begins at `at`. */
function endOf(text: string, at: number): number {
  const rest = text.slice(at);
  const scalar = /^(?:"(?:[^"\\]|\\.)*"|[^\s,\]}[{]+)/.exec(rest);
  if (scalar) return at + scalar[0].length;
  let depth = 0;
  for (const token of rest.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token[0] === "{" || token[0] === "[") depth += 1;
    if (token[0] === "}" || token[0] === "]") depth -= 1;
    if (depth === 0) return at + token.index + token[0].length;
  }
  return text.length;
}

function skipSpace(text: string, at: number): number {
  let position = at;
  while (/\s/.test(text[position] ?? "")) position += 1;
  return position;
}
