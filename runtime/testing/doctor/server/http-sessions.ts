import { mediaType } from "../link/http-link.js";
import { type Door, type Headers, isRefused, type Response, STRANGER } from "./door.js";
import { NO_VERSION } from "./methods.js";
import type { Members } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";

const NO_SESSION = "mcp-codegen-doctor-no-session";
/** Maximum number of characters in which two session ids differ if they are considered guessable. */
export const MOST_GUESSED = 4;

/**
 * Examines the rules for HTTP sessions, in a separate session.
 * @param refusesOrigins - true if the server rejects a POST with a foreign Origin, so that it must also reject such a
 * GET
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
  const own: Headers = session === undefined ? version : { ...version, "mcp-session-id": session };
  if (session !== undefined) {
    const isVisible = visit.expect("http-session-id", /^[\x21-\x7e]+$/.test(session), {
      pointer: "/http/headers/mcp-session-id",
      received: session,
    });
    if (isVisible) await nextSession(door, opening, session);
  }
  await post({ jsonrpc: "2.0", method: methodOf(revision, "initialized") }, own);
  const ping = { jsonrpc: "2.0", id: "doctor-ping", method: methodOf(revision, "ping") };
  const stream = await send({ method: "GET", headers: { ...own, accept: "text/event-stream" } });
  const isStream =
    stream?.status === 200 && mediaType(stream.headers["content-type"]) === "text/event-stream";
  expect("http-get", isStream || stream?.status === 405, "an event stream, or 405", stream);
  if (isStream && refusesOrigins) {
    const origin = `https://${STRANGER}`;
    const headers = { ...own, accept: "text/event-stream", origin };
    const foreign = await send({ method: "GET", headers });
    expect("http-origin", isRefused(foreign), `403 for a GET, as the Origin is ${origin}`, foreign);
  }
  const unknown = await post(ping, { ...own, "mcp-protocol-version": NO_VERSION });
  expect(
    "http-version-refused",
    unknown?.status === 400,
    `400, as there is no version ${NO_VERSION}`,
    unknown,
  );
  if (revision.conventions.versionHeader) {
    const absent = await post(ping, { ...own, "mcp-protocol-version": "" });
    expect("http-version-absent", absent?.status === 200, "200", absent);
  }
  await resume(door, ping, own);
  if (session === undefined) return;
  const other = await post(ping, { ...own, "mcp-session-id": NO_SESSION });
  const isChecked = expect(
    "http-session-unknown",
    other?.status === 404,
    "404, as there is no such session",
    other,
  );
  // A server that ignores session ids would fail the next checks as well.
  if (isChecked) {
    const without = await post(ping, { ...own, "mcp-session-id": "" });
    expect("http-session-missing", isRefused(without), "400, as the session is not named", without);
  }
  const bye = await send({ method: "DELETE", headers: own });
  const isOver = bye !== undefined && bye.status >= 200 && bye.status < 300;
  expect("http-delete", isOver || bye?.status === 405, "200, 202, 204 or 405", bye);
  if (!isOver || !isChecked) return;
  const after = await post(ping, own);
  expect("http-session-ended", after?.status === 404, "404, as the session was deleted", after);
}

/** Opens another session, and compares the ids: those of a counter or a clock differ in few characters. */
async function nextSession({ visit, post, send }: Door, opening: Members, id: string) {
  const next = (await post(opening))?.headers["mcp-session-id"];
  if (next === undefined) return;
  const version = { "mcp-protocol-version": visit.revision.id };
  await send({ method: "DELETE", headers: { ...version, "mcp-session-id": next } });
  visit.expect("http-session-guessable", differenceOf(id, next) > MOST_GUESSED, {
    pointer: "/http/headers/mcp-session-id",
    expected: "ids of two sessions that have little in common",
    received: `${id}, then ${next}`,
  });
}

/** Returns the number of characters of `text` between the beginning and the end that it shares with `other`. */
export function differenceOf(other: string, text: string): number {
  const least = Math.min(other.length, text.length);
  let start = 0;
  while (start < least && other[start] === text[start]) start++;
  let end = 0;
  while (start + end < least && other.at(-1 - end) === text.at(-1 - end)) end++;
  return text.length - start - end;
}

/** Continues a stream after its first event, if events have ids; events of other streams must not be sent. */
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
  const headers = { ...own, accept: "text/event-stream", "last-event-id": event.id };
  const resumed = await send({ method: "GET", headers }, true);
  if (resumed?.status !== 200) return;
  const [rest, foreign, again] = [first.slice(1), others, eventsIn(resumed)].map((events) =>
    events.map(({ data }) => data).filter(Boolean),
  ) as [string[], string[], string[]];
  // A server need not resume streams and may open a new one. But if it repeats events, they must be from the named
  // stream, and complete.
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

/** Returns the events in the body of a response; none if it is not an event stream. */
function eventsIn(response: Response | undefined): readonly StreamEvent[] {
  if (mediaType(response?.headers["content-type"]) !== "text/event-stream") return [];
  return response!.text
    .split(/\r?\n\r?\n/)
    .map((block) => ({
      id: /^id: ?(.*)$/m.exec(block)?.[1],
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? "",
    }))
    .filter(({ id, data }) => id !== undefined || data !== "");
}
