export interface OutputFile {
  /** The path relative to the output folder, with `/` as the separator. */
  readonly path: string;
  readonly text: string;
}
