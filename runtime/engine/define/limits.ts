import type { RateLimits, Timeouts } from "../../api/index.js";
import { RateGate } from "../../ground/index.js";
import type { RequestContext } from "../receive/request-context.js";

/** Maximum number of senders that are tracked per method. */
const MOST_SENDERS = 10_000;

/**
 * Counts the requests of each sender, over all connections of a server. Returns the rate that a request exceeds, in
 * requests per second, if any.
 */
export function rateLimiter(limits: RateLimits): (context: RequestContext) => number | undefined {
  const gatesOf = new Map<string, Map<unknown, RateGate>>();
  return (context) => {
    const { method } = context;
    const limit = Object.hasOwn(limits, method) ? limits[method] : undefined;
    if (limit === undefined) return undefined;
    const { auth } = context;
    if (auth === undefined && !limit.anonymous) return undefined;
    const { perSecond, burst = 10 * perSecond } = limit;
    let gates = gatesOf.get(method);
    if (gates === undefined) gatesOf.set(method, (gates = new Map<unknown, RateGate>()));
    const sender: unknown = auth?.principal ?? context.reply.connection;
    let gate = gates.get(sender);
    if (gate === undefined) {
      if (gates.size >= MOST_SENDERS) gates.delete(gates.keys().next().value);
      gates.set(sender, (gate = new RateGate(burst, perSecond)));
    }
    return gate.pass() ? undefined : perSecond;
  };
}

/** {@link Timeouts} with all members set. */
export type RequestTimes = { readonly [Name in keyof Timeouts]-?: NonNullable<Timeouts[Name]> };

export const DEFAULT_TIMES: RequestTimes = {
  timeout: 60_000,
  resetTimeoutOnProgress: true,
  maxTotalTimeout: 600_000,
};

/** Applies the defaults; a time that is not a number counts as absent. */
export function timesOf(given: Timeouts, defaults: RequestTimes): RequestTimes {
  const { timeout, resetTimeoutOnProgress, maxTotalTimeout } = given;
  if (
    timeout === undefined &&
    maxTotalTimeout === undefined &&
    resetTimeoutOnProgress === undefined
  ) {
    return defaults;
  }
  return {
    timeout: time(timeout) ?? defaults.timeout,
    resetTimeoutOnProgress: resetTimeoutOnProgress ?? defaults.resetTimeoutOnProgress,
    maxTotalTimeout: time(maxTotalTimeout) ?? defaults.maxTotalTimeout,
  };
}

function time(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : Math.max(0, value);
}
