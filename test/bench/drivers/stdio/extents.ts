import type { Depth } from "../../core/section.js";
import type { Extent } from "./pipeline.js";

/** How long a contestant is warmed up and measured; a number is a time in milliseconds. */
export interface Extents {
  readonly warmUp: Extent | number;
  readonly measured: number;
}

/** Slow contestants get more time to warm up, so that their code is compiled as well. */
export const extents: Record<Depth, Extents> = {
  full: { warmUp: { time: 700, requests: 10_000, longest: 2500 }, measured: 700 },
  short: { warmUp: { time: 250, requests: 3000, longest: 750 }, measured: 350 },
};

export function extentOf(given: Extent | number): Extent {
  return typeof given === "number" ? { time: given, requests: 0, longest: given } : given;
}
