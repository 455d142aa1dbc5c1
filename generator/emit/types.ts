import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { declarations } from "./declarations.js";
import { header } from "./header.js";
import { messageMaps } from "./message-maps.js";
import { messageUnions } from "./message-unions.js";
import { code } from "./printer/code.js";
import { printModule } from "./printer/module.js";
import { proseCodes } from "./prose-codes.js";

/** types.ts: what the schema declares, and the types that tie its messages to methods and sides. */
export function emitTypes(plan: RevisionPlan): OutputFile {
  const body = code`${declarations({ ...plan.protocol, shapes: plan.shapes })}${proseCodes(plan.protocol)}/* Types by method */

${messageMaps(plan)}/* Messages by side */

${messageUnions(plan)}`;
  return { path: "types.ts", text: printModule(header(plan), body) };
}
