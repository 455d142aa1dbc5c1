import { withRelatedTask } from "../rules/index.js";

/** Parameters or a result, marked as part of a task. Members of other names stay. */
export function markedForTask(value: unknown, taskId: string): Record<string, unknown> {
  return withRelatedTask(value, { taskId });
}
