import { LONGEST_DELAY } from "../deadlines.js";

/** Does something later, in a process that lives that long for other reasons. Gives how to call it off. */
export function inBackground(milliseconds: number, action: () => void): () => void {
  const timer: unknown = setTimeout(action, Math.min(milliseconds, LONGEST_DELAY));
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
