import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { sideView } from "./side-view.js";
import { renderTemplate } from "./template.js";

/** server.ts: what a server of this revision may send, and what it may be asked and told. */
export function emitServer(plan: RevisionPlan): OutputFile {
  return {
    path: "server.ts",
    text: renderTemplate("revision/server.ts", sideView(plan, plan.server)),
  };
}
