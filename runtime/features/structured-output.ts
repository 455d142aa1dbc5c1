import type { Revision } from "../revision.js";
import { knowsMember } from "./revision-probe.js";

/** Whether tools have an `outputSchema` and results a `structuredContent`, which came together. */
export const hasStructuredOutput: (revision: Revision) => boolean = /* @__PURE__ */ knowsMember({
  method: "tools/list",
  part: "result",
  value: { tools: [{ name: "probe", inputSchema: { type: "object" }, outputSchema: 0 }] },
  path: "/tools/0/outputSchema",
});
