/** Rate at which one sender may send requests of a method. */
export interface RateLimit {
  /** Requests per second, on average. */
  readonly perSecond: number;
  /** Requests at once, after a pause. Default: ten times `perSecond`. */
  readonly burst?: number | undefined;
  /**
   * True to count senders without a principal as well: each session by itself, and all stateless ones together.
   * Default: false.
   */
  readonly anonymous?: boolean | undefined;
}

/** Rate limits by method. */
export type RateLimits = Readonly<Record<string, RateLimit>>;

/** Limits where none are given: tool calls and completions, which cost most (MCP: tools and completion, security). */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  "tools/call": { perSecond: 100 },
  "completion/complete": { perSecond: 100 },
};
