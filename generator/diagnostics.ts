/** A place in a schema file. Lines and columns count from 1, offsets from 0. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** One problem of the input, with its place and explanation. */
export interface Diagnostic {
  /**
   * Stable code, `MCG` and four digits: 0xxx command line, 1xxx load, 2xxx model, 3xxx link, 4xxx evolve,
   * 5xxx plan, 6xxx output, 7xxx network, 8xxx migrate,
   * 9xxx contracts (91xx: servers that could not be read).
   */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Description of the problem, in one sentence. */
  readonly message: string;
  /** Advice on how to solve the problem, in one sentence. */
  readonly hint?: string;
  /** Lines of a schema, or command lines, that would solve the problem. */
  readonly example?: string;
  /** Path of the file as entered by the user. */
  readonly file?: string;
  /** Absent if the problem concerns the whole file. */
  readonly span?: Span;
}

/**
 * Collects the problems that the stages find. After an error, every stage continues if it can, so that all
 * problems are reported at once.
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
