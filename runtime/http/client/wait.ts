import { LONGEST_DELAY } from "../../ground/index.js";

/**
 * Waits for a number of milliseconds.
 * @throws the signal's reason when that aborts
 */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(milliseconds, LONGEST_DELAY),
    );
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Resolves when the promise has settled or the time is over, whichever comes first. */
export async function settledWithin(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise.catch(() => {}), late]);
  clearTimeout(timer);
}
