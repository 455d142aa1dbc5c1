import { META } from "@mcp-codegen/runtime";
import { type Answer, isNamelessError, NOTHING } from "../conversation.js";
import { messageOf } from "../outgoing.js";
import type { Ending } from "../link/link.js";
import {
  ask,
  declares,
  isEmptyResult,
  lineOf,
  placeOf,
  show,
  showAnswer,
  type Visit,
} from "../visit.js";
import { familiesOf } from "./methods.js";
import type { Members } from "../../tape/json-value.js";
import type { CheckId } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { hasRole, methodOf } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/** Sends input that a server must tolerate, and examines whether the server keeps running. */
export async function examineLife(visit: Visit): Promise<void> {
  const isServed = await ping(visit);
  await ids(visit, isServed);
  if (isServed) await unknownMembers(visit);
  await batches(visit);
  if (isStateless(visit.revision)) await interleaved(visit);
  await notifications(visit);
  if (!isStateless(visit.revision)) await strays(visit);
  await longRequest(visit);
}

/** Sends messages that a server does not expect. The server must neither end nor stop responding. */
async function strays(visit: Visit): Promise<void> {
  const { conversation, revision } = visit;
  const changed = "notifications/roots/list_changed";
  const hasRoots = declares(conversation.capabilities, "client.roots.listChanged");
  const progress = { progressToken: NOTHING, progress: 1 };
  const messages = [
    ...(hasRoots ? [[changed, () => conversation.notify(changed)] as const] : []),
    [
      "progress of an unknown request",
      () => conversation.notify(methodOf(revision, "progress"), progress),
    ],
    ["a response to no request", () => conversation.respond(NOTHING)],
  ] as const;
  for (const [what, send] of messages) {
    if (conversation.ending) return;
    await send();
    await conversation.quiet(30);
    reportEnding(visit, "server-ended", what);
  }
  const about = `${harmless(visit)} after ${messages.map(([what]) => what).join(", and ")}`;
  await ask(visit, harmless(visit), {}, { about });
}

/** The length of a long request, in characters. It exceeds the 64 KiB to which some line readers are limited. */
const LONG = 70_000;

async function longRequest(visit: Visit): Promise<void> {
  const { conversation } = visit;
  if (conversation.ending) return;
  const meta = { [`com.example/${NOTHING}`]: "x".repeat(LONG) };
  const answer = await conversation.request(harmless(visit), {}, { meta, timeout: 3_000 });
  const place = { line: lineOf(answer), received: showAnswer(answer) };
  const expected = `an answer to a request of ${LONG} characters`;
  visit.expect("request-silent", answer.kind !== "silence", { ...place, expected });
}

async function batches(visit: Visit): Promise<void> {
  const { conversation, revision } = visit;
  // Over HTTP+SSE, each request contains one message.
  const hasBatches = revision.traits.batching && conversation.transport !== "sse";
  if (!hasBatches || conversation.ending) return;
  const request = (name: string, method = harmless(visit)): Members =>
    messageOf(method, {}, `${NOTHING}-${name}`);
  const notification = messageOf(`notifications/${NOTHING}`);
  for (const [messages, wanted] of [
    [[request("one"), request("two")], "2 requests"],
    [
      [request("one"), request("two", NOTHING), request("last")],
      "3 requests, of which the second has an unknown method",
    ],
    [[request("three"), notification], "1 request and a notification"],
  ] as const) {
    const count = await conversation.batch(messages);
    if (conversation.ending) return;
    const received = `${count} responses to a batch of ${wanted}`;
    const isAnswered = count === messages.filter((message) => "id" in message).length;
    if (!visit.expect("batch-answered", isAnswered, { received })) break;
  }
  // A message check reports any response, even an empty one, to a batch that has only notifications.
  await conversation.batch([notification]);
}

/** Sends requests from two clients over the same connection at the same time. */
async function interleaved(visit: Visit): Promise<void> {
  const { conversation } = visit;
  if (conversation.ending) return;
  const of = (name: string): Promise<Answer> => {
    const meta = { [META.clientInfo]: { name, version: "1" }, [META.clientCapabilities]: {} };
    return conversation.request(harmless(visit), {}, { id: `${NOTHING}-${name}`, meta });
  };
  const answers = await Promise.all([of("first"), of("second")]);
  const failed = answers.find(({ kind }) => kind !== "result");
  if (answers.some(({ kind }) => kind === "closed")) return;
  visit.expect("requests-interleaved", failed === undefined, {
    received: failed && showAnswer(failed),
  });
}

