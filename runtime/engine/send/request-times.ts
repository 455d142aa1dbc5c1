import type { Timeouts } from "../../api/index.js";

/** {@link Timeouts} with nothing left open. */
export type RequestTimes = { readonly [Name in keyof Timeouts]-?: NonNullable<Timeouts[Name]> };

export const DEFAULT_TIMES: RequestTimes = {
  timeout: 60_000,
  resetTimeoutOnProgress: true,
  maxTotalTimeout: 600_000,
};

/** Fills in defaults; a time that is not a number counts as not given. */
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
