import type { RateLimits, Timeouts } from "../../api/index.js";
import { type RateGate, rateGate } from "../../ground/index.js";
import type { RequestContext } from "../receive/request-context.js";

/** The maximum number of authenticated senders tracked per method. */
const MOST_SENDERS = 10_000;

export interface RequestRate {
  readonly perSecond: number;
  readonly anonymous: boolean;
  admits(context: RequestContext): boolean;
}

export function requestRates(limits: RateLimits): ReadonlyMap<string, RequestRate> {
  return new Map(
    Object.entries(limits).flatMap(([method, limit]) => {
      if (limit === undefined) return [];
      const { perSecond, burst = 10 * perSecond, anonymous = false } = limit;
      const byPrincipal = new Map<string, RateGate>();
      const byConnection = new WeakMap<object, RateGate>();
      const admits = ({ auth, reply }: RequestContext): boolean => {
        const principal = auth?.principal;
        let gate =
          principal === undefined ? byConnection.get(reply.connection) : byPrincipal.get(principal);
        if (gate === undefined) {
          gate = rateGate(burst, perSecond);
          if (principal === undefined) byConnection.set(reply.connection, gate);
          else {
            if (byPrincipal.size >= MOST_SENDERS)
              byPrincipal.delete(byPrincipal.keys().next().value!);
            byPrincipal.set(principal, gate);
          }
        }
        return gate();
      };
      return [[method, { perSecond, anonymous, admits }] as const];
    }),
  );
}

export type RequestTimes = { readonly [Name in keyof Timeouts]-?: NonNullable<Timeouts[Name]> };

export const DEFAULT_TIMES: RequestTimes = {
  timeout: 60_000,
  resetTimeoutOnProgress: true,
  maxTotalTimeout: 600_000,
};

/** Applies the defaults. A time that is not a number is treated as absent. */
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
