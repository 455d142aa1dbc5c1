import { META, type Method, type RequestId } from "@mcp-codegen/runtime";
import { type ListedTool, otherSide, remember, type SentRequest } from "./conversation.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";

/** True for the payload of a task: its metadata names the task. */
export function isRelated(result: unknown): boolean {
  return member(member(result, "_meta"), META.relatedTask) !== undefined;
}

/** Records a task that replaces a result, and checks its first state. */
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

/** Request of this side that has become a task. */
export function taskRequest({ conversation }: Scope, id: RequestId): SentRequest | undefined {
  for (const { request } of conversation.tasks.values()) if (request?.id === id) return request;
  return undefined;
}

/** Checks that a request with a task is cancelled as a task. */
export function judgeTaskCancellation(scope: Scope, request: SentRequest | undefined): void {
  if (!isMembers(request?.params.task) || !supportsTasks(scope, request.method)) return;
  scope.report("cancel-task", "/params/requestId", "tasks/cancel", request.id);
}

/**
 * Checks that a request is sent as a task if the receiver requires that, and only if it permits that.
 * @returns true if it is, or if that is not known
 */
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

/** True if the receiver of a request has declared tasks for its method; undefined while that is not known. */
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

/** Checks the state of a task in a result, or the task that the payload of one names. */
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
    else if (method === CANCEL && result.status !== CANCELLED)
      scope.report("task-state", "/result/status", JSON.stringify(CANCELLED), result.status);
    return judgeTask(scope, result, "/result");
  }
  const { status } = scope.conversation.tasks.get(taskId) ?? {};
  if (result.isError === true && status === COMPLETED)
    scope.report("task-state", "/result/isError", `false, as the task is ${COMPLETED}`, true);
  judgeRelated(scope, result, "/result", taskId);
}

/** Checks that a message of a task names the task. */
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

/** Checks that a task does not change after its end. */
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
  // Over HTTP, progress on another stream may arrive later.
  const token = known.request?.token;
  if (token !== undefined && ENDED.includes(status) && scope.line.http === undefined)
    scope.conversation.sides[otherSide(scope.from)].openTokens.delete(keyOf(token));
}

/** Checks that a stateless side does not declare tasks of sessions. */
export function judgeTaskCapability(scope: Scope, capabilities: unknown, pointer: string): void {
  const tasks = member(capabilities, "tasks");
  if (tasks !== undefined)
    scope.report("task-capability", `${pointer}/tasks`, "nothing: tasks are an extension", tasks);
}
