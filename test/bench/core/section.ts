import { type Rounds, valuesOf } from "./rounds.js";

export type Unit = "ns" | "µs" | "ms" | "x" | "kB" | "KiB" | "MB" | "count";

/** Contestants down, cases across. */
export interface Table {
  /** Name that goals and headlines refer to. */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly cases: readonly string[];
  readonly rows: readonly Row[];
  /** Contestant that the others are shown as multiples of. */
  readonly baseline?: string;
}

export interface Row {
  readonly contestant: string;
  /** Values of the rounds, by case; undefined if the contestant has no such case. */
  readonly cells: readonly Cell[];
}

export type Cell = readonly number[] | undefined;

export interface SectionResult {
  readonly tables: readonly Table[];
  /** Sentences that a reader needs in order to trust the figures. */
  readonly notes: readonly string[];
}

/** Time and rounds that a section may spend. */
export interface Effort {
  readonly rounds: number;
  /**
   * Milliseconds of a warm-up, and its minimum number of requests; it ends after four times as
   * long.
   */
  readonly warmUp: number;
  readonly warmUpRequests: number;
  /** Milliseconds of a measurement. */
  readonly measured: number;
  /** True for the smoke run: every program starts and answers, no figure means anything. */
  readonly isSmoke: boolean;
}

export interface Section {
  /** Name on the command line. */
  readonly id: string;
  readonly title: string;
  /** Paragraph that defines the figures. */
  readonly about: string;
  run(effort: Effort): Promise<SectionResult>;
}

/** Table of one figure, from the rounds of each case. */
export function tableOf(
  head: Omit<Table, "cases" | "rows">,
  cases: ReadonlyMap<string, Rounds>,
  figure: string,
): Table {
  const names = new Set([...cases.values()].flatMap((rounds) => [...rounds.keys()]));
  const rows = [...names].map((contestant) => ({
    contestant,
    cells: [...cases.values()].map((rounds) => valuesOf(rounds, contestant, figure)),
  }));
  return { ...head, cases: [...cases.keys()], rows };
}

/** @throws Error if the table has no such case or contestant */
export function cellOf({ id, cases, rows }: Table, name: string, contestant: string): Cell {
  const column = cases.indexOf(name);
  const row = rows.find((one) => one.contestant === contestant);
  if (column < 0 || !row) throw new Error(`Table ${id} has no ${name} of ${contestant}`);
  return row.cells[column];
}
