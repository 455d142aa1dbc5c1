import type { TextEdit } from "./text-edit.js";

/** Remark on a part of the text. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  /** Edit whose replacement text contains the part, and the position there. */
  readonly in?: { readonly edit: TextEdit; readonly at: number };
}
