import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { header } from "./header.js";
import { renderTemplate } from "./template.js";

/** index.ts: the package's surface. */
export function emitIndex(plan: RevisionPlan): OutputFile {
  const { client, server } = plan;
  return {
    path: "index.ts",
    text: renderTemplate("revision/index.ts", { header: header(plan), client, server }),
  };
}
