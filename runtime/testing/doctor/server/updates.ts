import { canonicalText } from "../../tape/index.js";
import { isMembers, member } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";
import { ask, declares, isListening, itemsOf, type Visit } from "../visit.js";
import { pause } from "../link/link.js";
import { familyOf } from "./methods.js";

/** The maximum number of resources that are compared before and after calls. */
const MOST_WATCHED = 10;

/** The time after which contents that show the current time have changed again, in milliseconds. */
const TICK = 1_100;

/**
 * Subscribes to a server's resources, if the server supports subscriptions: twice, which must be the same as once.
 * Returns their URIs. Stateless servers announce changes on a subscription that is already open.
 */
export async function subscribeResources(visit: Visit): Promise<readonly string[]> {
  const { revision, capabilities } = visit;
  const family = familyOf(revision, "resource");
  const { subscribe, key = "uri", capability } = family ?? {};
  if (family === undefined || !declares(capabilities, `${capability}.subscribe`)) return [];
  const uris = itemsOf(visit, family)
    .map((item) => item[key])
    .filter((uri) => typeof uri === "string" && URL.canParse(uri))
    .slice(0, isStateless(revision) ? 1 : MOST_WATCHED) as string[];
  if (isStateless(revision) || subscribe === undefined) return uris;
  for (const uri of [...uris, ...uris]) await ask(visit, subscribe, { [key]: uri });
  return uris;
}

/**
 * Reads a server's resources and subscribes to them, if the server supports subscriptions. Returns a function that
 * reads them again: every change must have been announced.
 */
export async function watchResources(visit: Visit): Promise<() => Promise<void>> {
  const { revision, conversation } = visit;
  const family = familyOf(revision, "resource");
  const { subscribe, updated, key = "uri", use = "", capability } = family ?? {};
  if (updated === undefined) return async () => {};
  const uris = await subscribeResources(visit);
  const read = async (uri: string): Promise<string | undefined> => {
    const answer = await ask(visit, use, { [key]: uri });
    return answer?.kind === "result" ? canonicalText(answer.result["contents"]) : undefined;
  };
  const before = new Map<string, string | undefined>();
  for (const uri of uris) before.set(uri, await read(uri));
  const begin = conversation.position;
  const isNotified = (uri: string): boolean =>
    conversation.since(begin).some(({ message }) => {
      const named = member(member(message, "params"), "uri");
      if (!isMembers(message) || message["method"] !== updated) return false;
      return typeof named === "string" && (named.startsWith(uri) || uri.startsWith(named));
    });
  const isChanged = async (uri: string): Promise<boolean> => {
    const now = await read(uri);
    const old = before.get(uri);
    if (now === undefined || old === undefined || now === old) return false;
    await pause(TICK);
    return (await read(uri)) === now;
  };
  return async () => {
    for (const uri of uris) {
      if (conversation.ending) return;
      if ((await isChanged(uri)) && !isNotified(uri) && isListening(visit))
        visit.expect("change-announced", false, {
          expected: `${updated} of ${uri}, which has changed during a call`,
          received: "no such notification",
        });
    }
    const ends = [...revision.methods.values()].find(
      (row) =>
        row.method !== subscribe &&
        row.capability === `${capability}.subscribe` &&
        row.kind === "request",
    );
    if (isStateless(revision) || ends === undefined) return;
    for (const uri of uris) await ask(visit, ends.method, { [key]: uri });
  };
}
