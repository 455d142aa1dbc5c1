import { META, type Method, type RequestId } from "@mcp-codegen/runtime";
import { type ListedTool, otherSide, remember, type SentRequest } from "./conversation.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";

/** True if a result is the payload of a task, which its metadata then names. */
export function isRelated(result: unknown): boolean {
  return member(member(result, "_meta"), META.relatedTask) !== undefined;
}

export function keepTask(
  scope: Scope,
  request: SentRequest,
  method: Method,
  result: Members,
): void {
  const { conversation, from } = scope;
  const id = member(result.task, "taskId");
  const status = member(result.task, "status");
  if (typeof id === "string") {
    if (conversation.tasks.get(id)?.request !== undefined)
      scope.report("task-state", "/result/task/taskId", "an id that is new", id);
    remember(conversation.tasks, id, { method, request, status });
  }
  if (request.token !== undefined)
    remember(conversation.sides[otherSide(from)].openTokens, keyOf(request.token), undefined);
  if (status !== WORKING) {
    scope.report("task-state", "/result/task/status", JSON.stringify(WORKING), status);
  }
}

/** Returns the request that created the task if the result is the task's payload. */
export function originOf(
  { conversation }: Scope,
  { params }: SentRequest,
  result: Members,
): SentRequest | undefined {
  const isPayload = result.taskId === undefined && isRelated(result);
  return isPayload ? conversation.tasks.get(String(params.taskId))?.request : undefined;
}

/** Checks that a server's request names the task if that task's result is all the client is waiting for. */
export function judgeTaskRequest(scope: Scope, { row, params }: SentRequest): void {
  const { sides, tasks } = scope.conversation;
  if (scope.from !== "server" || row?.capability === undefined) return;
  const waiting = [...sides.client.inFlight.values()];
  const ids = waiting.flatMap((one) => (one.method === "tasks/result" ? [one.params.taskId] : []));
  const [id] = ids;
  const isOnly = ids.length === 1 && waiting.every((one) => one.method.startsWith("tasks/"));
  if (!isOnly || typeof id !== "string" || ENDED.includes(tasks.get(id)?.status)) return;
  const meta = member(member(params, "_meta"), META.relatedTask);
  if (tasks.has(id) && meta === undefined) judgeRelated(scope, params, "/params", id);
}

export function taskRequest({ conversation }: Scope, id: RequestId): SentRequest | undefined {
  for (const { request } of conversation.tasks.values()) if (request?.id === id) return request;
  return undefined;
}

/** Reports a notification that cancels a task's request, which must be cancelled with `tasks/cancel` instead. */
export function judgeTaskCancellation(scope: Scope, request: SentRequest | undefined): void {
  if (!isMembers(request?.params.task) || !supportsTasks(scope, request.method)) return;
  scope.report("cancel-task", "/params/requestId", "tasks/cancel", request.id);
}

/** Returns true if the request uses a task correctly, or if this cannot be determined. */
export function judgeAugmentation(
  scope: Scope,
  { method, params, row }: SentRequest,
  tool: ListedTool | undefined,
): boolean {
  const isSupported = supportsTasks(scope, method);
  if (row?.taskResult === undefined || isSupported === undefined) return true;
  const support = member(tool?.execution, "taskSupport") ?? "forbidden";
  if (params.task === undefined) {
    if (!isSupported || support !== "required") return true;
    scope.report("task-support", "/params/task", "a task, which the tool requires", undefined);
  } else if (!isSupported) {
    const check = scope.from === "client" ? "task-support" : "capability-advised";
    const path = `tasks.requests.${method.replace("/", ".")}`;
    scope.report(check, "/params/task", `${path}, declared`, params.task);
  } else {
    if (tool === undefined || support !== "forbidden") return true;
    scope.report("task-support", "/params/task", "no task, as the tool forbids it", params.task);
  }
  return false;
}

/** True if the receiver has declared task support for the method; undefined if its capabilities are unknown. */
function supportsTasks({ conversation, from }: Scope, method: string): boolean | undefined {
  const declared = conversation.capabilities[otherSide(from)];
  if (declared === undefined) return undefined;
  const path = ["tasks", "requests", ...method.split("/")];
  return path.reduce(member, declared) !== undefined;
}

const WORKING = "working";
const COMPLETED = "completed";
const CANCELLED = "cancelled";
const ENDED: readonly unknown[] = [COMPLETED, "failed", CANCELLED];
const CANCEL = "tasks/cancel";

export function judgeTaskResult(
  scope: Scope,
  { method, params }: SentRequest,
  result: Members,
): void {
  const { taskId } = params;
  if (typeof taskId !== "string") return;
  if (typeof result.taskId === "string") {
    if (result.taskId !== taskId)
      scope.report("task-state", "/result/taskId", JSON.stringify(taskId), result.taskId);
    else if (method === CANCEL && result.status !== CANCELLED) {
      const known = scope.conversation.tasks.get(taskId)?.status;
      const isOver = known !== undefined && known === result.status && ENDED.includes(known);
      const expected = isOver
        ? `the error -32602, as the task is ${known}`
        : JSON.stringify(CANCELLED);
      scope.report("task-state", "/result/status", expected, result.status);
    }
    return judgeTask(scope, result, "/result");
  }
  const { status } = scope.conversation.tasks.get(taskId) ?? {};
  if (result.isError === true && status === COMPLETED)
    scope.report("task-state", "/result/isError", `false, as the task is ${COMPLETED}`, true);
  judgeRelated(scope, result, "/result", taskId);
}

export function judgeRelated(
  scope: Scope,
  body: unknown,
  pointer: string,
  taskId: string | undefined,
): void {
  const related = member(member(member(body, "_meta"), META.relatedTask), "taskId");
  if (taskId === undefined ? related !== undefined : related === taskId) return;
  const place = below(`${pointer}/_meta`, META.relatedTask);
  scope.report("task-related", place, taskId ? JSON.stringify({ taskId }) : "the task", related);
}

export function judgeTask(scope: Scope, { taskId, status }: Members, pointer: string): void {
  const { tasks } = scope.conversation;
  if (typeof taskId !== "string") return;
  const known = tasks.get(taskId);
  if (known !== undefined && ENDED.includes(known.status) && status !== known.status) {
    scope.report("task-state", `${pointer}/status`, JSON.stringify(known.status), status);
    return;
  }
  if (known === undefined) {
    remember(tasks, taskId, { method: undefined, request: undefined, status });
    return;
  }
  known.status = status;
  // Over HTTP, progress may still arrive on another stream.
  const token = known.request?.token;
  if (token !== undefined && ENDED.includes(status) && scope.line.http === undefined)
    scope.conversation.sides[otherSide(scope.from)].openTokens.delete(keyOf(token));
}

export function judgeTaskCapability(scope: Scope, capabilities: unknown, pointer: string): void {
  const tasks = member(capabilities, "tasks");
  if (tasks !== undefined)
    scope.report("task-capability", `${pointer}/tasks`, "nothing: tasks are an extension", tasks);
}
