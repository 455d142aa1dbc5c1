import { declares, itemsOf, lineOf, ask } from "../visit.js";
import { metaOf } from "../outgoing.js";
import { pause } from "../link/link.js";
import { type Door, type Headers, openingOf, postOf } from "./door.js";
import { dataOf, eventsIn } from "./http-resume.js";
import { familyOf } from "./methods.js";
import { questionsSince, withNewToken } from "./rounds.js";
import { member, type Members, parsed } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";

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
    const before = conversation.position;
    const { method, params, headers } = call;
    const answer = await ask(visit, method, params, { headers, meta: withNewToken(visit) });
    if (answer === undefined) break;
    await conversation.quiet(60);
    const questions = questionsSince(visit, before);
    const missing = [...call.questions].find((one) => !questions.has(one));
    visit.expect("session-mixed", missing === undefined, {
      line: lineOf(answer),
      expected: `${String(missing)} during ${method}, as before another client opened a session`,
      received: "no such request",
    });
  }
  await send({ method: "DELETE", headers: own });
  return true;
}

/** The durations of a call that can be closed in time, in milliseconds. */
const [SHORTEST, LONGEST] = [100, 1_500];

/**
 * Makes two stateless calls at the same time, and closes the response to one. The other must still be answered, on a
 * stream without messages of the first.
 */
export async function closeOne({ visit, open, send }: Door): Promise<void> {
  const { revision, conversation, called } = visit;
  const call = called.find(({ duration }) => duration >= SHORTEST && duration <= LONGEST);
  if (call === undefined) return;
  const { method, headers, duration } = call;
  const meta = metaOf(revision, conversation.capabilities);
  const post = (id: string) => {
    const params = { ...call.params, _meta: { ...meta, progressToken: id } };
    return postOf(visit, { jsonrpc: "2.0", id, method, params }, headers);
  };
  // The timeout closes a response that has not begun.
  const closing = open({ ...post("doctor-closed"), timeout: duration / 2 });
  const answering = send(post("doctor-beside"));
  await pause(duration / 2);
  (await closing)?.cancel();
  const { text = "" } = (await answering) ?? {};
  visit.expect("cancel-others", text.includes('"result"'), {
    expected: `a result of ${method}, as the response to another call was closed`,
    received: text === "" ? "nothing" : text,
  });
  const moved = dataOf(eventsIn(text)).find((data) => {
    const message = parsed(data);
    const token = member(member(message, "params"), "progressToken");
    return [member(message, "id"), token].includes("doctor-closed");
  });
  visit.expect("http-stream", moved === undefined, {
    pointer: "/http/event/data",
    expected: "no message of the call whose response was closed",
    received: moved,
  });
}
