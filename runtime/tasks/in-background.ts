import { LONGEST_DELAY } from "../ground/index.js";

/**
 * Does something later, in a process that lives that long for other reasons; never what is due in more than
 * {@link LONGEST_DELAY}. Gives how to call it off.
 */
export function inBackground(milliseconds: number, action: () => void): () => void {
  if (milliseconds > LONGEST_DELAY) return () => {};
  const timer: unknown = setTimeout(action, milliseconds);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
