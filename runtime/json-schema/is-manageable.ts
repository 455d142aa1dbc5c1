import { MAX_LEVELS, MAX_MEMBERS } from "./limits.js";

/** True when a value is small enough for uninterruptible steps of an evaluation. */
export function isManageable(value: unknown, levels: number = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isManageable(item, levels - 1));
  const members = Object.values(value);
  return (
    members.length <= MAX_MEMBERS && members.every((member) => isManageable(member, levels - 1))
  );
}
