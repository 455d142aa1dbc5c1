import { createParser } from "eventsource-parser";
import { eventOf } from "../../record/body-copy.js";
import { type Exchange, exchange, readTexts, type TextFraming } from "./exchange.js";
import { type UrlTarget } from "./http-link.js";
import { BYTE_LIMIT, type Ending, isWithin, type Link, type LinkEvents, passOn } from "./link.js";

/** The maximum time until the first event, which names the endpoint, in milliseconds. */
const ENDPOINT_WITHIN = 3_000;

export interface SseStream {
  readonly response: Exchange;
  /** The first event; undefined if none arrived in time. */
  readonly first: { readonly type: string; readonly data: string } | undefined;
  /** The data of the first event if its type is `endpoint`. */
  readonly endpoint: string | undefined;
}

/** Opens a server's HTTP+SSE stream and passes on all its events except the endpoint. */
async function openStream(
  target: UrlTarget,
  headers: Readonly<Record<string, string>>,
  events: Pick<LinkEvents, "message" | "text">,
  onEnd: () => void,
): Promise<SseStream | undefined> {
  const accept = "text/event-stream";
  const response = await exchange(target.url, {
    method: "GET",
    headers: { ...target.headers, accept, ...headers },
  });
  if (response.status !== 200 || !response.headers["content-type"]?.startsWith(accept)) {
    response.cancel();
    return undefined;
  }
  let note: ((event: SseStream["first"]) => void) | undefined;
  const named = new Promise<SseStream["first"]>((resolve) => (note = resolve));
  const parser = createParser({
    onEvent({ data, event: type, id }) {
      const isFirst = note !== undefined;
      note?.({ type: type ?? "message", data });
      note = undefined;
      if ((isFirst && type === "endpoint") || data === "") return;
      const event = eventOf(type, id);
      passOn(data, events, { ...framing, http: { stream: true, ...(event && { event }) } });
    },
  });
  let framing: TextFraming = {};
  const reading = readTexts(response, BYTE_LIMIT, (text, current) => {
    framing = current;
    parser.feed(text);
  });
  void reading.finally(onEnd);
  await isWithin(ENDPOINT_WITHIN, Promise.race([named, reading]));
  note?.(undefined);
  const first = await named;
  return { response, first, endpoint: first?.type === "endpoint" ? first.data : undefined };
}

/** Opens a server's HTTP+SSE stream, and closes it again unless `keep` is true. */
export async function glanceAt(
  target: UrlTarget,
  headers: Readonly<Record<string, string>> = {},
  keep = false,
  events: Pick<LinkEvents, "message" | "text"> = { message() {}, text() {} },
): Promise<SseStream | undefined> {
  const stream = await openStream(target, headers, events, () => {}).catch(() => undefined);
  if (!keep) stream?.response.cancel();
  return stream;
}

/** True if an address is valid and has the given origin. The address may be relative. */
export function isEndpoint(address: string | undefined, { origin }: URL): boolean {
  if (address === undefined || /["<>\s]/.test(address) || !URL.canParse(address, origin))
    return false;
  return new URL(address, origin).origin === origin;
}

/**
 * Connects over HTTP+SSE: sends messages to the address in the stream's first event, and receives messages on the
 * stream.
 */
export function openSse(target: UrlTarget, events: LinkEvents): Link {
  let isClosed = false;
  let opening: Promise<SseStream | undefined> = Promise.resolve(undefined);
  const ended = new Promise<Ending>((resolve) => {
    opening = openStream(target, {}, events, () => {
      const ending: Ending = { by: isClosed ? "eof" : "itself", stderr: "", problem: STREAM_ENDED };
      resolve(ending);
      if (!isClosed) events.ended(ending);
    });
  });
  opening.catch(() => {});
  return {
    transport: "sse",
    ended,
    async send(text) {
      const address = (await opening)?.endpoint;
      if (address === undefined || !isEndpoint(address, target.url)) {
        throw new Error("the first event of the stream names no endpoint of the server");
      }
      const response = await exchange(new URL(address, target.url), {
        method: "POST",
        headers: { ...target.headers, "content-type": "application/json" },
        body: text,
      });
      const { status, headers, cancel } = response;
      cancel();
      const done = Promise.resolve();
      return status < 400 ? undefined : { status, headers, address, done, cancel };
    },
    async close() {
      isClosed = true;
      const stream = await opening.catch(() => undefined);
      stream?.response.cancel();
      return { by: "eof", stderr: "" };
    },
  };
}

const STREAM_ENDED = "the end of the stream";
