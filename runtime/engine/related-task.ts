import { META, isObject } from "../wire/index.js";
import type { RequestContext } from "./request-context.js";

/** A result, marked as part of the task that its request belongs to, where the revision has tasks (MCP: tasks). */
export function markedAsRequest(result: unknown, { binding, meta }: RequestContext): unknown {
  if (meta === undefined || !binding.revision?.traits.tasks || !isObject(result)) return result;
  const related = meta[META.relatedTask];
  return isObject(related) ? withRelatedTask(result, related) : result;
}

/** @param value - parameters or a result; members of other names stay */
export function withRelatedTask(value: unknown, related: object): Record<string, unknown> {
  const { _meta, ...rest } = isObject(value) ? value : {};
  return { ...rest, _meta: { ...(isObject(_meta) ? _meta : {}), [META.relatedTask]: related } };
}
