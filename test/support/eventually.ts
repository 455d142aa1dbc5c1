import { vi } from "vitest";

/** The milliseconds after which an event counts as missing, even on a machine that pauses for seconds. */
const PATIENCE = 20_000;

/**
 * Repeats a check until it no longer throws.
 *
 * @returns what it returned then
 */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE });
}
