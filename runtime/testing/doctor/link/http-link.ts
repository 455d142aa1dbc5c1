import { createParser } from "eventsource-parser";
import { eventOf } from "../../record/body-copy.js";
import type { TapeHttp } from "../../tape/index.js";
import { type Exchange, exchange, readTexts, type TextFraming } from "./exchange.js";
import { BYTE_LIMIT, type Delivery, type Link, type LinkEvents, passOn } from "./link.js";

/** A server that is reached at a URL. */
export interface UrlTarget {
  readonly url: URL;
  /** The header fields that are sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `sse` for HTTP+SSE. Default: Streamable HTTP, or HTTP+SSE if the server rejects Streamable HTTP. */
  readonly transport?: "sse" | undefined;
}

/** The media type of an event stream. */
export const EVENTS = "text/event-stream";
export const ACCEPT = "application/json, text/event-stream";

const VERSION = "mcp-protocol-version";

/** Connects over Streamable HTTP, using the session that the server assigns. */
export function openHttp(target: UrlTarget, events: LinkEvents): Link {
  const open = new Set<Exchange>();
  let session: string | undefined;
  let version: Readonly<Record<string, string>> = {};
  const deliver = async (
    method: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
    number?: number,
  ): Promise<Delivery> => {
    const response = await exchange(target.url, {
      method,
      headers: {
        ...target.headers,
        ...(session !== undefined && { "mcp-session-id": session }),
        ...headers,
      },
      body,
    });
    const { [VERSION]: named } = headers;
    if (named !== undefined) version = { [VERSION]: named };
    open.add(response);
    session ??= response.headers["mcp-session-id"];
    const stream: StreamState = {};
    const done = readBody(response, events, number, stream).finally(() => open.delete(response));
    done.catch(() => {});
    const { status, headers: received, cancel } = response;
    return { status, headers: received, stream, done, cancel };
  };
  return {
    transport: "http",
    ended: new Promise(() => {}),
    send(text, headers, number) {
      return deliver(
        "POST",
        { "content-type": "application/json", accept: ACCEPT, ...headers },
        text,
        number,
      );
    },
    listen(headers, number) {
      const fields = { accept: EVENTS, ...headers };
      return deliver("GET", fields, undefined, number);
    },
    async close() {
      for (const response of open) response.cancel();
      if (session !== undefined) {
        const bye = await deliver("DELETE", version).catch(() => undefined);
        bye?.cancel();
      }
      return { by: "eof", stderr: "" };
    },
  };
}

type StreamState = { last?: string; retry?: number; isCut?: boolean };

async function readBody(
  response: Exchange,
  events: LinkEvents,
  number: number | undefined,
  state: StreamState,
): Promise<void> {
  const { status, headers } = response;
  const isStream = isEventStream(headers);
  const http: TapeHttp = {
    ...(number !== undefined && { exchange: number }),
    status,
    headers,
    ...(isStream && { stream: true }),
  };
  const parser = createParser({
    onEvent({ data, event: type, id }) {
      const event = eventOf(type, id);
      if (id !== undefined) state.last = id;
      if (data !== "")
        passOn(data, events, { ...framing, http: { ...http, ...(event && { event }) } });
    },
    onRetry(retry) {
      state.retry = retry;
    },
  });
  let body = "";
  let tail = "";
  let framing: TextFraming = {};
  const isWhole = await readTexts(response, BYTE_LIMIT, (text, current) => {
    framing = current;
    tail = `${tail}${text}`.slice(-100);
    if (isStream) parser.feed(text);
    else body += text;
  });
  if (!isWhole) return events.text(`more than ${BYTE_LIMIT} bytes in one response`, { http });
  if (isStream) {
    state.isCut = tail.trim() !== "" && !/(?:\r\n|\n|\r){2}$/.test(tail);
    return parser.reset({ consume: true });
  }
  if (body.trim() === "") events.empty(http);
  else passOn(body, events, { ...framing, http });
}

export function isEventStream(headers: Readonly<Record<string, string>>): boolean {
  return mediaType(headers["content-type"]) === EVENTS;
}

export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]!.trim().toLowerCase();
}
