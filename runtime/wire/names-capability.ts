import type { Revision } from "./revision.js";

/**
 * True when anything in a revision depends on a capability.
 * @param path - starts with whose it is: `client.elicitation.url`
 */
export function namesCapability({ methods }: Revision, path: string): boolean {
  for (const { capability, conditions = [] } of methods.values()) {
    if (capability === path || conditions.some((one) => one.capability === path)) return true;
  }
  return false;
}
