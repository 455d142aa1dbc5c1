import { RUNTIME_IMPORTS, type RuntimeName, SIDES, sideModule } from "../plan/runtime-imports.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import {
  type Code,
  code,
  identifier,
  type ImportedSymbol,
  importType,
  importTypeNamespace,
  importValue,
} from "./printer/code.js";

export function runtimeSymbol(
  { runtime }: Pick<RevisionPlan, "runtime">,
  name: RuntimeName,
): ImportedSymbol {
  return RUNTIME_IMPORTS[name] === "type" ? importType(name, runtime) : importValue(name, runtime);
}

/**
 * Returns a side's base class and lifecycle. They are imported by name, so that a bundle contains only those in use.
 */
export function sideSymbols(
  { runtime, protocol }: Pick<RevisionPlan, "runtime" | "protocol">,
  side: "client" | "server",
): { readonly base: ImportedSymbol; readonly lifecycle: ImportedSymbol } {
  const { lifecycle } = protocol.traits;
  const names = SIDES[side];
  const module = sideModule(runtime, lifecycle, side);
  return {
    base: importValue(names.base, module),
    lifecycle: importValue(names[lifecycle], module),
  };
}

const TYPES = importTypeNamespace("types", "./types.js");

export function schemaType(name: string): Code {
  return code`${TYPES}.${identifier(name)}`;
}
