import { META, type Method } from "@mcp-codegen/runtime";
import { extension, validators } from "@mcp-codegen/universal/extensions/tasks";
import { type Answer, NOTHING } from "../conversation.js";
import {
  ask,
  codeOf,
  expectRefusal,
  isEmptyResult,
  isGuessable,
  lineOf,
  placeOf,
  type Visit,
} from "../visit.js";
import { answersTo } from "./input.js";
import { type Call, withNewToken } from "./rounds.js";
import { ENDS_WITHIN, pausePolling } from "./tasks.js";
import { issuesOf } from "../../checks/values.js";
import { canonicalText } from "../../tape/index.js";
import { below, isMembers, type Members, member } from "../../tape/json-value.js";
import { TASK_IDS } from "../../checks/notifications.js";
import { rowOf } from "../../checks/roles.js";
import { until } from "../link/link.js";
import { subscribeTo } from "./subscriptions.js";

function hasExtension({ capabilities }: Visit): boolean {
  return member(capabilities["extensions"], extension.id) !== undefined;
}

function metaOf({ conversation }: Visit): Members {
  const { capabilities } = conversation;
  return { [META.clientCapabilities]: { ...capabilities, extensions: { [extension.id]: {} } } };
}

/**
 * Calls a tool as a client that declares the extension. If the server returns a task, reads the task until it ends, and
 * cancels another one.
 */
export async function callWithExtension(visit: Visit, call: Call): Promise<void> {
  if (!hasExtension(visit)) return;
  const taskId = await create(visit, call);
  if (taskId === undefined) return;
  const isListened = await listenTo(visit, taskId, metaOf(visit), () => follow(visit, taskId));
  if (isListened === undefined) return;
  const other = await create(visit, call);
  if (other === undefined) return;
  if (isListened) await listenUndeclared(visit, other);
  visit.expect("task-guessable", !isGuessable(taskId, other), {
    pointer: "/result/taskId",
    expected: "ids of two tasks that have little in common",
    received: `${taskId}, then ${other}`,
  });
  const update = { taskId: other, inputResponses: { [NOTHING]: { action: "decline" } } };
  await expectEmpty(visit, "tasks/update", update);
  await expectEmpty(visit, "tasks/cancel", { taskId: other });
}

async function create(visit: Visit, call: Call): Promise<string | undefined> {
  const { method, params, headers } = call;
  const answer = await ask(visit, method, params, {
    headers,
    meta: withNewToken(visit, metaOf(visit)),
  });
  if (answer?.kind !== "result" || answer.result["resultType"] !== "task") return undefined;
  expectShape(visit, answer, extension.alternatives["tools/call"].task);
  const { taskId } = answer.result;
  return typeof taskId === "string" ? taskId : undefined;
}

/** The maximum time for a server to acknowledge a subscription to a task, in milliseconds. */
const ACKNOWLEDGED_WITHIN = 500;

/**
 * Subscribes to a task during some work. Message checks report notifications that are wrong.
 *
 * @returns true if the server has acknowledged the task; undefined if the work has failed
 */
async function listenTo(
  visit: Visit,
  taskId: string,
  meta: Members,
  work: () => Promise<boolean>,
): Promise<boolean | undefined> {
  const { conversation, revision } = visit;
  const before = conversation.position;
  const { method: acknowledged } = rowOf(revision, "acknowledged") ?? {};
  const topics = (): readonly unknown[] =>
    conversation.since(before).flatMap(({ message }) => {
      const topic = member(member(message, "params"), "notifications");
      return member(message, "method") === acknowledged ? [member(topic, TASK_IDS)] : [];
    });
  const id = `doctor-task-${before}`;
  const filter = { [TASK_IDS]: [taskId] };
  const { answered, end } = subscribeTo(visit, filter, id, ENDS_WITHIN * 2, meta);
  const isSettled = (): boolean => topics().length > 0 || answered() !== undefined;
  // A task can be read at once, so the work does not wait for the acknowledgement.
  const isDone = await work();
  await until(isSettled, ACKNOWLEDGED_WITHIN);
  await end();
  const isListened = topics().some((one) => Array.isArray(one) && one.includes(taskId));
  return isDone ? isListened : undefined;
}

/**
 * Subscribes to a task as a client that has not declared the extension. A server that does not know the topic may
 * ignore it.
 */
async function listenUndeclared(visit: Visit, taskId: string): Promise<void> {
  const isListened = await listenTo(visit, taskId, {}, async () => true);
  visit.expect("task-extension", isListened !== true, {
    expected: "an error for a subscription to a task, as the client has not declared the extension",
    received: `an acknowledgement of ${TASK_IDS}`,
  });
}

