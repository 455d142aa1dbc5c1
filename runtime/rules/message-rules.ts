import type { RouteSteps, StepSource } from "../api/index.js";
import type { SideDefinition } from "../engine/index.js";
import { META, isObject } from "../wire/index.js";
import { contentRules } from "./content.js";
import { contextRules } from "./deprecations.js";

export function commonRules({ report, checksContent }: SideDefinition): StepSource[] {
  const rules = [relatedTaskRules, contextRules(report)];
  return checksContent ? [...rules, contentRules(report)] : rules;
}

/** Marks results as part of the task that their request belongs to, in revisions with tasks (MCP: tasks). */
export const relatedTaskRules: StepSource = ({
  revision,
  direction,
  row,
}): RouteSteps | undefined => {
  if (!revision.traits.tasks || direction === "out" || row.kind !== "request") return undefined;
  return {
    writeResult(result, { params }) {
      const { _meta: meta } = (params ?? {}) as { readonly _meta?: Record<string, unknown> };
      const related = meta?.[META.relatedTask];
      if (related === undefined) return result;
      return isObject(related) && isObject(result) ? withRelatedTask(result, related) : result;
    },
  };
};

export function withRelatedTask(value: unknown, related: object): Record<string, unknown> {
  const { _meta, ...rest } = isObject(value) ? value : {};
  return { ...rest, _meta: { ...(isObject(_meta) ? _meta : {}), [META.relatedTask]: related } };
}
