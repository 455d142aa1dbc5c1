/** The replacement of a part of a string. Offsets are counted from 0, and `end` is exclusive. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a string. The edits must not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
