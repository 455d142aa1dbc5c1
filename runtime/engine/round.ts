/** How far the questions of one call of a handler are. */
export interface Round {
  /** Whether the handler waits for answers that will come with another request, so that this call is over. */
  readonly isSuspended: boolean;
  /** To what the handler has asked by its result, by name. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What the handler wanted to get back. */
  readonly state: unknown;
}
