import { setTimeout as sleep } from "node:timers/promises";
import { hasTasks } from "../../checks/check.js";
import { type Answer, NOTHING } from "../conversation.js";
import {
  ask,
  codeOf,
  declares,
  expectRefusal,
  isFailure,
  isGuessable,
  placeOf,
  type Visit,
} from "../visit.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";
import { withNewToken } from "./rounds.js";

const TOOL_TASKS = "server.tasks.requests.tools.call";

/** Returns a tool's `execution.taskSupport`, which counts only if the server declares tasks for tools. */
export function taskSupportOf(
  { revision, capabilities }: Visit,
  tool: Members | undefined,
): unknown {
  const isDeclared = hasTasks(revision) && declares(capabilities, TOOL_TASKS);
  return isDeclared ? member(tool?.execution, "taskSupport") : undefined;
}

/** The requested lifetime of a task, in milliseconds. */
const TTL = 60_000;
/** The time within which a task is expected to end, in milliseconds. */
export const ENDS_WITHIN = 3_000;
/** The longest polling interval, in milliseconds. */
const LONGEST_PAUSE = 500;

export function pausePolling(interval: unknown): Promise<void> {
  return sleep(Math.min(typeof interval === "number" ? interval : LONGEST_PAUSE, LONGEST_PAUSE));
}

/**
 * Calls a tool as a task, and polls the task until it ends. If the server supports cancellation, then cancels this
 * task, which the server must reject, and cancels another task immediately.
 */
export async function callAsTask(visit: Visit, method: string, params: Members): Promise<void> {
  const begin = performance.now();
  const taskId = await create(visit, method, params);
  if (taskId === undefined) return;
  const end = await follow(visit, taskId);
  if (end === undefined) return;
  const isOver = end !== false;
  const duration = performance.now() - begin;
  await findInList(visit, taskId);
  if (isOver) await readResultAgain(visit, taskId, end);
  const canCancel = declares(visit.capabilities, "server.tasks.cancel");
  if (canCancel) {
    if (!isOver) await ask(visit, "tasks/cancel", { taskId });
    const how = { params: { taskId }, about: "tasks/cancel of a task that has ended" };
    await expectRefusal(visit, "task-ended", "tasks/cancel", how);
    // A message check verifies that an ended task keeps its status.
    await ask(visit, "tasks/get", { taskId });
  }
  const other = await create(visit, method, params);
  if (other === undefined) return;
  visit.expect("task-guessable", !isGuessable(taskId, other) || other === taskId, {
    pointer: "/result/task/taskId",
    expected: "ids of two tasks that have little in common",
    received: `${taskId}, then ${other}`,
  });
  if (canCancel) await cancel(visit, other, Math.min(duration * 1.5, ENDS_WITHIN));
}

/** Requests the result of a task that has ended, which must be the same as before. */
async function readResultAgain(visit: Visit, taskId: string, before: Answer): Promise<void> {
  const again = await ask(visit, "tasks/result", { taskId });
  if (again === undefined) return;
  const isLost = before.kind === "result" && again.kind === "error";
  const expected = "the result of the task, as before";
  visit.expect("task-lost", !isLost, { ...placeOf(again), expected });
}

function requestTask(visit: Visit, method: string, params: Members): Promise<Answer | undefined> {
  const about = `${method} of ${String(params["name"])} as a task`;
  const settings = { about, meta: withNewToken(visit) };
  return ask(visit, method, { ...params, task: { ttl: TTL } }, settings);
}

async function create(visit: Visit, method: string, params: Members): Promise<string | undefined> {
  const created = await requestTask(visit, method, params);
  if (created?.kind !== "result") return undefined;
  const { task } = created.result;
  if (!visit.expect("task-created", isMembers(task), placeOf(created))) return undefined;
  const taskId = member(task, "taskId");
  return typeof taskId === "string" ? taskId : undefined;
}

/**
 * Polls a task while a request for its result is open. Returns the response with the result if the task has ended,
 * false if it is still running after {@link ENDS_WITHIN}, and undefined if it cannot be examined further.
 */
