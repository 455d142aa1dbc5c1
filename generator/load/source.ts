/** A schema file that has been read but not parsed. */
export interface Source {
  /** The path or URL, as entered by the user. */
  readonly file: string;
  readonly text: string;
  /** The SHA-256 digest of the bytes, in hexadecimal. */
  readonly sha256: string;
}
