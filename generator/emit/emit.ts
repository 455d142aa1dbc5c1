import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { emitClient, emitServer } from "./sides.js";
import { emitFeatures } from "./features.js";
import { emitIndex, emitPackageJson, emitReadme, emitTsconfig } from "./package-files.js";
import { emitMethods } from "./methods.js";
import { emitProtocolJson } from "./protocol-json.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

/** Returns the files of a revision's package, before formatting. */
export function emit(plan: RevisionPlan): OutputFile[] {
  return [
    emitTypes(plan),
    ...emitValidators(plan),
    emitMethods(plan),
    emitClient(plan),
    emitServer(plan),
    ...emitFeatures(plan),
    emitIndex(plan),
    emitProtocolJson(plan),
    emitPackageJson(plan),
    emitTsconfig(plan),
    emitReadme(plan),
  ];
}
