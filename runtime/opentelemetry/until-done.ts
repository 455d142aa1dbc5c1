import { SuspendedError } from "../wire/index.js";

/** Records a message's result or the error that was thrown. It records neither if the handler was suspended. */
export type RecordEnd = (result?: unknown, thrown?: unknown) => void;

/**
 * Runs work and records its outcome once.
 *
 * @param signal - aborts when the result is no longer needed; the work may then never end
 */
export async function untilDone(
  work: () => Promise<unknown>,
  record: RecordEnd,
  signal?: AbortSignal,
): Promise<unknown> {
  let isOver = false;
  const finish: RecordEnd = (result, thrown) => {
    if (!isOver) record(result, thrown);
    isOver = true;
    signal?.removeEventListener("abort", abandoned);
  };
  const abandoned = (): void => {
    const reason: unknown = signal?.reason;
    finish(undefined, reason instanceof SuspendedError ? undefined : reason);
  };
  signal?.addEventListener("abort", abandoned);
  try {
    const result = await work();
    finish(result);
    return result;
  } catch (error) {
    finish(undefined, error);
    throw error;
  }
}
