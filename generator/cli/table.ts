/** Rows of cells as aligned lines, two spaces between columns, none at the end. */
export function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Terms and their explanations in two columns, explanations wrapped to the width and indented. */
export function wrapColumns(
  rows: readonly (readonly [term: string, explanation: string])[],
  width: number,
): readonly string[] {
  const indent = 4 + Math.max(...rows.map(([term]) => term.length));
  return rows.flatMap(([term, explanation]) =>
    wrapWords(explanation, Math.max(20, width - indent)).map((line, index) =>
      `${index === 0 ? `  ${term}`.padEnd(indent) : " ".repeat(indent)}${line}`.trimEnd(),
    ),
  );
}

function wrapWords(text: string, width: number): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
