import { type Exchange, type ExchangeOptions, readTexts } from "../link/exchange.js";
import { EVENTS, isEventStream } from "../link/http-link.js";
import { isWithin, pause } from "../link/link.js";
import { NOTHING } from "../conversation.js";
import type { TimedCall } from "../visit.js";
import { type Door, type Headers, postOf } from "./door.js";
import { member, type Members, parsed } from "../../tape/json-value.js";

export function streamRequest(headers: Headers): ExchangeOptions {
  return { method: "GET", headers: { ...headers, accept: EVENTS } };
}

/** The longest duration of a call whose stream is resumed, in milliseconds. */
const LONGEST = 5_000;

/**
 * Resumes streams after their first event, if their events have ids: first a stream that has ended, then one whose
 * connection is closed during a call. The server must not replay events from other streams.
 */
export async function resumeStreams(door: Door, ping: Members, own: Headers): Promise<void> {
  const call = door.visit.called.toSorted((one, other) => other.duration - one.duration)[0];
  const isPinged = await replay(door, own, { request: () => ping, limit: 2_000 });
  if (call === undefined || call.duration > LONGEST || isPinged === false) return;
  const streams = { request: (name: string) => messageOf(call, name), limit: limitOf(call) };
  const isReplayed = await replay(door, own, streams);
  if (isReplayed !== undefined) await interrupt(door, own, { ...streams, isReplayed });
}

function limitOf({ duration }: TimedCall): number {
  return 1_500 + duration * 2;
}

function messageOf({ method, params }: TimedCall, name: string): Members {
  const meta = { progressToken: `${NOTHING}-${name}` };
  return { jsonrpc: "2.0", method, params: { ...params, _meta: meta } };
}

interface Streams {
  /** Returns the request that opens a stream. */
  readonly request: (name: string) => Members;
  /** The maximum time to read a stream, in milliseconds. */
  readonly limit: number;
}

/**
 * Resumes the stream of a request that has been answered. Returns true if the server has replayed it, false if it was
 * replayed wrongly, and undefined if its events have no ids.
 */
async function replay(door: Door, own: Headers, streams: Streams): Promise<boolean | undefined> {
  const { visit } = door;
  const first = await read(door, own, streams, "stream-1");
  const [event] = first;
  if (event?.id === undefined) return undefined;
  visit.expect("http-priming", event.data === "", {
    pointer: "/http/event/data",
    received: event.data,
  });
  const others = await read(door, own, streams, "stream-2");
  const rest = dataOf(first.slice(1));
  const stream = await resumed(door, own, event.id);
  if (stream === undefined) return undefined;
  await stream.until((events) => dataOf(events).length >= Math.max(1, rest.length), 1_500);
  await pause(100);
  stream.close();
  return checkReplay(door, { id: event.id, rest, others: dataOf(others), again: stream.events() });
}

/**
 * Closes the connection of a call, starts another call, and resumes the stream of the first. A closed connection does
 * not cancel a call in a session, so a server that replays streams must still answer it. A new stream of the session
 * must not carry any response.
 */
async function interrupt(
  door: Door,
  own: Headers,
  { request, limit, isReplayed }: Streams & { readonly isReplayed: boolean },
): Promise<void> {
  const { visit } = door;
  const beside = await openStream(await door.open(streamRequest(own)));
  const message = { ...request("stream-3"), id: `${NOTHING}-3` };
  const first = await openStream(await door.open(postOf(visit, message, own)));
  await first?.until((events) => events.some(({ id }) => id !== undefined), limit);
  const last = first?.events().findLast(({ id }) => id !== undefined)?.id;
  first?.close();
  const other = read(door, own, { request, limit }, "stream-4");
  const stream = last === undefined ? undefined : await resumed(door, own, last);
  const isAnswer = ({ data }: StreamEvent): boolean => idIn(data) === message.id;
  const isOver = first?.events().some(isAnswer) ?? true;
  await stream?.until((events) => isOver || events.some(isAnswer), limit);
  const others = dataOf(await other);
  await pause(50);
  stream?.close();
  beside?.close();
  if (stream === undefined || last === undefined) return;
  const again = stream.events();
  const strays = (beside?.events() ?? []).filter(({ data }) => idIn(data) !== undefined);
  const place = { pointer: "/http/event/data", received: strays[0]?.data };
  const expected = "no response on a stream that was not resumed";
  visit.expect("http-resume", strays.length === 0, { ...place, expected });
  if (!checkReplay(door, { id: last, rest: [], others, again }) || !isReplayed || isOver) return;
  visit.expect("http-resume", again.some(isAnswer), {
    pointer: "/http/event/data",
    expected: "the response to the call whose connection was closed",
    received: dataOf(again).join(", ") || "nothing",
  });
}

