import type { Revision } from "../wire/index.js";
import { knowsMember } from "./revision-probe.js";

/**
 * True when tools may have an `outputSchema` and results a `structuredContent`; the same revision
 * introduced both. Handlers that are written for the newest revision rely on the projection
 * instead.
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
