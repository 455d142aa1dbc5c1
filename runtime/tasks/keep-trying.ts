import { OverloadError, RpcError } from "../wire/index.js";
import { inBackground } from "./in-background.js";

/** Milliseconds before the second attempt, between the last ones, and for all of them. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;
const PATIENCE = 600_000;

/**
 * Has a store do what work on a task depends on, as often as it takes while the store cannot be reached.
 *
 * @param report - hears the first failure
 * @throws OverloadError and RpcError of the store; the last failure when it has lasted for ten minutes
 */
export async function keepTrying<Value>(
  work: () => Value | Promise<Value>,
  report: (error: Error) => void,
): Promise<Value> {
  const start = performance.now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof OverloadError || error instanceof RpcError;
      if (isFinal || performance.now() - start > PATIENCE) throw error;
      if (pause === FIRST_PAUSE) report(error as Error);
    }
    await new Promise<void>((resolve) => inBackground(pause, resolve));
  }
}
