/** Progress of the questions in one call of a handler. */
export interface Round {
  /**
   * True when the handler waits for answers that will come with another request, so that this call
   * is over.
   */
  readonly isSuspended: boolean;
  /** Answers to the questions in the handler's previous result, by name. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** State that the handler asked to get back. */
  readonly state: unknown;
}
