import type { OutputFile } from "../../plan/file-plan.js";
import type { ExtensionPlan } from "../../plan/extension-plan.js";
import { Shapes } from "../../model/shape.js";
import { printModule } from "../printer/module.js";
import { runtimeSymbol } from "../runtime-symbol.js";
import type { Runtime } from "../validators/expression.js";
import { Functions } from "../validators/functions.js";
import { printFunctions } from "../validators/print-functions.js";
import { subjects } from "../validators/subjects.js";
import { header } from "./header.js";
import { revisionValidator } from "./references.js";

/** validators.ts: a function for each type that the extension declares; all others are those of the revision. */
export function emitValidators(plan: ExtensionPlan): OutputFile {
  const { protocol, declarations, elsewhere } = plan;
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects({ ...protocol, declarations }, new Shapes(declarations));
  const others = new Map(
    [...elsewhere].map(([here, there]) => [here, revisionValidator(there, plan)]),
  );
  const own = [...found.exported].filter(([name]) => !elsewhere.has(name));
  const body = printFunctions(own, new Functions(found, others), runtime);
  return { path: "validators.ts", text: printModule(header(plan), body) };
}
