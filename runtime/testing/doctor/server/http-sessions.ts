import type { ExchangeOptions } from "../link/exchange.js";
import { mediaType } from "../link/http-link.js";
import {
  type Door,
  expectForeign,
  expectNoBatch,
  FOREIGN,
  type Headers,
  type Response,
} from "./door.js";
import { NO_VERSION } from "./methods.js";
import { isGuessable, lineOf, showAnswer, type Visit } from "../visit.js";
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
  if (session !== undefined) {
    const isVisible = visit.expect("http-session-id", /^[\x21-\x7e]+$/.test(session), {
      pointer: "/http/headers/mcp-session-id",
      received: session,
    });
    if (isVisible && !(await nextSession(door, opening, session, [ping, own]))) return;
  }
  await post({ jsonrpc: "2.0", method: methodOf(revision, "initialized") }, own);
  const listen = streamRequest(own);
  const served = await post(ping, own);
  const stream = await send(listen);
  const isStream = stream?.status === 200 && mediaType(stream.headers["content-type"]) === EVENTS;
  expect("http-get", isStream || stream?.status === 405, "an event stream, or 405", stream);
  if (served?.status === 200) {
    const again = await post(ping, own);
    const why = "200 for ping, after the stream was closed";
    if (!expect("http-get", again?.status === 200, why, again)) return;
  }
  if (refusesOrigins && !(await strangeRequests(door, ping, own, isStream))) return;
  await versions(door, ping, own, isStream);
  await expectNoBatch(door, ping, own);
  await resume(door, ping, own);
  if (session === undefined) return;
  const isChecked = await unknownSession(door, ping, own, isStream);
  const bye = await send({ method: "DELETE", headers: own });
  const isOver = bye !== undefined && bye.status >= 200 && bye.status < 300;
  expect("http-delete", isOver || bye?.status === 405, "200, 202, 204 or 405", bye);
  if (!isOver || !isChecked) return;
  const after = await post(ping, own);
  const why = "404, as the session was deleted";
  if (!expect("http-session-ended", after?.status === 404, why, after) || !isStream) return;
  const reopened = await send(listen);
  expect("http-session-ended", reopened?.status === 404, why, reopened);
}

const EVENTS = "text/event-stream";

function streamRequest(headers: Headers): ExchangeOptions {
  return { method: "GET", headers: { ...headers, accept: EVENTS } };
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
  { post, send, expect }: Door,
  ping: Members,
  own: Headers,
  isStream: boolean,
): Promise<boolean> {
  const other = { ...own, "mcp-session-id": NO_SESSION };
  const unknown = await post(ping, other);
  const why = "404, as there is no such session";
  // A server that ignores session ids would also fail the next checks.
  if (!expect("http-session-unknown", unknown?.status === 404, why, unknown)) return false;
  if (isStream) {
    const stream = await send(streamRequest(other));
    expect("http-session-unknown", stream?.status === 404, `${why}, for a GET`, stream);
  }
  const without = await post(ping, { ...own, "mcp-session-id": "" });
  const is400 = without?.status === 400;
  expect("http-session-missing", is400, "400, as the session is not named", without);
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

/**
 * Resumes a stream after its first event, if its events have ids. The server must not replay events from other streams.
 */
async function resume(
  { visit, post, send, expect }: Door,
  ping: Members,
  own: Headers,
): Promise<void> {
  const first = eventsIn(await post({ ...ping, id: "doctor-stream-1" }, own));
  const [event] = first;
  if (event?.id === undefined) return;
  visit.expect("http-priming", event.data === "", {
    pointer: "/http/event/data",
    received: event.data,
  });
  const others = eventsIn(await post({ ...ping, id: "doctor-stream-2" }, own));
  const resumed = await send(streamRequest({ ...own, "last-event-id": event.id }), true);
  if (resumed?.status !== 200) return;
  const [rest, foreign, again] = [first.slice(1), others, eventsIn(resumed)].map((events) =>
    events.map(({ data }) => data).filter(Boolean),
  ) as [string[], string[], string[]];
  // A server need not resume streams and may open a new one instead. But if it replays events, it must replay all those
  // after `Last-Event-ID`, and only from that stream.
  const repeated = rest.filter((data) => again.includes(data));
  const isPart = repeated.length > 0 && repeated.length < rest.length;
  const isForeign = foreign.some((data) => again.includes(data) && !rest.includes(data));
  const expected = `the events after ${event.id}: ${rest.join(", ") || "none"}`;
  const place = { pointer: "/http/event/data", expected, received: again.join(", ") || "nothing" };
  expect("http-resume", !isPart && !isForeign, expected, resumed, place);
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

function eventsIn(response: Response | undefined): readonly StreamEvent[] {
  if (mediaType(response?.headers["content-type"]) !== EVENTS) return [];
  return response!.text
    .split(/\r?\n\r?\n/)
    .map((block) => ({
      id: /^id: ?(.*)$/m.exec(block)?.[1],
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? "",
    }))
    .filter(({ id, data }) => id !== undefined || data !== "");
}
