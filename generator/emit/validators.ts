import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { code } from "./printer/code.js";
import { printModule } from "./printer/module.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import type { Runtime } from "./validators/expression.js";
import { Functions } from "./validators/functions.js";
import { printFunctions } from "./validators/print-functions.js";
import { subjects } from "./validators/subjects.js";

/** validators.ts: one function per declaration and per named parameters. */
export function emitValidators(plan: RevisionPlan): OutputFile {
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects(plan.protocol, plan.shapes);
  const printed = printFunctions(found.exported, new Functions(found), runtime);
  const body = code`export { ${runtime("classify")} };\n\n${printed}`;
  return { path: "validators.ts", text: printModule(header(plan), body) };
}
