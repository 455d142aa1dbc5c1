import type { RevisionPlan } from "../plan/revision-plan.js";
import type { ImportedSymbol } from "./printer/symbol.js";
import { runtimeSymbol } from "./runtime-symbol.js";

const KINDS = { initialize: "Handshake", discover: "Stateless" } as const;

/** How one side opens conversations: imported by its name, so that a bundle has that of its own revision and side only. */
export function lifecycleSymbol(plan: RevisionPlan, side: "client" | "server"): ImportedSymbol {
  return runtimeSymbol(plan, `${side}${KINDS[plan.protocol.traits.lifecycle]}`);
}
