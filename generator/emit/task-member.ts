import type { Method } from "../link/protocol.js";
import type { RevisionPlan } from "../plan/revision-plan.js";

/** The parameters of a request that may become a task, and the type of their member `task`. */
export interface TaskMember {
  readonly params: string;
  readonly type: string;
}

/**
 * Parameter that turns the request into a task; undefined for a request that always returns its
 * result.
 */
export function taskMember(method: Method, { shapes }: RevisionPlan): TaskMember | undefined {
  const [alternative, ...others] = method.result?.alternatives ?? [];
  if (alternative?.when !== "task" || others.length > 0 || method.params === undefined)
    return undefined;
  const [arm] = shapes.arms({ kind: "reference", name: method.params.type, span: NOWHERE });
  const type = arm && shapes.of(arm)?.members.get("task")?.types[0]?.type;
  return type?.kind === "reference" ? { params: method.params.type, type: type.name } : undefined;
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };
