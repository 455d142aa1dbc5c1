import { declares, itemsOf, lineOf, ask } from "../visit.js";
import { type Door, type Headers, openingOf } from "./door.js";
import { familyOf } from "./methods.js";
import { questionsSince, withNewToken } from "./rounds.js";
import type { Members } from "../../tape/json-value.js";
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
