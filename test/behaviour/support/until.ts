import { setTimeout as delay } from "node:timers/promises";

/** The time in milliseconds that a condition may take to become true on a busy machine. */
const PATIENCE = 20_000;

/** Waits for a condition to become true. If it does not, the error says what was awaited. */
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