/** Sends lines that are not messages. The server must still respond afterwards. */
export async function examineGarbage(visit: Visit): Promise<void> {
  const { conversation } = visit;
  if (conversation.transport !== "stdio" || conversation.ending) return;
  if (!visit.revision.traits.batching) {
    // A response is not required, but it must not be an array.
    const batch = [1, 2].map((number) => messageOf(harmless(visit), {}, `${NOTHING}-${number}`));
    await conversation.batch(batch, false);
  }
  for (const text of ['{"jsonrpc": "2.0", "id": 1,', "[]", "null", "{}"]) {
    await conversation.raw(text);
  }
  await conversation.quiet(20);
  const answer = await conversation.request(harmless(visit));
  const ending = answer.kind === "closed" ? answer.ending : undefined;
  visit.expect("garbage-tolerated", answer.kind === "result" || answer.kind === "error", {
    received: ending ? lastWords(ending) : showAnswer(answer),
  });
}

/**
 * Sends two requests in one piece and one request in two pieces, because only a line end terminates a message. Returns
 * false if a response is missing.
 */
export async function examinePieces(visit: Visit): Promise<boolean> {
  const { conversation } = visit;
  if (conversation.transport !== "stdio" || conversation.ending) return true;
  const send = (name: string, pieces?: "split" | "joined"): Promise<Answer> =>
    conversation.request(harmless(visit), {}, { id: `${NOTHING}-${name}`, pieces });
  const together = await Promise.all([send("first", "joined"), send("second")]);
  return (
    expectAnswers(visit, together, "two requests in one piece") &&
    expectAnswers(visit, [await send("split-é", "split")], "a request in two pieces")
  );
}

function expectAnswers(visit: Visit, answers: readonly Answer[], what: string): boolean {
  const missing = answers.find(({ kind }) => kind === "silence");
  const expected = `answers to ${what}: a message ends with its line`;
  const place = { line: missing && lineOf(missing), expected, received: "no answer" };
  return visit.expect("request-silent", missing === undefined, place);
}

/** Returns the method of a request that every server answers. */
function harmless({ revision }: Visit): string {
  return methodOf(revision, isStateless(revision) ? "discover" : "ping");
}

/** Sends a ping if the revision has pings. Returns false if the response is not a result. */
async function ping(visit: Visit): Promise<boolean> {
  if (!hasRole(visit.revision, "ping")) return true;
  const answer = await ask(visit, methodOf(visit.revision, "ping"));
  if (answer === undefined) return false;
  const isEmpty = answer.kind === "result" && isEmptyResult(answer.result);
  visit.expect("ping-answered", isEmpty, placeOf(answer));
  return answer.kind === "result";
}

async function unknownMembers(visit: Visit): Promise<void> {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const meta = { [`com.example/${NOTHING}`]: { some: "value" }, traceparent };
  const answer = await ask(visit, harmless(visit), {}, { meta });
  if (answer === undefined) return;
  const expected = "a result: other members of _meta are ignored";
  visit.expect("members-tolerated", answer.kind === "result", { ...placeOf(answer), expected });
}

async function ids(visit: Visit, isServed: boolean): Promise<void> {
  const { conversation } = visit;
  const all = [`${NOTHING}-id`, 0, "7", -1, 2 ** 40, "", 'é\n"\\'];
  // Without sessions, an id may be reused once its request has been answered.
  const again = isStateless(visit.revision) ? all.slice(0, 1) : [];
  for (const id of [...all, ...again]) {
    if (conversation.ending) return;
    const wanted = `a result, as for other ids than ${JSON.stringify(id)}`;
    const answer = await conversation.request(harmless(visit), {}, { id });
    if (answer.kind === "closed") return;
    const nameless = answer.kind === "silence" ? errorAfter(visit, answer.line) : undefined;
    if (nameless !== undefined && isServed) {
      visit.expect("id-accepted", false, {
        line: nameless,
        pointer: "/error",
        expected: wanted,
        received: nameless.message,
      });
      return;
    }
    const isAnswered = answer.kind === "result" || answer.kind === "error";
    const expected = `an answer to the request with the id ${JSON.stringify(id)}`;
    const place = { line: lineOf(answer), expected, received: showAnswer(answer) };
    if (!visit.expect("request-silent", isAnswered, place)) return;
    if (!isServed) continue;
    const isAccepted = answer.kind === "result";
    visit.expect("id-accepted", isAccepted, { ...placeOf(answer), expected: wanted });
  }
}

