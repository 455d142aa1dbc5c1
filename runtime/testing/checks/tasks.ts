import { META, type Method } from "@mcp-codegen/runtime";
import { member, otherSide, remember, type SentRequest } from "./conversation.js";
import type { Scope } from "./scope.js";
import { below } from "../tape/json-value.js";

type Members = Readonly<Record<string, unknown>>;

/** True for the payload of a task: its metadata names the task. */
export function isRelated(result: unknown): boolean {
  return member(member(result, "_meta"), META.relatedTask) !== undefined;
}

/** Records a task that replaces a result, and checks its first state. */
export function keepTask(
  scope: Scope,
  { token }: SentRequest,
  method: Method,
  result: Members,
): void {
  const { conversation, from } = scope;
  const id = member(result.task, "taskId");
  const status = member(result.task, "status");
  if (typeof id === "string") remember(conversation.tasks, id, { method, status });
  if (token !== undefined) conversation.sides[otherSide(from)].taskTokens.add(token);
  if (status !== WORKING) {
    scope.report("task-state", "/result/task/status", JSON.stringify(WORKING), status);
  }
}

const WORKING = "working";
const ENDED: readonly unknown[] = ["completed", "failed", "cancelled"];

/** Checks the state of a task in a result, or the task that the payload of one names. */
export function judgeTaskResult(scope: Scope, { params }: SentRequest, result: Members): void {
  const { taskId } = params;
  if (typeof taskId !== "string") return;
  if (typeof result.taskId === "string") return judgeTask(scope, result, "/result");
  const related = member(member(member(result, "_meta"), META.relatedTask), "taskId");
  if (related === taskId) return;
  const pointer = below("/result/_meta", META.relatedTask);
  scope.report("task-related", pointer, JSON.stringify({ taskId }), related);
}

/** Checks that a task does not change after its end. */
export function judgeTask(scope: Scope, { taskId, status }: Members, pointer: string): void {
  const { tasks } = scope.conversation;
  if (typeof taskId !== "string") return;
  const known = tasks.get(taskId);
  if (known !== undefined && ENDED.includes(known.status) && status !== known.status) {
    scope.report("task-state", `${pointer}/status`, JSON.stringify(known.status), status);
    return;
  }
  if (known === undefined) remember(tasks, taskId, { method: undefined, status });
  else known.status = status;
}
