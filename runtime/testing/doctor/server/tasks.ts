import { setTimeout as sleep } from "node:timers/promises";
import { hasTasks } from "../../checks/check.js";
import { type Answer } from "../conversation.js";
import { ask, declares, expectRefusal, isFailure, placeOf, type Visit } from "../visit.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";

/** Returns a tool's support for tasks if its server supports calls as tasks (MCP: `execution.taskSupport`). */
export function taskSupportOf(
  { revision, capabilities }: Visit,
  tool: Members | undefined,
): unknown {
  const isDeclared =
    hasTasks(revision) && declares(capabilities, "server.tasks.requests.tools.call");
  return isDeclared ? member(tool?.execution, "taskSupport") : undefined;
}

/**
 * Milliseconds for which the server keeps a task; and below it how long the doctor waits for its end, and between two
 * polls.
 */
const TTL = 60_000;
const ENDS_WITHIN = 3_000;
const LONGEST_PAUSE = 500;

/**
 * Calls a tool as a task, and polls the task until it ends. Then cancels it, which must be rejected for a task that has
 * ended.
 */
export async function callAsTask(visit: Visit, method: string, params: Members): Promise<void> {
  const { capabilities } = visit;
  const about = `${method} of ${String(params["name"])} as a task`;
  const created = await ask(visit, method, { ...params, task: { ttl: TTL } }, { about });
  if (created?.kind !== "result") return;
  const { task } = created.result;
  if (!visit.expect("task-created", isMembers(task), placeOf(created))) return;
  const taskId = member(task, "taskId");
  if (typeof taskId !== "string") return;
  const isOver = await follow(visit, taskId, task);
  if (isOver === undefined) return;
  await findInList(visit, taskId);
  if (isOver) await ask(visit, "tasks/result", { taskId });
  if (!declares(capabilities, "server.tasks.cancel")) return;
  if (!isOver) await ask(visit, "tasks/cancel", { taskId });
  const how = { params: { taskId }, about: "tasks/cancel of a task that has ended" };
  await expectRefusal(visit, "task-ended", "tasks/cancel", how);
}

/**
 * Polls a task. Returns true once it has ended, false if it is still running after a while, and undefined if it cannot
 * be read.
 */
async function follow(visit: Visit, taskId: string, task: unknown): Promise<boolean | undefined> {
  const limit = performance.now() + ENDS_WITHIN;
  const interval = member(task, "pollInterval");
  for (;;) {
    const answer = await ask(visit, "tasks/get", { taskId });
    if (answer === undefined) return undefined;
    const isRead = answer.kind === "result";
    if (!visit.expect("task-lost", isRead, placeOf(answer)) || !isRead) return undefined;
    if (ENDED.includes(answer.result["status"])) return true;
    if (performance.now() > limit) return false;
    await sleep(Math.min(typeof interval === "number" ? interval : LONGEST_PAUSE, LONGEST_PAUSE));
  }
}

const ENDED: readonly unknown[] = ["completed", "failed", "cancelled"];

/** Checks that a task is in the list of tasks, if the list has only one page. */
async function findInList(visit: Visit, taskId: string): Promise<void> {
  if (!declares(visit.capabilities, "server.tasks.list")) return;
  const answer = await ask(visit, "tasks/list");
  if (answer?.kind !== "result" || answer.result["nextCursor"] !== undefined) return;
  const { tasks } = answer.result;
  const isListed = Array.isArray(tasks) && tasks.some((one) => member(one, "taskId") === taskId);
  visit.expect("task-unlisted", isListed, { ...placeOf(answer), pointer: "/result/tasks" });
}

/** Checks that a tool that requires a task rejects a call without one. */
export function expectTask(visit: Visit, answer: Answer): void {
  visit.expect("task-required", answer.kind !== "result" || isFailure(answer), placeOf(answer));
}
