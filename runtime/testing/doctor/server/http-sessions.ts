import { isEventStream } from "../link/http-link.js";
import {
  type Door,
  expectForeign,
  expectNoBatch,
  FOREIGN,
  type Headers,
  type Response,
} from "./door.js";
import { resumeStreams, streamRequest } from "./http-resume.js";
import { besideSession } from "./http-neighbours.js";
import { NO_VERSION } from "./methods.js";
import { isGuessable, lineOf, showAnswer, type Visit } from "../visit.js";
import { NOTHING } from "../conversation.js";
import type { Members } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";

const NO_SESSION = "mcp-codegen-doctor-no-session";

/**
 * Examines the rules for HTTP sessions, in a separate session.
 *
 * @param refusesOrigins - true if the server rejects a POST with a foreign `Origin`, in which case it must also do so
 *   within the session
 */
export async function sessions(
  door: Door,
  opening: Members,
  refusesOrigins: boolean,
): Promise<void> {
  const { visit, post, send, expect } = door;
  const { revision } = visit;
  const opened = await post(opening);
  const session = opened?.headers["mcp-session-id"];
  const version = { "mcp-protocol-version": revision.id };
  const ping = { jsonrpc: "2.0", id: "doctor-ping", method: methodOf(revision, "ping") };
  const own: Headers = session === undefined ? version : { ...version, "mcp-session-id": session };
  let isVisible = true;
  if (session !== undefined) {
    isVisible = visit.expect("http-session-id", /^[\x21-\x7e]+$/.test(session), {
      pointer: "/http/headers/mcp-session-id",
      received: session,
    });
    if (isVisible && !(await nextSession(door, opening, session, [ping, own]))) return;
  }
  await post({ jsonrpc: "2.0", method: methodOf(revision, "initialized") }, own);
  const listen = streamRequest(own);
  const served = await post(ping, own);
  const stream = await send(listen);
  const isStream = stream?.status === 200 && isEventStream(stream.headers);
  expect("http-get", isStream || stream?.status === 405, "an event stream, or 405", stream);
  if (served?.status === 200) {
    const again = await post(ping, own);
    const why = "200 for ping, after the stream was closed";
    if (!expect("http-get", again?.status === 200, why, again)) return;
  }
  if (refusesOrigins && !(await strangeRequests(door, ping, own, isStream))) return;
  await versions(door, ping, own, isStream);
  await expectNoBatch(door, ping, own);
  await resumeStreams(door, ping, own);
  if (session === undefined) return;
  const isApart = isVisible && (await besideSession(door, session));
  const isChecked = await unknownSession(door, ping, own, isStream);
  const bye = await send({ method: "DELETE", headers: own });
  const isOver = bye !== undefined && bye.status >= 200 && bye.status < 300;
  expect("http-delete", isOver || bye?.status === 405, "200, 202, 204 or 405", bye);
  if (!isOver || !isChecked || !(await afterEnd(door, ping, own, isStream))) return;
  if (isApart) await pingBeside(visit);
}

/** Sends each kind of message with the id of a deleted session. Returns false if the server accepts one. */
async function afterEnd(
  { visit, post, send, expect }: Door,
  ping: Members,
  own: Headers,
  isStream: boolean,
): Promise<boolean> {
  const { revision } = visit;
  const notification = { jsonrpc: "2.0", method: methodOf(revision, "initialized") };
  const requests = [
    ["", () => post(ping, own)],
    [", for a notification", () => post(notification, own)],
    [", for a response", () => post({ jsonrpc: "2.0", id: NOTHING, result: {} }, own)],
    ...(isStream ? [[", for a GET", () => send(streamRequest(own))] as const] : []),
    [", for a DELETE", () => send({ method: "DELETE", headers: own })],
  ] as const;
  for (const [name, request] of requests) {
    const response = await request();
    const is404 = response?.status === 404;
    const why = `404, as the session was deleted${name}`;
    if (!expect("http-session-ended", is404, why, response)) return false;
  }
  return true;
}

async function pingBeside(visit: Visit): Promise<void> {
  const { conversation, revision } = visit;
  if (conversation.ending) return;
  const answer = await conversation.request(methodOf(revision, "ping"));
  visit.expect("http-delete", answer.kind === "result", {
    line: lineOf(answer),
    expected: "an answer in another session than the deleted one",
    received: showAnswer(answer),
  });
}

/** Sends a session's requests with a foreign `Origin`. Returns false if the server serves one of them. */
async function strangeRequests(
  door: Door,
  ping: Members,
  own: Headers,
  isStream: boolean,
): Promise<boolean> {
  const [origin = ""] = FOREIGN;
  const headers = { ...own, origin };
  const requests = [
    ["a POST in a session", () => door.post(ping, headers)],
    ["a GET", () => door.send(streamRequest(headers))],
    ["a DELETE", () => door.send({ method: "DELETE", headers })],
  ] as const;
  for (const [name, request] of requests) {
    if (name === "a GET" && !isStream) continue;
    const response = await request();
    // A server that does not support this method rejects it regardless of the origin.
    const isUnserved = name === "a DELETE" && [404, 405, 501].includes(response?.status ?? 0);
    if (!isUnserved && !expectForeign(door, response, name, origin)) return false;
  }
  return true;
}

