export interface OutputFile {
  /** Path relative to the output folder, with `/` as the separator. */
  readonly path: string;
  readonly text: string;
}
