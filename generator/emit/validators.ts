import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { code } from "./printer/code.js";
import { printModule } from "./printer/module.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import type { Runtime } from "./validators/condition.js";
import { Functions } from "./validators/functions.js";
import { printFunctions } from "./validators/print-functions.js";
import { printShapes, tablesOf } from "./validators/shapes.js";
import { subjects } from "./validators/subjects.js";

export function emitValidators(plan: RevisionPlan): OutputFile[] {
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects(plan.protocol, plan.shapes);
  const functions = new Functions(found);
  const names = [...functions.declarations.keys()];
  const tableOf = tablesOf(plan.protocol.methods, functions.declarations);
  const validators = printFunctions(
    [...found.exported],
    found.described,
    tableOf,
    functions,
    runtime,
  );
  const body = code`export { ${runtime("classify")} };\n\n${validators}`;
  const shapes = printShapes(names, tableOf, new Map(), found.described, functions, runtime);
  return [
    { path: "validators.ts", text: printModule(header(plan), body) },
    { path: "shapes.ts", text: printModule(header(plan), shapes) },
  ];
}
