/** A line of the report. */
export interface Row {
  readonly cells: readonly string[];
  readonly failures: readonly string[];
}

export interface Part {
  readonly title: string;
  /** The paragraph above the table. */
  readonly about: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}
