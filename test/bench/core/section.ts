import { type Rounds, valuesOf } from "./rounds.js";

export type Unit = "ns" | "µs" | "ms" | "x" | "kB" | "KiB" | "MB" | "count";

/** A table with a row per contestant and a column per case. */
export interface Table {
  /** The name that goals and headlines refer to. */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly cases: readonly string[];
  readonly rows: readonly Row[];
  /** The contestant whose multiples the other contestants' values are shown as. */
  readonly baseline?: string;
}

export interface Row {
  readonly contestant: string;
  /** The values of the rounds, by case; undefined if the contestant does not have that case. */
  readonly cells: readonly Cell[];
}

export type Cell = readonly number[] | undefined;

export interface SectionResult {
  readonly tables: readonly Table[];
  /** Sentences that a reader needs in order to trust the figures. */
  readonly notes: readonly string[];
}

/** The time and the rounds that a section may spend. */
export interface Effort {
  readonly rounds: number;
  /**
   * The length of a warm-up in milliseconds, and its minimum number of requests. The warm-up ends after four times that
   * length at the latest.
   */
  readonly warmUp: number;
  readonly warmUpRequests: number;
  /** The length of a measurement, in milliseconds. */
  readonly measured: number;
  /** True for the smoke run, in which every program starts and answers but no figure means anything. */
  readonly isSmoke: boolean;
}

export interface Section {
  /** The name on the command line. */
  readonly id: string;
  readonly title: string;
  /** The paragraph that defines the figures. */
  readonly about: string;
  run(effort: Effort): Promise<SectionResult>;
}

/** Creates the table of one figure from the rounds of each case. */
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

/**
 * Returns the cell of a case and a contestant.
 *
 * @throws Error if the table has no such case or contestant
 */
export function cellOf({ id, cases, rows }: Table, name: string, contestant: string): Cell {
  const column = cases.indexOf(name);
  const row = rows.find((one) => one.contestant === contestant);
  if (column < 0 || !row) throw new Error(`Table ${id} has no ${name} of ${contestant}`);
  return row.cells[column];
}