interface Replay {
  readonly id: string;
  /** The events of the stream after the one with the id. */
  readonly rest: readonly string[];
  readonly others: readonly string[];
  readonly again: readonly StreamEvent[];
}

/**
 * Checks the events of a resumed stream. A server need not resume streams and may open a new one instead. But if it
 * replays events, it must replay all those after `Last-Event-ID`, and only from that stream.
 */
function checkReplay({ visit }: Door, { id, rest, others, again: events }: Replay): boolean {
  const again = dataOf(events);
  const missing = rest.filter((data) => !again.includes(data));
  const isPart = missing.length > 0 && missing.length < rest.length;
  const foreign = others.find((data) => again.includes(data) && !rest.includes(data));
  return visit.expect("http-resume", !isPart && foreign === undefined, {
    pointer: "/http/event/data",
    expected:
      foreign === undefined
        ? `each event after ${id}: ${missing[0]}`
        : `only events of the stream of ${id}`,
    received: foreign ?? `${rest.length - missing.length} of ${rest.length} events`,
  });
}

/** Sends a request and returns the events of its whole stream. */
async function read(
  { visit, open }: Door,
  own: Headers,
  { request, limit }: Streams,
  name: string,
): Promise<readonly StreamEvent[]> {
  const message = { ...request(name), id: `doctor-${name}` };
  const stream = await openStream(await open(postOf(visit, message, own)));
  await stream?.until(() => false, limit);
  stream?.close();
  return stream?.events() ?? [];
}

async function resumed(door: Door, own: Headers, id: string): Promise<Stream | undefined> {
  return openStream(await door.open(streamRequest({ ...own, "last-event-id": id })));
}

interface Stream {
  readonly events: () => readonly StreamEvent[];
  /** Waits until the events fulfil a condition or the stream ends, but no longer than the given time. */
  until(holds: (events: readonly StreamEvent[]) => boolean, milliseconds: number): Promise<void>;
  close(): void;
}

/** Reads an event stream. Returns undefined if the response is none. */
async function openStream(response: Exchange | undefined): Promise<Stream | undefined> {
  if (response === undefined) return undefined;
  if (response.status !== 200 || !isEventStream(response.headers)) {
    response.cancel();
    return undefined;
  }
  let text = "";
  const done = readTexts(response, 1_000_000, (more) => (text += more));
  const events = (): readonly StreamEvent[] => eventsIn(text);
  return {
    events,
    async until(holds, milliseconds) {
      const end = performance.now() + milliseconds;
      while (!holds(events()) && performance.now() < end) if (await isWithin(20, done)) return;
    },
    close: () => response.cancel(),
  };
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

export function eventsIn(text: string): readonly StreamEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .map((block) => ({
      id: /^id: ?(.*)$/m.exec(block)?.[1],
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? "",
    }))
    .filter(({ id, data }) => id !== undefined || data !== "");
}

export function dataOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map(({ data }) => data).filter(Boolean);
}

function idIn(data: string): unknown {
  const message = parsed(data);
  return member(message, "method") === undefined ? member(message, "id") : undefined;
}
