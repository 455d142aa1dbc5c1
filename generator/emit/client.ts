import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { sideView } from "./side-view.js";
import { renderTemplate } from "./template.js";

/** client.ts: what a client of this revision may send, and what it may be asked and told. */
export function emitClient(plan: RevisionPlan): OutputFile {
  return {
    path: "client.ts",
    text: renderTemplate("revision/client.ts", sideView(plan, plan.client)),
  };
}
