import { REQUESTS_OWN_IO } from "./platforms.js";

const BURST = 100;
const PER_SECOND = 100;

const INTERVAL = 1000 / PER_SECOND;

/** Returns true and counts the call if the call is within the rate limit. */
export type RateGate = () => boolean;

export function rateGate(burst: number = BURST, perSecond: number = PER_SECOND): RateGate {
  let tokens = burst;
  let refilled = performance.now();
  return () => {
    if (tokens < 1) {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - refilled) / 1000) * perSecond);
      refilled = now;
    }
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export interface Throttle<Value> {
  offer(value: Value): void;
  flush(): void;
  drop(): void;
}

/**
 * Passes values on. Above the rate limit, only the newest value is held back, and it is passed on after an interval.
 */
export function throttled<Value extends object>(pass: (value: Value) => void): Throttle<Value> {
  const gate = rateGate();
  let held: Value | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    held = undefined;
  };
  const flush = (): void => {
    const value = held;
    drop();
    if (value) pass(value);
  };
  const due = (): void => {
    gate();
    flush();
  };
  return {
    offer(value) {
      if (held === undefined && gate()) return pass(value);
      held = value;
      if (timer === undefined || REQUESTS_OWN_IO) timer = setTimeout(due, INTERVAL);
    },
    flush,
    drop,
  };
}