function errorAfter({ conversation }: Visit, sent: TapeLine | undefined): TapeLine | undefined {
  return sent && conversation.since(sent.n).find(({ message }) => isNamelessError(message));
}

async function notifications(visit: Visit): Promise<void> {
  const { conversation, revision } = visit;
  if (conversation.ending) return;
  await conversation.notify(`notifications/${NOTHING}`, { some: "value" });
  await conversation.quiet(80);
  if (
    conversation.ending ||
    !hasRole(revision, "cancelled") ||
    (isStateless(revision) && conversation.transport === "http")
  )
    return;
  for (const [params, what] of [
    [{ requestId: `${NOTHING}-id` }, "the cancellation of a finished request"],
    [{ requestId: `${NOTHING}-unknown` }, "the cancellation of an unknown request"],
    [{}, "a cancellation without a request"],
  ] as const) {
    await conversation.notify(methodOf(revision, "cancelled"), params);
    await conversation.quiet(30);
    if (!(await survives(visit, what))) return;
  }
}

/** Checks that a server neither ends nor stops responding after a cancellation. */
async function survives(visit: Visit, after: string): Promise<boolean> {
  const isServing = await isAlive(visit, after);
  reportEnding(visit, "cancel-tolerated", after);
  return isServing;
}

function reportEnding({ conversation: { ending }, expect }: Visit, id: CheckId, after: string) {
  if (ending?.by !== "itself") return;
  expect(id, false, { received: `${howEnded(ending)} after ${after}${wrote(ending)}` });
}

/** Checks that a server still responds after the cancellation that `after` describes. */
export async function isAlive(visit: Visit, after: string, timeout?: number): Promise<boolean> {
  const { conversation } = visit;
  if (conversation.ending !== undefined) return false;
  const answer = await conversation.request(harmless(visit), {}, { timeout });
  if (answer.kind === "closed") return false;
  return visit.expect("cancel-tolerated", answer.kind === "result" || answer.kind === "error", {
    ...(answer.kind === "silence" && { line: answer.line }),
    received: `${showAnswer(answer)} after ${after}`,
  });
}

export function examineEnding(visit: Visit, ending: Ending | undefined): void {
  if (ending === undefined) return;
  visit.expect("server-flood", ending.by !== "limit", {
    received: "more than this program reads; it was ended",
  });
  visit.expect("server-ended", ending.by !== "itself", { received: lastWords(ending) });
}

export function lastWords(ending: Ending): string {
  return `${howEnded(ending)}${wrote(ending)}`;
}

function wrote({ stderr }: Ending): string {
  return stderr === "" ? "" : `; it wrote: ${stderr}`;
}

export function howEnded({ code, signal, problem }: Ending): string {
  if (problem !== undefined) return problem;
  return signal ? `it was ended by ${signal}` : `it exited with code ${show(code)}`;
}

export async function examineExit(visit: Visit): Promise<void> {
  const { conversation } = visit;
  const ending = await conversation.close("eof");
  if (conversation.transport !== "stdio" || ending.by === "itself" || ending.by === "limit") return;
  const isExit = ending.by === "eof";
  const received = "it did not exit";
  if (!visit.expect("exit-on-end", isExit, { received })) return;
  visit.expect("exit-code", ending.code === 0, { received: howEnded(ending) });
}

export async function examineTermination(visit: Visit): Promise<void> {
  const { conversation } = visit;
  if (conversation.transport !== "stdio" || process.platform === "win32") return;
  const ending = await conversation.close("SIGTERM");
  if (ending.by === "itself" || ending.by === "limit") return;
  const received = "it did not exit";
  visit.expect("exit-on-signal", ending.by === "SIGTERM", { received });
}

/** Returns the keys of each list's items, sorted. */
export function namesOf(visit: Visit): ReadonlyMap<string, readonly string[]> {
  const families = familiesOf(visit.revision).filter((family) => visit.lists.has(family));
  return new Map(
    families.map((family) => {
      const keys = visit.lists
        .get(family)!
        .map(({ item }) => (item as Members | null)?.[family.key]);
      return [family.name, keys.filter((key) => typeof key === "string").toSorted()];
    }),
  );
}
