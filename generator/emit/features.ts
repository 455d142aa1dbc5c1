import type { OutputFile } from "../plan/file-plan.js";
import type { FeaturePlan, RevisionPlan } from "../plan/revision-plan.js";
import { handlerResult } from "./stub-signatures.js";
import { header } from "./header.js";
import {
  type Code,
  code,
  identifier,
  importNamespace,
  importType,
  join,
  literal,
} from "./printer/code.js";
import { jsDoc } from "./printer/doc.js";
import { printModule } from "./printer/module.js";
import { runtimeSymbol } from "./runtime-symbol.js";

export function emitFeatures(plan: RevisionPlan): OutputFile[] {
  const { features } = plan;
  if (features === undefined) return [];
  const classes = features.classes.map((feature) => featureClass(feature, features.module, plan));
  const extras = join(features.extras.map(identifier), code`, `);
  const reexport = code`export { ${extras} } from ${literal(features.module)};`;
  const body = join(features.extras.length > 0 ? [reexport, ...classes] : classes, code`\n\n`);
  return [{ path: "features.ts", text: printModule(header(plan), body) }];
}

function featureClass(
  { name, side, arguments: types, deprecated }: FeaturePlan,
  module: string,
  plan: RevisionPlan,
): Code {
  const { className, contextName } = plan[side];
  const context = importType(contextName, `./${side}.js`);
  const values = types.map(({ type, mayAsk }) => {
    if (type === "") return code`${context}`;
    const result = handlerResult(type, plan);
    return mayAsk ? code`${result} | ${runtimeSymbol(plan, "InputRequired")}` : result;
  });
  const of = values.length > 0 ? code`<${join(values, code`, `)}>` : code``;
  const doc = jsDoc({
    text: `The runtime's \`${name}\` for this revision; for the option \`features\` of \`${className}\`.`,
    tags: deprecated ? [{ name: "deprecated", text: "The revision advises against it." }] : [],
  });
  return code`${doc}export class ${identifier(name)} extends ${importNamespace("features", module)}.${identifier(name)}${of} {}`;
}
