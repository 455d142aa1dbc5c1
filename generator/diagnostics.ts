/** A place in a schema file. Lines and columns count from 1, offsets from 0. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** One thing wrong with the input, located and explained. */
export interface Diagnostic {
  /**
   * Stable code, `MCG` and four digits: 0xxx command line, 1xxx load, 2xxx model, 3xxx link, 4xxx evolve,
   * 5xxx plan, 6xxx output, 7xxx network, 8xxx migrate,
   * 9xxx contracts (91xx: servers that could not be read).
   */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Problem, in one sentence. */
  readonly message: string;
  /** Remedy, in one sentence. */
  readonly hint?: string;
  /** Lines of a schema that the hint is about, as they would do. */
  readonly example?: string;
  /** Path of the file as the user gave it. */
  readonly file?: string;
  /** Absent when the problem is a whole file's. */
  readonly span?: Span;
}

/** Collects what the stages refuse; every stage goes on as far as it can, so that all problems are seen at once. */
export class Diagnostics {
  readonly items: Diagnostic[] = [];

  add(diagnostic: Diagnostic): void {
    this.items.push(diagnostic);
  }

  get hasErrors(): boolean {
    return this.items.some((item) => item.severity === "error");
  }
}
