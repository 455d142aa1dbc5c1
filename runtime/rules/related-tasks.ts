import type { RouteSteps, StepSource } from "../api/index.js";
import { META, isObject } from "../wire/index.js";

/** Marks results as part of the task that their request belongs to, in revisions with tasks (MCP: tasks). */
export const relatedTaskRules: StepSource = ({
  revision,
  direction,
  row,
}): RouteSteps | undefined => {
  if (!revision.traits.tasks || direction === "out" || row.kind !== "request") return undefined;
  return {
    writeResult(result, { meta }) {
      const related = meta?.[META.relatedTask];
      return isObject(related) && isObject(result) ? withRelatedTask(result, related) : result;
    },
  };
};

/**
 * Parameters or a result, marked as part of a task; members of other names stay.
 * @param related - the task: `{ taskId }`
 */
export function withRelatedTask(value: unknown, related: object): Record<string, unknown> {
  const { _meta, ...rest } = isObject(value) ? value : {};
  return { ...rest, _meta: { ...(isObject(_meta) ? _meta : {}), [META.relatedTask]: related } };
}