async function follow(visit: Visit, taskId: string): Promise<Answer | false | undefined> {
  const { conversation } = visit;
  const limit = performance.now() + ENDS_WITHIN;
  const early: { answer?: Answer } = {};
  const settings = { isCancelled: true, timeout: ENDS_WITHIN + 2_000 };
  const waiting = conversation.request("tasks/result", { taskId }, settings);
  void waiting.then((answer) => Object.assign(early, { answer }));
  for (;;) {
    const { answer: paid } = early;
    const answer = await ask(visit, "tasks/get", { taskId });
    if (answer === undefined) return undefined;
    const isRead = answer.kind === "result";
    if (!visit.expect("task-lost", isRead, placeOf(answer)) || !isRead) return undefined;
    const { status, pollInterval: interval } = answer.result;
    if (ENDED.includes(status)) {
      return waiting;
    }
    const isEarly = paid?.kind === "result" || paid?.kind === "error";
    if (isEarly && !visit.expect("task-early", false, placeOf(paid))) return undefined;
    if (performance.now() > limit) return false;
    await pausePolling(interval);
  }
}

const ENDED: readonly unknown[] = ["completed", "failed", "cancelled"];

/** Cancels a new task, and reads the task after the time in which it would have ended by itself. */
async function cancel(visit: Visit, taskId: string, duration: number): Promise<void> {
  const cancelled = await ask(visit, "tasks/cancel", { taskId });
  if (cancelled === undefined) return;
  if (cancelled.kind === "result") await sleep(duration);
  const read = await ask(visit, "tasks/get", { taskId });
  if (read?.kind !== "result" || cancelled.kind === "result") return;
  visit.expect("task-uncancelled", ENDED.includes(read.result["status"]), placeOf(cancelled));
}

async function findInList(visit: Visit, taskId: string): Promise<void> {
  if (!declares(visit.capabilities, "server.tasks.list")) return;
  const answer = await ask(visit, "tasks/list");
  if (answer?.kind !== "result" || answer.result["nextCursor"] !== undefined) return;
  const { tasks } = answer.result;
  const isListed = Array.isArray(tasks) && tasks.some((one) => member(one, "taskId") === taskId);
  visit.expect("task-unlisted", isListed, { ...placeOf(answer), pointer: "/result/tasks" });
}

export function expectTask(visit: Visit, answer: Answer): void {
  const isRefused = answer.kind === "error" && REQUIRES.includes(codeOf(answer));
  visit.expect("task-required", isRefused || isFailure(answer), placeOf(answer));
}

/** The error codes with which a server may refuse a call without a task. The specification states both. */
const REQUIRES: readonly unknown[] = [-32601, -32600];

/**
 * Calls a tool as a task although the tool forbids this, or although its server does not support tasks and must ignore
 * the `task` member.
 */
export async function callAsNoTask(visit: Visit, method: string, params: Members): Promise<void> {
  if (!hasTasks(visit.revision)) return;
  const answer = await requestTask(visit, method, params);
  if (answer === undefined) return;
  if (declares(visit.capabilities, TOOL_TASKS)) {
    visit.expect("task-forbidden", codeOf(answer) === -32601, placeOf(answer));
    return;
  }
  const isUsual = answer.kind === "result" && answer.result["task"] === undefined;
  visit.expect("task-ignored", isUsual, placeOf(answer));
}

export async function unknownTask(visit: Visit): Promise<void> {
  const { revision, capabilities } = visit;
  if (!hasTasks(revision) || !declares(capabilities, "server.tasks")) return;
  const requests = [
    ["tasks/get", { taskId: NOTHING }, "server.tasks"],
    ["tasks/result", { taskId: NOTHING }, "server.tasks"],
    ["tasks/cancel", { taskId: NOTHING }, "server.tasks.cancel"],
    ["tasks/list", { cursor: NOTHING }, "server.tasks.list"],
  ] as const;
  for (const [method, params, capability] of requests) {
    if (!declares(capabilities, capability)) continue;
    const about = `${method} of what does not exist`;
    await expectRefusal(visit, "task-unknown", method, { params, about });
  }
}
