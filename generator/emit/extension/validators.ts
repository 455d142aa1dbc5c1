import type { OutputFile } from "../../plan/file-plan.js";
import type { ExtensionPlan } from "../../plan/extension-plan.js";
import { Shapes } from "../../model/shape.js";
import { printModule } from "../printer/module.js";
import { runtimeSymbol } from "../runtime-symbol.js";
import type { Runtime } from "../validators/condition.js";
import { Functions } from "../validators/functions.js";
import { printFunctions } from "../validators/print-functions.js";
import { printShapes } from "../validators/print-shapes.js";
import { referencedNames } from "../validators/recursion.js";
import { subjects } from "../validators/subjects.js";
import { header } from "./header.js";
import { revisionValidator } from "./references.js";

/**
 * validators.ts and shapes.ts: a validator and a description of each type that the extension declares; all others are
 * those of the revision.
 */
export function emitValidators(plan: ExtensionPlan): OutputFile[] {
  const { protocol, declarations, elsewhere } = plan;
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects({ ...protocol, declarations }, new Shapes(declarations));
  const others = new Map(
    [...elsewhere].map(([here, there]) => [here, revisionValidator(there, plan)]),
  );
  const functions = new Functions(found, others);
  const own = [...found.exported].filter(([name]) => !elsewhere.has(name));
  const described = [...functions.declarations].filter(([name]) => !elsewhere.has(name));
  const referenced = referencedNames(described.map(([, check]) => check));
  const foreign = new Map([...others].filter(([name]) => referenced.has(name)));
  const names = described.map(([name]) => name);
  const shapes = printShapes(names, () => "shapes", foreign, found.described, functions, runtime);
  return [
    {
      path: "validators.ts",
      text: printModule(
        header(plan),
        printFunctions(own, () => "shapes", functions, runtime),
      ),
    },
    { path: "shapes.ts", text: printModule(header(plan), shapes) },
  ];
}
