import type { RateLimits, Timeouts } from "../../api/index.js";
import { RateGate } from "../../ground/index.js";
import type { RequestContext } from "../receive/request-context.js";

/** Maximum number of senders that are tracked per method. */
const MOST_SENDERS = 10_000;

/** Request rates of each sender, over all connections of a server. */
export class RequestRates {
  readonly #limits: RateLimits;
  readonly #gates = new Map<string, Map<unknown, RateGate>>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Rate that a request exceeds, in requests per second. */
  exceededBy(context: RequestContext): number | undefined {
    const { method, auth } = context;
    const limit = Object.hasOwn(this.#limits, method) ? this.#limits[method] : undefined;
    if (limit === undefined || (auth === undefined && !limit.anonymous)) return undefined;
    const { perSecond, burst = 10 * perSecond } = limit;
    let gates = this.#gates.get(method);
    if (gates === undefined) this.#gates.set(method, (gates = new Map<unknown, RateGate>()));
    const sender: unknown = auth?.principal ?? context.reply.connection;
    let gate = gates.get(sender);
    if (gate === undefined) {
      if (gates.size >= MOST_SENDERS) gates.delete(gates.keys().next().value);
      gates.set(sender, (gate = new RateGate(burst, perSecond)));
    }
    return gate.pass() ? undefined : perSecond;
  }
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
