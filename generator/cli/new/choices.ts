/** Answers that a new project needs before it can be written. */
export interface Choices {
  readonly name: string;
  readonly template: string;
  /** The one revision that it speaks; undefined for all. */
  readonly revision: string | undefined;
  readonly isAuthorized: boolean;
}
