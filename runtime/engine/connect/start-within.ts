import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import { ConnectionClosedError } from "../../wire/index.js";
import type { ConnectOptions } from "../../api/index.js";

const DEFAULT_TIMEOUT = 60_000;

/**
 * Waits for a transport to start, but no longer than the caller wants to.
 *
 * @throws ConnectionClosedError when it takes too long, the signal's reason when that aborts
 */
export async function startWithin(
  starting: Promise<unknown>,
  { signal, timeout }: ConnectOptions,
  defaultTimeout: number = DEFAULT_TIMEOUT,
): Promise<void> {
  signal?.throwIfAborted();
  const limit = Math.max(0, timeout ?? defaultTimeout);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  const giveUp = new Promise<never>((_, reject) => {
    const late = (): void =>
      reject(
        new ConnectionClosedError(
          `The transport did not start within ${limit} ms (option timeout)`,
        ),
      );
    if (limit <= LONGEST_DELAY) timer = setTimeout(late, limit);
    abort = () => reject(signal!.reason as Error);
    signal?.addEventListener("abort", abort);
  });
  try {
    await Promise.race([quiet(starting), quiet(giveUp)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort!);
  }
}
