import type { Revision } from "../wire/index.js";
import { knowsMember } from "./revision-probe.js";

/**
 * True when completers receive the other arguments; revisions that lack them validate nothing about
 * them.
 */
export const hasCompletionContext: (revision: Revision) => boolean = /* @__PURE__ */ knowsMember({
  method: "completion/complete",
  part: "params",
  value: {
    ref: { type: "ref/prompt", name: "" },
    argument: { name: "", value: "" },
    context: 0,
  },
  path: "/context",
});
