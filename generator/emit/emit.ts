import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { emitClient } from "./client.js";
import { emitFeatures } from "./features.js";
import { emitIndex } from "./index-module.js";
import { emitMethods } from "./methods.js";
import { emitPackageJson } from "./package-json.js";
import { emitProtocolJson } from "./protocol-json.js";
import { emitReadme } from "./readme.js";
import { emitServer } from "./server.js";
import { emitTsconfig } from "./tsconfig.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

/** The text of every file of a revision's package, not yet formatted. */
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