async function follow(visit: Visit, taskId: string): Promise<boolean> {
  const limit = performance.now() + ENDS_WITHIN;
  const answered = new Map<string, Input>();
  for (;;) {
    const answer = await request(visit, "tasks/get", { taskId });
    if (answer === undefined) return false;
    const isRead = answer.kind === "result";
    const expected = "the task, which can be read as soon as it is returned";
    const place = { ...placeOf(answer), expected };
    if (!visit.expect("task-extension", isRead, place) || !isRead) return false;
    if (!expectShape(visit, answer, validators.GetTaskResult)) return false;
    const { status, inputRequests, pollIntervalMs: interval } = answer.result;
    if (status !== "working" && status !== "input_required") return true;
    if (performance.now() > limit) return true;
    const inputs = isMembers(inputRequests) ? inputRequests : {};
    checkKeys(visit, answer, inputs, answered);
    await provide(visit, taskId, inputs, answered);
    await pausePolling(interval);
  }
}

/** Input that a task has required. */
interface Input {
  readonly asked: unknown;
  /** True if a later state of the task no longer required it. */
  isGone: boolean;
}

/** Reports a key that names different input requests of one task, and forgets its answer. */
function checkKeys(
  visit: Visit,
  answer: Answer,
  inputRequests: Members,
  answered: Map<string, Input>,
): void {
  for (const [key, known] of answered) {
    const asked = inputRequests[key];
    if (asked === undefined) {
      known.isGone = true;
      continue;
    }
    const isSame = gistOf(asked, known.isGone) === gistOf(known.asked, known.isGone);
    visit.expect("task-extension", isSame, {
      line: lineOf(answer),
      pointer: below("/result/inputRequests", key),
      expected: "a key of its own for each input request of a task",
      received: asked,
    });
    if (!isSame) answered.delete(key);
  }
}

/**
 * Returns what identifies an input request. A server may change the text and the URL of one that it has not removed yet,
 * but not its fields.
 */
function gistOf(asked: unknown, isWhole: boolean): string {
  const { message, messages, requestedSchema } = (member(asked, "params") ?? {}) as Members;
  const fields = Object.keys((member(requestedSchema, "properties") ?? {}) as Members).toSorted();
  const method = member(asked, "method");
  return canonicalText({ method, fields, ...(isWhole && { message, messages }) });
}

/** Provides the input that a task requires and that has not been provided yet. */
async function provide(
  visit: Visit,
  taskId: string,
  inputRequests: Members,
  answered: Map<string, Input>,
): Promise<void> {
  const inputs = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  if (inputs.length === 0) return;
  for (const [key, asked] of inputs) answered.set(key, { asked, isGone: false });
  const inputResponses = answersTo(Object.fromEntries(inputs), "accept");
  await expectEmpty(visit, "tasks/update", { taskId, inputResponses });
}

function request(visit: Visit, method: string, params: Members): Promise<Answer | undefined> {
  const headers = { "mcp-name": String(params["taskId"]) };
  return ask(visit, method, params, { headers, meta: metaOf(visit) });
}

async function expectEmpty(visit: Visit, method: string, params: Members): Promise<void> {
  const answer = await request(visit, method, params);
  if (answer === undefined) return;
  const isEmpty = answer.kind === "result" && isEmptyResult(answer.result);
  const expected = `an empty result of ${method}`;
  visit.expect("task-extension", isEmpty, { ...placeOf(answer), expected });
}

function expectShape(
  visit: Visit,
  answer: Answer & { readonly kind: "result" },
  validator: NonNullable<Method["result"]>,
): boolean {
  // Further issues have the same cause: members are missing or in the wrong place.
  const [issue] = issuesOf(validator, answer.result);
  const { path = "", expected, value: received } = issue ?? {};
  const place = { line: lineOf(answer), pointer: `/result${path}`, expected, received };
  return visit.expect("result-shape", issue === undefined, place);
}

export async function examineExtension(visit: Visit): Promise<void> {
  if (!hasExtension(visit)) return;
  const own = metaOf(visit);
  const missing = visit.revision.errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  const cases = [
    ["tasks/get", own, -32602, "as there is no such task"],
    ["tasks/result", own, -32601, "as only sessions have this method"],
    ["tasks/list", own, -32601, "as only sessions have this method"],
    ["tasks/get", {}, missing, "as the client has not declared the extension"],
    ["tasks/update", {}, missing, "as the client has not declared the extension"],
    ["tasks/cancel", {}, missing, "as the client has not declared the extension"],
  ] as const;
  if (visit.conversation.transport === "http") {
    const how = {
      params: { taskId: NOTHING },
      headers: { "mcp-name": `${NOTHING}-other` },
      meta: own,
    };
    const code = visit.revision.errorCodes["HEADER_MISMATCH"];
    const expected = `400 with the error ${code}, as Mcp-Name is not the taskId`;
    await expectRefusal(visit, "http-mismatch", "tasks/get", { ...how, code, expected });
  }
  for (const [method, meta, code, why] of cases) {
    const expected = `the error ${code}, ${why}`;
    const inputResponses = method === "tasks/update" ? { inputResponses: {} } : {};
    const params = { taskId: NOTHING, ...inputResponses };
    const how = { params, headers: { "mcp-name": NOTHING }, meta };
    const answer = await expectRefusal(visit, "task-extension", method, { ...how, code, expected });
    // A server that does not check the client's declarations fails for all these methods, so one finding is enough.
    if (code === missing && codeOf(answer) !== code) return;
  }
}