async function versions(
  { visit, post, send, expect }: Door,
  ping: Members,
  own: Headers,
  isStream: boolean,
): Promise<void> {
  const other = { ...own, "mcp-protocol-version": NO_VERSION };
  const unknown = await post(ping, other);
  const why = `400, as there is no version ${NO_VERSION}`;
  const isRight = expect("http-version-refused", unknown?.status === 400, why, unknown);
  if (isRight && isStream) {
    const stream = await send(streamRequest(other));
    expect("http-version-refused", stream?.status === 400, `${why}, for a GET`, stream);
  }
  if (visit.revision.conventions.versionHeader) {
    const absent = await post(ping, { ...own, "mcp-protocol-version": "" });
    expect("http-version-absent", absent?.status === 200, "200", absent);
  }
}

/** Sends requests with an unknown session id and without one. Returns true if the server checks session ids. */
async function unknownSession(
  { visit, post, send, expect }: Door,
  ping: Members,
  own: Headers,
  isStream: boolean,
): Promise<boolean> {
  const other = { ...own, "mcp-session-id": NO_SESSION };
  const unknown = await post(ping, other);
  const why = "404, as there is no such session";
  // A server that ignores session ids would also fail the next checks.
  if (!expect("http-session-unknown", unknown?.status === 404, why, unknown)) return false;
  const notification = { jsonrpc: "2.0", method: methodOf(visit.revision, "initialized") };
  const notified = await post(notification, other);
  const forOne = `${why}, for a notification`;
  expect("http-session-unknown", notified?.status === 404, forOne, notified);
  if (isStream) {
    const stream = await send(streamRequest(other));
    expect("http-session-unknown", stream?.status === 404, `${why}, for a GET`, stream);
  }
  const without = await post(ping, { ...own, "mcp-session-id": "" });
  const is400 = without?.status === 400;
  expect("http-session-missing", is400, "400, as the session is not named", without);
  if (is400) {
    const unnamed = await post(notification, { ...own, "mcp-session-id": "" });
    const expected = "400 for a notification, as the session is not named";
    expect("http-session-missing", unnamed?.status === 400, expected, unnamed);
  }
  if (isStream) {
    const open = streamRequest({ ...own, "mcp-session-id": "" });
    const opened = await send(open);
    // A server may also serve HTTP+SSE at its address.
    const isOther =
      opened?.status !== 200 || /^event: ?endpoint$/m.test((await send(open, true))?.text ?? "");
    const expected = "400 for a GET, as the session is not named";
    if (is400) expect("http-session-missing", isOther, expected, opened);
  }
  return true;
}

/**
 * Opens a second session, which must not affect the first, and compares their ids. Returns false if the server no
 * longer serves the first session.
 */
async function nextSession(
  { visit, post, send, expect }: Door,
  opening: Members,
  id: string,
  [ping, own]: readonly [Members, Headers],
): Promise<boolean> {
  const next = (await post(opening))?.headers["mcp-session-id"];
  if (next === undefined) return true;
  const beside = await post(ping, own);
  const isServed = expect(
    "http-unusable",
    beside?.status === 200,
    "an answer to ping in a session, while there is another",
    beside,
  );
  const version = { "mcp-protocol-version": visit.revision.id };
  const other = { "mcp-session-id": next, "mcp-protocol-version": NO_VERSION };
  const refused = await send({ method: "DELETE", headers: other });
  const isRefused = refused === undefined || refused.status >= 400;
  const expected = `400 for DELETE, as there is no version ${NO_VERSION}`;
  // An unknown version in a POST is reported as well, and first.
  if (visit.revision.conventions.versionHeader)
    expect("http-version-refused", isRefused, expected, refused);
  await send({ method: "DELETE", headers: { ...version, "mcp-session-id": next } });
  if (!isServed) return false;
  const after = await post(ping, own);
  const why = "200 for ping in a session, as only another was deleted";
  if (!expect("http-delete", after?.status === 200, why, after)) return false;
  visit.expect("http-session-guessable", !isGuessable(id, next), {
    pointer: "/http/headers/mcp-session-id",
    expected: "ids of two sessions that have little in common",
    received: `${id}, then ${next}`,
  });
  return sameIds(visit, () => post({ ...ping, id: SAME_ID }, own));
}

const SAME_ID = "doctor-same";

/**
 * Sends requests with the same id in two sessions at the same time, and expects a response to each.
 *
 * @param other - sends the request in the second session
 */
async function sameIds(visit: Visit, other: () => Promise<Response | undefined>): Promise<boolean> {
  const { conversation, revision } = visit;
  if (conversation.ending) return true;
  const own = conversation.request(methodOf(revision, "ping"), {}, { id: SAME_ID });
  const [answer, response] = await Promise.all([own, other()]);
  const isAnswered = answer.kind === "result" && /"result"/.test(response?.text ?? "");
  return visit.expect("http-unusable", isAnswered, {
    line: lineOf(answer),
    expected: "an answer to each of two requests with one id, in two sessions",
    received: showAnswer(answer),
  });
}
