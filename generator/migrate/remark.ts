import type { TextEdit } from "./text-edit.js";

/** Remark on a piece of the text. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  /** Place in the replacement text of an edit that contains the piece. */
  readonly in?: { readonly edit: TextEdit; readonly at: number };
}
