/** Limits of one connection. */
export interface Limits {
  /**
   * Maximum number of the peer's requests that are being handled; further ones are answered with -32603. Including
   * handlers of notifications and of cancelled requests, twice as many handlers may be running. Default: 4096.
   */
  readonly incoming: number;
  /**
   * Maximum number of requests sent by this side that wait for a response; further ones reject with an
   * `OverloadError`. Default: 4096.
   */
  readonly outgoing: number;
  /** Maximum number of messages in a batch; a longer batch is answered with a single error -32600. Default: 100. */
  readonly batch: number;
  /**
   * Maximum number of rounds of questions before the result of a client's request; after that the request rejects.
   * Default: 10.
   */
  readonly rounds: number;
  /**
   * Maximum number of subscriptions that a client may have open at once (MCP: `subscriptions/listen`). Clients that
   * share a connection also share this limit. Further ones are answered with -32603. Default: 100.
   */
  readonly subscriptions: number;
  /** Maximum number of open subscriptions of all clients of a server together. Default: 10 000. */
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
  /** Average number of requests per second. */
  readonly perSecond: number;
  /** Maximum number of requests that may arrive at once after a pause. Default: ten times `perSecond`. */
  readonly burst?: number | undefined;
  /**
   * True to count senders without a principal as well: each session separately, and all stateless
   * ones together. Default: false.
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
