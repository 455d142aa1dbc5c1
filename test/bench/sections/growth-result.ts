import type { SectionResult } from "../core/section.js";
import { grow, type Growing, type Grown, plotOf, type Shown, tableOf } from "./growth-grown.js";

/** What is promised of each of ours that is measured: at most 1.3 times as much. */
export interface Promised {
  readonly what: string;
  readonly of: readonly string[];
  /** The one that a reader of the README wants to know. */
  readonly headline?: string;
  value(grown: Grown, name: string): number;
}

const MOST = 1.3;

/** Measures the contestants at their sizes, and shows what came of it. */
export async function growthResult(
  contestants: readonly Growing[],
  rounds: number,
  shown: Shown,
  promised: Promised,
  notes: readonly string[],
): Promise<SectionResult> {
  const grown = await grow(contestants, rounds);
  const ours = promised.of.filter((name) => grown.has(name));
  return {
    tables: [tableOf(grown, shown)],
    targets: ours.map((name) => ({
      what: `${promised.what}, ${name}`,
      value: promised.value(grown, name),
      bound: "at most",
      limit: MOST,
      unit: "x",
      isHeadline: name === promised.headline,
    })),
    plots: [plotOf(grown, shown)],
    notes,
  };
}
