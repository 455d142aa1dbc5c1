/** Limits that apply to one connection. */
export interface Limits {
  /**
   * The maximum number of the peer's requests that may be in progress; further ones are answered with -32603. Counting
   * handlers of notifications and of cancelled requests, up to twice as many handlers may be running. Default: 4096.
   */
  readonly incoming: number;
  /**
   * The maximum number of requests from this side that may be waiting for a response; further ones reject with an
   * `OverloadError`. Default: 4096.
   */
  readonly outgoing: number;
  /** The maximum number of messages in a batch. A longer batch is answered with a single -32600 error. Default: 100. */
  readonly batch: number;
  /**
   * The maximum number of question rounds before a client's request gets its result; after that, the request rejects.
   * Default: 10.
   */
  readonly rounds: number;
  /**
   * The maximum number of subscriptions that a client may have open at once (MCP: `subscriptions/listen`). Clients that
   * share a connection also share this limit. Further ones are answered with -32603. Default: 100.
   */
  readonly subscriptions: number;
  /** The maximum number of open subscriptions across all of a server's clients. Default: 10,000. */
  readonly allSubscriptions: number;
  /**
   * The time that handlers may keep running after the peer has sent its last message, in milliseconds. Default: 2000.
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

/** The rate at which one sender may send requests for a method. */
export interface RateLimit {
  /** The average number of requests per second. */
  readonly perSecond: number;
  /** The maximum number of requests that may arrive at once after a pause. Default: ten times `perSecond`. */
  readonly burst?: number | undefined;
  /**
   * True to also count senders without a principal: each session separately, and all stateless senders together.
   * Default: false.
   */
  readonly anonymous?: boolean | undefined;
}

/** Rate limits by method. */
export type RateLimits = Readonly<Record<string, RateLimit>>;

/** Default rate limits, which apply to tool calls and completions (MCP: tools and completion, security). */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  "tools/call": { perSecond: 100 },
  "completion/complete": { perSecond: 100 },
};
