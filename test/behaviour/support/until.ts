import { setTimeout as delay } from "node:timers/promises";

/** Time that a condition may take to become true on a busy machine, in milliseconds. */
const PATIENCE = 20_000;

/** Waits for something to become true, and says what was waited for when it does not. */
export async function until(
  what: string,
  condition: () => unknown,
  describe?: () => unknown,
): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > end) {
      const state = describe ? `: ${JSON.stringify(describe())}` : "";
      throw new Error(`Waited in vain for ${what}${state}`);
    }
    await delay(2);
  }
}
