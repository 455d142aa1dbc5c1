import { vi } from "vitest";

/**
 * Milliseconds after which an event counts as missing, also on a machine that pauses for seconds.
 */
const PATIENCE = 20_000;

/** Repeats a check until it throws no more. @returns what it returned then */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE });
}
