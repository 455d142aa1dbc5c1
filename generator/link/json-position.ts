import type { Span } from "../diagnostics.js";

export type JsonPath = readonly (string | number)[];

/**
 * Returns the position of a value in a JSON document. If the value does not exist, returns the position of the
 * innermost existing value on its path. The document must be valid JSON.
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

function endOf(text: string, at: number): number {
  let depth = 0;
  for (let position = at; position < text.length; position += 1) {
    const character = text[position]!;
    if (character === '"') position = endOfString(text, position) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (depth > 0) continue;
    else {
      while (/[^\s,\]}[{]/.test(text[position] ?? " ")) position += 1;
      return position;
    }
    if (depth === 0) return position + 1;
  }
  return text.length;
}

function endOfString(text: string, at: number): number {
  let position = at + 1;
  while (position < text.length && text[position] !== '"') {
    position += text[position] === "\\" ? 2 : 1;
  }
  return position + 1;
}

function skipSpace(text: string, at: number): number {
  let position = at;
  while (/\s/.test(text[position] ?? "")) position += 1;
  return position;
}
