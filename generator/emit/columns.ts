/** Pads cells so that columns line up; a row's last cell, and empty ones at its end, get no padding. */
export function alignColumns(rows: readonly (readonly string[])[], gap = " "): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(gap)
      .trimEnd(),
  );
}
