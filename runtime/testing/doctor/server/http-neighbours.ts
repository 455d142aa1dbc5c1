import type { Answer } from "../conversation.js";
import { ask, declares, itemsOf, lineOf, type TimedCall, type Visit } from "../visit.js";
import { metaOf } from "../outgoing.js";
import { pause } from "../link/link.js";
import { type Door, type Headers, openingOf, postOf } from "./door.js";
import { dataOf, eventsIn } from "./http-resume.js";
import { familyOf } from "./methods.js";
import { questionsSince, withNewToken } from "./rounds.js";
import { member, type Members, parsed } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";

/**
 * Repeats the calls before any other session is open, and keeps the server's requests that it sends each time. It may
 * send others once in a session, or independently of calls.
 */
export async function keepUsual(visit: Visit): Promise<void> {
  for (const call of visit.called.filter(({ questions }) => questions.size > 0)) {
    const again = await repeat(visit, call);
    const isUsual = (one: unknown): boolean => again?.questions.has(one) ?? false;
    call.questions = new Set([...call.questions].filter(isUsual));
  }
}

/**
 * Opens a session of a client without capabilities, which sets the lowest log level and subscribes to a resource. Then
 * repeats the calls in the first session, whose client, level and subscriptions remain its own. Message checks report
 * what the first session must not receive.
 *
 * @param other - the id of another session
 * @returns false if the new session has this id as well
 */
export async function besideSession({ visit, post, send }: Door, other: string): Promise<boolean> {
  const { conversation, revision, capabilities, called } = visit;
  if (conversation.ending) return false;
  if (called.length === 0) return true;
  const session = (await post(openingOf(visit)))?.headers["mcp-session-id"];
  if (session === undefined || session === other) return false;
  const own: Headers = { "mcp-session-id": session, "mcp-protocol-version": revision.id };
  const request = (method: string, params: Members) =>
    post({ jsonrpc: "2.0", id: `doctor-${method}`, method, params }, own);
  await post({ jsonrpc: "2.0", method: methodOf(revision, "initialized") }, own);
  if (declares(capabilities, "server.logging"))
    await request("logging/setLevel", { level: "debug" });
  const family = familyOf(revision, "resource");
  const [item] = family ? itemsOf(visit, family) : [];
  const isServed = family && declares(capabilities, `${family.capability}.subscribe`);
  if (isServed && family.subscribe && item)
    await request(family.subscribe, { [family.key]: item[family.key] });
  for (const call of called) {
    let missing = [...call.questions];
    let again: Repeated | undefined;
    for (let times = 0; times === 0 || (missing.length > 0 && times < MOST_REPEATED); times++) {
      again = await repeat(visit, call);
      const questions = again?.questions;
      missing = missing.filter((one) => questions?.has(one) === false);
    }
    if (again === undefined) break;
    visit.expect("session-mixed", missing.length === 0, {
      line: lineOf(again.answer),
      expected: `${String(missing[0])} during ${call.method}, as before another client opened a session`,
      received: "no such request",
    });
  }
  await send({ method: "DELETE", headers: own });
  return true;
}

/** The number of times that a call is made before a request of the server counts as missing. */
const MOST_REPEATED = 3;

interface Repeated {
  readonly answer: Answer;
  /** The methods of the requests that the server sent during the call. */
  readonly questions: ReadonlySet<unknown>;
}

async function repeat(
  visit: Visit,
  { method, params, headers }: TimedCall,
): Promise<Repeated | undefined> {
  const { conversation } = visit;
  const before = conversation.position;
  const answer = await ask(visit, method, params, { headers, meta: withNewToken(visit) });
  if (answer === undefined) return undefined;
  await conversation.quiet(60);
  return { answer, questions: questionsSince(visit, before) };
}

/** The durations of a call that can be closed in time, in milliseconds. */
const [SHORTEST, LONGEST] = [100, 1_500];

/**
 * Makes three stateless calls at the same time, two of which have the same id, as those of two clients may, and closes
 * the response to the third. The others must still be answered, on a stream without messages of the third.
 */
export async function closeOne({ visit, open, send }: Door): Promise<void> {
  const { revision, conversation, called } = visit;
  const call = called.find(({ duration }) => duration >= SHORTEST && duration <= LONGEST);
  if (call === undefined) return;
  const { method, headers, duration } = call;
  const meta = metaOf(revision, conversation.capabilities);
  const post = (id: string, progressToken = id) => {
    const params = { ...call.params, _meta: { ...meta, progressToken } };
    return postOf(visit, { jsonrpc: "2.0", id, method, params }, headers);
  };
  // The timeout closes a response that has not begun.
  const closing = open({ ...post("doctor-closed"), timeout: duration / 2 });
  const answering = ["doctor-beside", "doctor-beside-again"].map((token) =>
    send({ ...post("doctor-beside", token), timeout: 3_000 + duration * 3 }),
  );
  await pause(duration / 2);
  (await closing)?.cancel();
  const texts = (await Promise.all(answering)).map((response) => response?.text ?? "");
  const hasResult = texts.some((text) => text.includes('"result"'));
  visit.expect("cancel-others", hasResult, {
    expected: `a result of ${method}, as the response to another call was closed`,
    received: texts.find(Boolean) ?? "nothing",
  });
  visit.expect("requests-interleaved", texts.filter(Boolean).length !== 1, {
    expected: `an answer to both of two calls of ${method}, which have the same id on two connections`,
    received: "one answer",
  });
  const moved = dataOf(eventsIn(texts.join(""))).find((data) => {
    const message = parsed(data);
    const token = member(member(message, "params"), "progressToken");
    return [member(message, "id"), token].includes("doctor-closed");
  });
  visit.expect("cancel-answered", moved === undefined, {
    pointer: "/http/event/data",
    expected: "no message of the call whose response was closed",
    received: moved,
  });
}
