import type { RevisionPlan } from "../plan/revision-plan.js";
import type { ImportedSymbol } from "./printer/symbol.js";
import { runtimeSymbol } from "./runtime-symbol.js";

const KINDS = { initialize: "Handshake", discover: "Stateless" } as const;

/**
 * Lifecycle of one side. It is imported by name, so that a bundle contains only the one that it
 * uses.
 */
export function lifecycleSymbol(plan: RevisionPlan, side: "client" | "server"): ImportedSymbol {
  return runtimeSymbol(plan, `${side}${KINDS[plan.protocol.traits.lifecycle]}`);
}
