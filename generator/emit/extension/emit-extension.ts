import type { ExtensionPlan } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { renderTemplate } from "../template.js";
import { origin } from "./header.js";
import { emitIndex } from "./index-module.js";
import { emitMessages } from "./messages.js";
import { emitPackageJson } from "./package-json.js";
import { emitReadme } from "./readme.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

/** The text of every file of an extension's package, not yet formatted. */
export function emitExtension(plan: ExtensionPlan): OutputFile[] {
  return [
    ...emitExtensionModules(plan),
    emitPackageJson(plan),
    {
      path: "tsconfig.json",
      text: renderTemplate("revision/tsconfig.json", { origin: origin(plan) }),
    },
    emitReadme(plan),
  ];
}

/** The modules alone, for a folder of another package. */
export function emitExtensionModules(plan: ExtensionPlan): OutputFile[] {
  return [emitTypes(plan), ...emitValidators(plan), emitMessages(plan), emitIndex(plan)];
}
