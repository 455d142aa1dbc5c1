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

/** A name that generated code may import from the runtime, according to the table. */
export function runtimeSymbol(
  { runtime }: Pick<RevisionPlan, "runtime">,
  name: RuntimeName,
): ImportedSymbol {
  return RUNTIME_IMPORTS[name] === "type" ? importType(name, runtime) : importValue(name, runtime);
}

/** Base class and lifecycle of one side. They are imported by name, so that a bundle contains only those in use. */
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

/** The namespace of the types in generated modules. */
const TYPES = importTypeNamespace("types", "./types.js");

/** A type in generated code: `types.Tool`. */
export function schemaType(name: string): Code {
  return code`${TYPES}.${identifier(name)}`;
}
