import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { type Code, code, EMPTY } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { printModule } from "./printer/module.js";
import { importTypeNamespace } from "./printer/symbol.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { body } from "./validators/body.js";
import type { Check } from "./validators/check.js";
import type { Runtime } from "./validators/expression.js";
import { Functions } from "./validators/functions.js";
import { subjects } from "./validators/subjects.js";

/** validators.ts: one function per declaration and per named parameters. */
export function emitValidators(plan: RevisionPlan): OutputFile {
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const found = subjects(plan.protocol, plan.shapes);
  const functions = new Functions(found);
  const printed = [...found.exported].map(([name, check]) => {
    const exported = printExported(name, check, functions, runtime);
    const privates: Code[] = [];
    for (let next = functions.nextPending(); next; next = functions.nextPending()) {
      privates.push(printPrivate(next.name, next.check, functions, runtime));
    }
    return code`${exported}${privates}`;
  });
  const exports = code`export { ${runtime("classify")} };\n\n${LEGEND}\n\n`;
  return { path: "validators.ts", text: printModule(header(plan), code`${exports}${printed}`) };
}

const LEGEND = code`// In what follows, \`right || report\` stands for one member. Reports are true while issues are being
// collected, so that without a trace the first failure ends everything.`;

function printExported(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  const type = code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  const shared = functions.sharedBody(name, check);
  const deep = functions.isDeepExport(name, shared);
  const text = body(shared, { functions, runtime, path: name, deep });
  if (deep) {
    return code`export function ${identifier(name)}(${parameters(deep, runtime)}): value is ${type} {\n${text}\n}\n\n`;
  }
  return code`export const ${identifier(name)}: ${runtime("Validator")}<${type}> = (value, trace): value is ${type} => {\n${text}\n};\n\n`;
}

function printPrivate(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  const deep = functions.isDeep(check);
  const text = body(check, { functions, runtime, path: name, deep });
  return code`function ${identifier(name)}(${parameters(deep, runtime)}): boolean {\n${text}\n}\n\n`;
}

function parameters(deep: boolean, runtime: Runtime): Code {
  const depth = deep ? code`, depth: number = ${runtime("MAX_DEPTH")}` : EMPTY;
  return code`value: unknown, trace?: ${runtime("Trace")}${depth}`;
}
