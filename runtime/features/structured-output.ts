import type { Revision } from "../wire/index.js";
import { knowsMember } from "./revision-probe.js";

/**
 * Whether tools may have an `outputSchema` and results a `structuredContent`, which came together: where they are made
 * for the newest revision, a projection takes care of the others.
 */
export function hasStructuredOutput(revision: Revision): boolean {
  return revision.projection !== undefined || knowsOutputSchema(revision);
}

const knowsOutputSchema = /* @__PURE__ */ knowsMember({
  method: "tools/list",
  part: "result",
  value: { tools: [{ name: "probe", inputSchema: { type: "object" }, outputSchema: 0 }] },
  path: "/tools/0/outputSchema",
});
