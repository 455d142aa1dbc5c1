import type { ExtensionPlan } from "../../plan/extension-plan.js";
import { type Code, code } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import { importNamespace, importTypeNamespace } from "../printer/symbol.js";

/** A type, as messages.ts refers to it: `types.Place`, or `revisionTypes.Result` where the revision declares it. */
export function typeReference(name: string, plan: ExtensionPlan): Code {
  const there = plan.elsewhere.get(name);
  if (there === undefined) {
    return code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  }
  const module = importTypeNamespace("revisionTypes", `${plan.extendedPackage}/types`);
  return code`${module}.${identifier(there)}`;
}

/** Its validator: `v.Place`, or `revision.Result`. */
export function validatorReference(name: string, plan: ExtensionPlan): Code {
  const there = plan.elsewhere.get(name);
  if (there === undefined) {
    return code`${importNamespace("v", "./validators.js")}.${identifier(name)}`;
  }
  return revisionValidator(there, plan);
}

/** The validator of a type that the revision declares, by its name there. */
export function revisionValidator(there: string, { extendedPackage }: ExtensionPlan): Code {
  const module = importNamespace("revision", `${extendedPackage}/validators`);
  return code`${module}.${identifier(there)}`;
}
