export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export interface StyledText {
  readonly style: Style;
  readonly text: string;
}

export type Line = readonly (string | StyledText)[];

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function paint(style: Style, text: string): StyledText {
  return { style, text };
}

export function renderLine(line: Line, color: boolean): string {
  return line.map((piece) => (typeof piece === "string" ? piece : render(piece, color))).join("");
}

function render({ style, text }: StyledText, color: boolean): string {
  const [on, off] = CODES[style];
  return color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
