import type { TextEdit } from "./text-edit.js";

export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  /** The edit whose new text contains the part, and the part's position in that text. */
  readonly in?: { readonly edit: TextEdit; readonly at: number };
}
