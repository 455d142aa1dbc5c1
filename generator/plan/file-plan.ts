/** One file of the output, before or after formatting. */
export interface OutputFile {
  /** Relative to the output folder, `/` as separator. */
  readonly path: string;
  readonly text: string;
}
