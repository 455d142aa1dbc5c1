import { interleave } from "../core/rounds.js";
import type { Plot, Seen, Table, Unit } from "../core/section.js";

/** What is measured at several sizes. */
export interface Growing {
  readonly name: string;
  readonly sizes: readonly number[];
  /** One round, in a process of its own. */
  measure(size: number): Promise<number>;
}

/** By contestant and size. */
export type Grown = ReadonlyMap<string, ReadonlyMap<number, Seen>>;

/** In milliseconds, for each process. */
export interface Times {
  readonly warmUp: number;
  readonly measured: number;
}

function keyOf(name: string, size: number): string {
  return `${name} at ${size}`;
}

export async function grow(contestants: readonly Growing[], rounds: number): Promise<Grown> {
  const each = contestants.flatMap((contestant) =>
    contestant.sizes.map((size) => ({
      name: keyOf(contestant.name, size),
      measure: async () => ({ cost: await measured(contestant, size) }),
    })),
  );
  const seen = await interleave(each, rounds);
  return new Map(
    contestants.map(({ name, sizes }) => [
      name,
      new Map(sizes.map((size) => [size, seen.get(keyOf(name, size))!.cost])),
    ]),
  );
}

async function measured({ name, measure }: Growing, size: number): Promise<number> {
  try {
    return await measure(size);
  } catch (cause) {
    throw new Error(`${name} at ${size}: ${(cause as Error).message}`, { cause });
  }
}

export interface Shown {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly sizes: readonly number[];
  /** What a size is a number of. */
  readonly of: string;
}

export function tableOf(grown: Grown, { title, unit, sizes, of }: Shown): Table {
  const rows = [...grown].map(([contestant, seen]) => ({
    contestant,
    cells: sizes.map((size) => seen.get(size)),
  }));
  const cases = sizes.map((size) => `${size.toLocaleString("en-US")} ${of}`);
  return { title, unit, cases, rows, baseline: "limit" };
}

export function plotOf(grown: Grown, { name, title, unit, of }: Shown): Plot {
  const series = [...grown].map(([contestant, seen]) => ({
    name: contestant,
    points: [...seen].map(([size, { median }]) => [size, median] as const),
  }));
  return {
    name,
    title,
    kind: "lines",
    x: { label: of, scale: "log" },
    y: { label: unit, scale: "log" },
    series,
  };
}

/** How many times as much the larger size costs. */
export function ratioOf(grown: Grown, name: string, larger: number, smaller: number): number {
  const seen = grown.get(name)!;
  return seen.get(larger)!.median / seen.get(smaller)!.median;
}
