import type { Handling } from "./handling.js";
import { askOnWire } from "./ask-on-wire.js";
import { isInputRequired } from "../api/index.js";

/** What becomes of what a handler gave, where it needs answers of the client first. */
export function concluded(result: unknown, handling: Handling): Promise<unknown> | undefined {
  const { alone } = handling.binding;
  if (alone) return alone.conclude(result, handling);
  return isInputRequired(result) ? askOnWire(result, handling) : undefined;
}
