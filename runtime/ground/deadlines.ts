import { TransientMap } from "./collections.js";
import { REQUESTS_OWN_IO } from "./platforms.js";

export interface Timed {
  /**
   * The deadline on the `performance.now()` clock, in milliseconds. While it is being watched, it may only be moved to
   * a later time.
   */
  deadline: number;
  expire(): void;
}

/** The longest delay that `setTimeout` supports, in milliseconds. A timer with a longer delay fires immediately. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

/**
 * A collection of deadlines that share one timer, except on Workers. The timer does not keep a Node process alive while
 * no deadline is being watched.
 */
export interface Deadlines {
  add(timed: Timed): void;
  delete(timed: Timed): void;
  rest(): void;
}

export function deadlines(): Deadlines {
  const watched = new TransientMap<Timed, true>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity;
  const setTimer = (at: number): ReturnType<typeof setTimeout> => {
    const delay = Math.ceil(at - performance.now());
    return setTimeout(fire, Math.min(Math.max(delay, 0), LONGEST_DELAY));
  };
  const arm = (at: number): void => {
    clearTimeout(timer);
    due = at;
    timer = setTimer(at);
  };
  const fire = (): void => {
    const now = performance.now();
    due = Infinity;
    let next = Infinity;
    for (const timed of watched.keys()) {
      if (timed.deadline <= now) {
        watched.delete(timed);
        timed.expire();
      } else if (timed.deadline < next) {
        next = timed.deadline;
      }
    }
    if (next < due) arm(next);
  };
  return {
    add(timed) {
      if (timed.deadline === Infinity) return;
      watched.set(timed, true);
      if (REQUESTS_OWN_IO) setTimer(timed.deadline);
      else if (timed.deadline < due) arm(timed.deadline);
      else if (watched.size === 1) setAlive(timer, true);
    },
    delete(timed) {
      if (watched.delete(timed) && watched.size === 0) setAlive(timer, false);
    },
    rest() {
      if (watched.size > 0) return;
      clearTimeout(timer);
      due = Infinity;
    },
  };
}

/** Sets whether a timer keeps its process alive. Has no effect on platforms where timers are numbers. */
function setAlive(timer: unknown, alive: boolean): void {
  const { ref, unref } = (timer ?? {}) as { ref?: () => void; unref?: () => void };
  (alive ? ref : unref)?.call(timer);
}
