import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { origin } from "./header.js";
import { renderTemplate } from "./template.js";

/** tsconfig.json: how the package is built, whatever is around it. */
export function emitTsconfig(plan: RevisionPlan): OutputFile {
  return {
    path: "tsconfig.json",
    text: renderTemplate("revision/tsconfig.json", { origin: origin(plan) }),
  };
}
