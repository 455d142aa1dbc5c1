import type { AnyMiddleware } from "../api/index.js";
import { isObject } from "../wire/index.js";

/** Key of `_meta` that says to which task a message belongs. */
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** Parameters or a result, marked as part of a task. Members of other names stay. */
export function markedForTask(value: unknown, taskId: string): Record<string, unknown> {
  return marked(value, { taskId });
}

/**
 * Marks the answers to what the peer asks on behalf of a task with that task, as the specification wants it of all
 * messages of a task. For the side that only starts tasks; `Tasks` has it built in.
 */
export const keepRelatedTask: AnyMiddleware = ({ kind, params }, next) => {
  const related = kind === "request" ? relatedTask(params) : undefined;
  if (related === undefined) return next();
  return next().then((result) => (isObject(result) ? marked(result, related) : result));
};

function relatedTask(params: unknown): Record<string, unknown> | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  const related = isObject(meta) ? meta[RELATED_TASK] : undefined;
  return isObject(related) ? related : undefined;
}

function marked(value: unknown, related: object): Record<string, unknown> {
  const { _meta, ...rest } = isObject(value) ? value : {};
  return { ...rest, _meta: { ...(isObject(_meta) ? _meta : {}), [RELATED_TASK]: related } };
}
