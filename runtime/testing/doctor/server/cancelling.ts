import type { Answer } from "../conversation.js";
import { ask, isFailure, placeOf, showAnswer, type TimedCall, type Visit } from "../visit.js";
import { isWithin, pause, until } from "../link/link.js";
import { isAlive } from "./life.js";
import { withNewToken } from "./rounds.js";
import { META } from "@mcp-codegen/runtime";
import { member } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";
import { methodOf } from "../../checks/roles.js";

/**
 * Calls a tool twice at the same time, cancels one call, and then sends a harmless request. Once that request has been
 * answered, the server must have read the cancellation, so a later response to the cancelled call is a fault. The other
 * call must still be answered.
 *
 * @param usual - the response to the same call
 */
export async function cancelCall(visit: Visit, call: TimedCall, usual: Answer): Promise<void> {
  const { conversation, revision } = visit;
  const { method, params, duration } = call;
  if (conversation.ending) return;
  const id = `doctor-cancelled-${conversation.position}`;
  const timeout = Math.min(Math.max(300, duration * 1.5 + 200), 3_000);
  const meta = { progressToken: id };
  const calling = conversation.request(method, params, { id, timeout, meta, isCancelled: true });
  // Another check detects servers that treat each piece of their input as a message.
  await pause(5);
  const besideId = FIRST_BESIDE + conversation.position;
  const beside = callBeside(visit, call, besideId);
  // A slow call is cancelled only after a while, so a response immediately after the cancellation must have been caused
  // by it.
  if (duration > 200 && (await isWithin(Math.min(duration / 4, 1_000), calling))) {
    await beside;
    return;
  }
  await pause(5);
  // The second id has another type than that of the other call, and thus is not the id of any request.
  for (const requestId of [id, String(besideId)]) {
    const reason = "the doctor has seen enough";
    await conversation.notify(methodOf(revision, "cancelled"), { requestId, reason });
  }
  // A server that handles messages in order answers only after both calls.
  await isAlive(visit, "the cancellation of a call", Math.max(10_000, timeoutBeside(call)));
  await calling;
  await expectBeside(visit, call, usual, await beside);
  visit.expect("cancel-tolerated", conversation.ending === undefined, {
    received: "the end of the server",
  });
}

/** The first numeric id for calls beside others, in a range that no other request uses. */
const FIRST_BESIDE = 2_000_001;

function callBeside(visit: Visit, call: TimedCall, id?: number): Promise<Answer> {
  const { method, params, headers } = call;
  const meta = { progressToken: `doctor-beside-${visit.conversation.position}` };
  const settings = { id, timeout: timeoutBeside(call), meta, headers };
  return visit.conversation.request(method, params, settings);
}

function timeoutBeside({ duration }: TimedCall): number {
  return 3_000 + duration * 3;
}

/** Checks the response to a call during which another one was cancelled. */
async function expectBeside(
  visit: Visit,
  call: TimedCall,
  usual: Answer,
  answer: Answer,
): Promise<void> {
  const isMissing = answer.kind === "silence";
  const hasFailed = isBad(answer) && !isBad(usual) && (await runsTwice(visit, call));
  visit.expect("cancel-others", !isMissing && !hasFailed, {
    ...placeOf(answer),
    received: `${showAnswer(answer)}, as another call, and this id as a string, were cancelled at the same time`,
  });
}

function isBad(answer: Answer): boolean {
  return answer.kind === "error" || isFailure(answer);
}

/** True if two calls at the same time succeed. A tool may refuse a call while another one runs. */
async function runsTwice(visit: Visit, call: TimedCall): Promise<boolean> {
  const first = callBeside(visit, call);
  await pause(5);
  const second = callBeside(visit, call);
  return ![await first, await second].some((one) => isBad(one) || one.kind !== "result");
}

/** The time after which a notification can no longer have crossed the end of its subscription, in milliseconds. */
const CROSSED = 150;
/** The same time for session streams over HTTP. */
const CROSSED_STREAMS = 600;
/** The maximum time to wait for a notification about a change, in milliseconds. */
const NOTIFIED_WITHIN = 1_500;

/**
 * Repeats calls that have changed something, now that subscriptions have ended. Message checks report notifications for
 * those that have ended. Subscriptions that are still open must still be served.
 *
 * @param before - the position on the tape before the calls
 */
export async function callAfterEnd(visit: Visit, before: number): Promise<void> {
  const { conversation, revision, called } = visit;
  const isClosed = conversation.transport === "http" && isStateless(revision);
  const changes = changesSince(visit, before);
  if (isClosed || changes.length === 0 || conversation.ending) return;
  await isAlive(visit, "the end of subscriptions");
  await pause(conversation.transport === "http" ? CROSSED_STREAMS : CROSSED);
  const again = conversation.position;
  for (const { method, params, headers } of called)
    await ask(visit, method, params, { headers, meta: withNewToken(visit) });
  const usual = repeated(changes.filter((id) => id !== undefined && visit.open.has(id)));
  const isServed = (): boolean => usual.every((id) => changesSince(visit, again).includes(id));
  await until(isServed, usual.length > 0 ? NOTIFIED_WITHIN : 0);
  await conversation.quiet(100);
  visit.expect("change-announced", isServed() || conversation.ending !== undefined, {
    expected: `a notification of the subscription ${usual.join(", ")}, as only others have ended`,
    received: "no such notification",
  });
}

/** Returns the subscription of each change that has been announced. Sessions have no ids of subscriptions. */
function changesSince({ conversation, revision }: Visit, n: number): readonly unknown[] {
  return conversation.since(n).flatMap(({ message }) => {
    const method = member(message, "method");
    const isChange = revision.families.some(
      (one) => one.updated === method || (isStateless(revision) && one.changed === method),
    );
    const isKnown = typeof method === "string" && isChange;
    return isKnown ? [member(member(member(message, "params"), "_meta"), META.subscription)] : [];
  });
}

function repeated(values: readonly unknown[]): readonly unknown[] {
  return [...new Set(values.filter((one, index) => values.indexOf(one) !== index))];
}
