/** Limits of one connection. */
export interface Limits {
  /**
   * Requests of the peer that are being handled; further ones are answered with -32603. Together with handlers of
   * notifications and of cancelled requests, twice as many may be running. Default: 4096.
   */
  readonly incoming: number;
  /**
   * Own requests that wait for a response; further ones reject with an `OverloadError`. Default:
   * 4096.
   */
  readonly outgoing: number;
  /** Messages in a batch; a longer batch is answered with -32600 as a whole. Default: 100. */
  readonly batch: number;
  /** Rounds of questions that a request of a client may take until its result; then it rejects. Default: 10. */
  readonly rounds: number;
  /**
   * Subscriptions that a client may have open at once (MCP: `subscriptions/listen`); a connection
   * that many clients share has its own limit. Further ones are answered with -32603. Default: 100.
   */
  readonly subscriptions: number;
  /** Open subscriptions of all clients of a server together. Default: 10 000. */
  readonly allSubscriptions: number;
  /**
   * Time that handlers may continue after the peer has sent its last message, in milliseconds.
   * Default: 2000.
   */
  readonly drain: number;
}

export const DEFAULT_LIMITS: Limits = {
  incoming: 4096,
  outgoing: 4096,
  batch: 100,
  rounds: 10,
  subscriptions: 100,
  allSubscriptions: 10_000,
  drain: 2000,
};

export function limitsOf(given: Partial<Limits> = {}): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(limits) as (keyof Limits)[])
    limits[name] = given[name] ?? limits[name];
  return limits;
}

/** Rate at which one sender may send requests of a method. */
export interface RateLimit {
  /** Requests per second, on average. */
  readonly perSecond: number;
  /** Requests that may arrive at once after a pause. Default: ten times `perSecond`. */
  readonly burst?: number | undefined;
  /**
   * True to count senders without a principal as well: each session separately, and all stateless
   * ones together. Default: false.
   */
  readonly anonymous?: boolean | undefined;
}

/** Rate limits by method. */
export type RateLimits = Readonly<Record<string, RateLimit>>;

/**
 * Default rate limits: for tool calls and completions, which are the most expensive requests (MCP:
 * tools and completion, security).
 */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  "tools/call": { perSecond: 100 },
  "completion/complete": { perSecond: 100 },
};
