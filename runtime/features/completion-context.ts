import type { Revision } from "../wire/index.js";
import { knowsMember } from "./revision-probe.js";

/** Whether completers learn of other arguments; a revision that does not know them checks nothing about them. */
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
