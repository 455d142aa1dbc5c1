/** A schema file, read and verified, not yet understood. */
export interface Source {
  /** Path or URL as the user gave it. */
  readonly file: string;
  readonly text: string;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
}
