import { RUNTIME_IMPORTS, type RuntimeName } from "../plan/runtime-imports.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { type ImportedSymbol, importType, importValue } from "./printer/symbol.js";

/** A name that generated code may import from the runtime; the table says which there are. */
export function runtimeSymbol(
  { runtime }: Pick<RevisionPlan, "runtime">,
  name: RuntimeName,
): ImportedSymbol {
  return RUNTIME_IMPORTS[name] === "type" ? importType(name, runtime) : importValue(name, runtime);
}
