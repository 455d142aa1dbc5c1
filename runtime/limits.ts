/** What one connection may cost. */
export interface Limits {
  /**
   * Requests of the peer that are being handled; more are answered -32603. As many handlers may still be running for
   * notifications and for requests that were cancelled. Default: 4096.
   */
  readonly incoming: number;
  /** Own requests that wait for an answer; more reject with an `OverloadError`. Default: 4096. */
  readonly outgoing: number;
  /** Messages in a batch; a longer one is answered -32600 as a whole. Default: 100. */
  readonly batch: number;
  /** How long handlers may go on when the peer has sent its last, in milliseconds. Default: 2000. */
  readonly drain: number;
}

export const DEFAULT_LIMITS: Limits = { incoming: 4096, outgoing: 4096, batch: 100, drain: 2000 };

export function limitsOf(given: Partial<Limits> = {}): Limits {
  const { incoming, outgoing, batch, drain } = DEFAULT_LIMITS;
  return {
    incoming: given.incoming ?? incoming,
    outgoing: given.outgoing ?? outgoing,
    batch: given.batch ?? batch,
    drain: given.drain ?? drain,
  };
}
