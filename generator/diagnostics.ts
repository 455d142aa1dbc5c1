/** A place in a schema file. Lines and columns count from 1, offsets from 0. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** A problem to report, such as a mistake in a schema or on the command line. */
export interface Diagnostic {
  /**
   * The stable code: `MCG` and four digits. 0xxx command line, 1xxx load, 2xxx model, 3xxx link, 4xxx evolve, 5xxx
   * plan, 6xxx output, 7xxx network, 8xxx migrate, 9xxx contracts (91xx: servers that could not be read).
   */
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Advice on solving the problem. */
  readonly hint?: string;
  /** Schema lines or command lines that would solve the problem. */
  readonly example?: string;
  /** The path or URL of the file that has the problem. */
  readonly file?: string;
  /** The place in the file; absent if the problem concerns the whole file or no file at all. */
  readonly span?: Span;
}

/**
 * Collects the problems that the stages find. After an error, a stage continues if it can, so that all problems are
 * reported at once.
 */
export class Diagnostics {
  readonly items: Diagnostic[] = [];

  add(diagnostic: Diagnostic): void {
    this.items.push(diagnostic);
  }

  get hasErrors(): boolean {
    return this.items.some((item) => item.severity === "error");
  }
}
