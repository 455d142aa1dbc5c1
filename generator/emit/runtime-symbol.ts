import { RUNTIME_IMPORTS, type RuntimeName } from "../plan/runtime-imports.js";
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

const KINDS = { initialize: "Handshake", discover: "Stateless" } as const;

/** Lifecycle of one side. It is imported by name, so that a bundle contains only the one in use. */
export function lifecycleSymbol(plan: RevisionPlan, side: "client" | "server"): ImportedSymbol {
  return runtimeSymbol(plan, `${side}${KINDS[plan.protocol.traits.lifecycle]}`);
}

/** The namespace of the types in generated modules. */
const TYPES = importTypeNamespace("types", "./types.js");

/** `types.Tool` */
export function schemaType(name: string): Code {
  return code`${TYPES}.${identifier(name)}`;
}
