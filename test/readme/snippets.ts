/** A fenced code block in a Markdown text. */
export interface Snippet {
  readonly language: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
  readonly text: string;
}

export function snippets(markdown: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const language = /^```(\w+)/.exec(lines[index]!)?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", index + 1);
    found.push({ language, line: index + 1, text: lines.slice(index + 1, end).join("\n") });
    index = end;
  }
  return found;
}
