/** Classes of change, the worst first. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/**
 * - `breaking`: a previously correct program may fail.
 * - `dangerous`: a host should ask its user again; nothing fails.
 * - `prose`: a text that a model or a user reads has changed.
 * - `additive`: everything that was correct still is.
 */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** True if a change is as bad as `limit`, or worse. */
export function isAtLeast(change: ChangeClass, limit: ChangeClass): boolean {
  return CHANGE_CLASSES.indexOf(change) <= CHANGE_CLASSES.indexOf(limit);
}
