/** Remark on a piece of the text. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}
