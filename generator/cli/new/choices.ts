/** What must be known before a project can be written. */
export interface Choices {
  readonly name: string;
  readonly template: string;
  /** The one revision that it speaks; undefined for all. */
  readonly revision: string | undefined;
}
