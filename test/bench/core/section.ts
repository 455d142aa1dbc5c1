/** What was seen of one thing in all rounds. */
export interface Seen {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
}

/** Contestants down, cases across. */
export interface Table {
  readonly title: string;
  /** Of every cell. */
  readonly unit: Unit;
  readonly cases: readonly string[];
  readonly rows: readonly TableRow[];
  /** The row whose cells the others are ratios of. */
  readonly baseline?: string;
}

export interface TableRow {
  readonly contestant: string;
  /** In the order of the cases; undefined where a contestant has no such thing. */
  readonly cells: readonly (Seen | undefined)[];
}

export type Unit = "ns" | "µs" | "ms" | "s" | "B" | "KiB" | "MiB" | "per second" | "count" | "%";

/** One line of what the project promises. */
export interface Target {
  /** Such as "stdio, CPU per small call, 2025-11-25, against the limit". */
  readonly what: string;
  readonly value: number;
  readonly bound: "at most" | "at least";
  readonly limit: number;
  /** "x" is a ratio. */
  readonly unit: "x" | Unit;
  /** Says that it belongs into the README's table. */
  readonly isHeadline?: boolean;
}

export interface Axis {
  readonly label: string;
  readonly scale: "linear" | "log" | "category";
}

/** Bars: a panel for each series, with a bar for each of its points, which are contestants. Lines: one for each series. */
export interface Plot {
  /** Of the file, without an extension. */
  readonly name: string;
  readonly title: string;
  readonly kind: "bars" | "lines";
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number | string, y: number])[];
  }[];
}

export interface SectionResult {
  readonly tables: readonly Table[];
  readonly targets: readonly Target[];
  readonly plots: readonly Plot[];
  /** What a reader must know to trust the figures; a contestant that is left out, and why. */
  readonly notes: readonly string[];
}

/** The short form runs in continuous integration: all sections together stay under three minutes. */
export type Depth = "full" | "short";

export interface Section {
  /** What it is called on the command line. */
  readonly id: string;
  readonly title: string;
  /** What one figure is, and how it is measured: a paragraph. */
  readonly about: string;
  run(depth: Depth): Promise<SectionResult>;
}
