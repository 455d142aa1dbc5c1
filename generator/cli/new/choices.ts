/** What must be known before a project can be written. */
export interface Choices {
  readonly name: string;
  readonly template: string;
  readonly revision: string;
}
