import type { Method } from "../link/protocol.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { familyRow, methodRow, validator } from "./method-row.js";
import { alignColumns } from "./columns.js";
import { lifecycleSymbol } from "./lifecycle-symbol.js";
import { type Code, code } from "./printer/code.js";
import { Imports } from "./printer/imports.js";
import { literal, objectKey } from "./printer/literal.js";
import { print } from "./printer/module.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { renderTemplate } from "./template.js";

/** methods.ts: the dispatch table, and the revision as one value. */
export function emitMethods(plan: RevisionPlan): OutputFile {
  const { protocol } = plan;
  const imports = new Imports();
  const text = (part: Code): string => print(part, imports);
  const rows = (kind: Method["kind"]): string[] => {
    const own = protocol.methods.filter((method) => method.kind === kind);
    return alignColumns(own.map((method) => methodRow(method, plan).map(text)));
  };
  const conditional = protocol.methods.filter(({ conditions }) => conditions.length > 0);
  const hasFamilies = plan.families.length > 0;
  const { requestParams, notificationParams } = protocol.envelope;
  const view = {
    header: header(plan),
    revisionType: text(code`${runtimeSymbol(plan, "Revision")}`),
    methodTable: text(code`${runtimeSymbol(plan, "methodTable")}`),
    hasConditions: conditional.length > 0,
    conditions: conditional.map(({ method, conditions }) =>
      text(code`${objectKey(method)}: ${literal(conditions.map((one) => ({ ...one })))},`),
    ),
    requests: rows("request"),
    notifications: rows("notification"),
    hasFamilies,
    familiesMember: hasFamilies ? "families" : "families: []",
    familiesType: hasFamilies ? text(code`${runtimeSymbol(plan, "MethodFamily")}`) : "",
    families: alignColumns(plan.families.map(familyRow)),
    id: text(literal(protocol.revision)),
    traits: text(literal({ ...protocol.traits })),
    lifecycle: text(code`lifecycle: ${lifecycleSymbol(plan, "server")},`),
    conventions: text(literal({ ...protocol.conventions })),
    errorCodes: protocol.errorCodes.map(({ name, code: value }) =>
      text(code`${objectKey(name)}: ${literal(value)},`),
    ),
    shared: Object.entries({ requestParams, notificationParams }).flatMap(([member, type]) =>
      type === undefined ? [] : [text(code`${objectKey(member)}: ${validator(type)},`)],
    ),
  };
  return {
    path: "methods.ts",
    text: renderTemplate("revision/methods.ts", { ...view, imports: imports.toString() }),
  };
}
