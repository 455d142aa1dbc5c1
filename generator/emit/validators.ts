import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { code } from "./printer/code.js";
import { printModule } from "./printer/module.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import type { Runtime } from "./validators/condition.js";
import { validatorModules } from "./validators/modules.js";

export function emitValidators(plan: RevisionPlan): OutputFile[] {
  const { protocol, shapes } = plan;
  const runtime: Runtime = (name) => runtimeSymbol(plan, name);
  const { requestParams, notificationParams } = protocol.envelope;
  const shared = [requestParams, notificationParams].filter((name) => name !== undefined);
  const modules = validatorModules({ ...protocol, shapes }, runtime, shared);
  const validators = code`export { ${runtime("classify")} };\n${modules.validators}`;
  return Object.entries({ ...modules, validators }).map(([name, body]) => ({
    path: `${name}.ts`,
    text: printModule(header(plan), body),
  }));
}
