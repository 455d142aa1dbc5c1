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
import { isMembers, type Members, member } from "../../tape/json-value.js";

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
  if (taskId === undefined || !(await follow(visit, taskId))) return;
  const other = await create(visit, call);
  if (other === undefined) return;
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

async function follow(visit: Visit, taskId: string): Promise<boolean> {
  const limit = performance.now() + ENDS_WITHIN;
  const answered = new Set<string>();
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
    await provide(visit, taskId, isMembers(inputRequests) ? inputRequests : {}, answered);
    await pausePolling(interval);
  }
}

/** Provides the input that a task requires. `answered` holds the keys that have already been answered. */
async function provide(
  visit: Visit,
  taskId: string,
  inputRequests: Members,
  answered: Set<string>,
): Promise<void> {
  const inputs = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  if (inputs.length === 0) return;
  for (const [key] of inputs) answered.add(key);
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
