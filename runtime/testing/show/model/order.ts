import type { Filter } from "./filter.js";
import { beginsGroup, groupOf, type Row } from "./row.js";

/** Returns the rows to show, in order. A group's rows are shown together, at the first one's position. */
export function orderOf(
  rows: readonly Row[],
  filter: Filter,
  folded: ReadonlySet<Row>,
): readonly Row[] {
  const shown: Row[] = [];
  for (const row of rows) {
    if (groupOf(row) !== undefined) continue;
    const children = beginsGroup(row) ? row.children : [];
    const matching = filter.isEmpty ? children : children.filter(filter.matches);
    if (!filter.isEmpty && matching.length === 0 && !filter.matches(row)) continue;
    shown.push(row);
    if (!folded.has(row)) shown.push(...matching);
  }
  return shown;
}

export function verdictOf(
  row: Row,
  withChildren: boolean,
): { readonly errors: number; readonly warnings: number } {
  const rows = withChildren ? [row, ...row.children] : [row];
  let errors = 0;
  let warnings = 0;
  for (const { findings } of rows) {
    const own = findings.filter(({ severity }) => severity === "error").length;
    errors += own;
    warnings += findings.length - own;
  }
  return { errors, warnings };
}

/**
 * Distributes request durations over the tracks of a picture so that they do not overlap. If there are too few tracks,
 * the last one is shared.
 */
export function tracksOf(rows: readonly Row[], most: number): ReadonlyMap<Row, number> {
  const ends: number[] = [];
  const tracks = new Map<Row, number>();
  for (const row of rows) {
    if (row.kind !== "request") continue;
    const { t } = row.line;
    const free = ends.findIndex((end) => end <= t);
    const track = free >= 0 ? free : Math.min(ends.length, most - 1);
    ends[track] = Math.max(ends[track] ?? 0, t + (row.duration ?? 0));
    tracks.set(row, track);
  }
  return tracks;
}
