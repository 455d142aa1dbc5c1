import type { Table, Target } from "../core/section.js";
import { revisions } from "./size-contestants.js";
import type { Footprint } from "./size-footprint.js";

const MOST_INSTALLED = 400_000;
const LARGEST_OF_ONE = 16_000;
const LARGEST_OF_ALL = 45_000;

/** Of the stdio servers: what is installed, and what their bundles take. */
export function targetsOf(
  footprints: ReadonlyMap<string, readonly (Footprint | undefined)[]>,
  bundles: Table,
): Target[] {
  const pinned = revisions.flatMap((id) => footprints.get(id)?.[0] ?? []);
  const sizes = revisions
    .map((id) => ({ id, size: sizeOf(bundles, id) }))
    .toSorted((a, b) => a.size - b.size);
  const best = sizes[0]!;
  const worst = sizes.at(-1)!;
  return [
    {
      what: "Packages installed for a stdio server of one revision",
      value: Math.max(...pinned.map(({ packages }) => packages)),
      bound: "at most",
      limit: 2,
      unit: "count",
    },
    {
      what: "Bytes installed for a stdio server of one revision, the largest",
      value: Math.max(...pinned.map(({ bytes }) => bytes)),
      bound: "at most",
      limit: MOST_INSTALLED,
      unit: "B",
      isHeadline: true,
    },
    {
      what: `Bundle of a stdio server of one revision, gzip, the largest (${worst.id})`,
      value: worst.size,
      bound: "at most",
      limit: LARGEST_OF_ONE,
      unit: "B",
      isHeadline: true,
    },
    {
      what: `Bundle of a stdio server of one revision, gzip, the smallest (${best.id})`,
      value: best.size,
      bound: "at most",
      limit: LARGEST_OF_ONE,
      unit: "B",
    },
    {
      what: "Bundle of a stdio server of all revisions, gzip",
      value: sizeOf(bundles, "universal"),
      bound: "at most",
      limit: LARGEST_OF_ALL,
      unit: "B",
      isHeadline: true,
    },
  ];
}

function sizeOf({ rows, title }: Table, name: string): number {
  const cell = rows.find(({ contestant }) => contestant === name)?.cells[0];
  if (!cell) throw new Error(`${title} has no stdio server of ${name}`);
  return cell.median;
}
