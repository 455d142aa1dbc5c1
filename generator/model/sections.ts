import type { Comment } from "./comments.js";

const HEADING = /^\/\* ([A-Za-z][^\n*]{0,40}) \*\/$/;

/** Finds the section heading at an offset: the last `/* Tools *\/` on a line of its own. */
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
