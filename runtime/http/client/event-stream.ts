import { createParser } from "eventsource-parser";
import { pause } from "../../ground/index.js";
import { HttpError, isTransient, isTransientStatus } from "./errors.js";
import type { ReconnectSettings, ResponseLimits } from "./options.js";
import { SHORTEST_WAIT, discard, readChunks, readRefusal } from "./responses.js";

export interface EventSink {
  event(data: string, id: string | undefined, type: string | undefined): void;
  retry(milliseconds: number): void;
}

/** Factor by which an event's text may exceed its data, because each line of data begins with a field name. */
const OVERHEAD = 8;

/**
 * Milliseconds after which the count of text without an event starts again, because an idle stream receives comments
 * for as long as it is open.
 */
const OVERHEAD_TIME = 60_000;

export async function readEventStream(
  response: Response,
  { maxMessageBytes, idleTimeout }: ResponseLimits,
  signal: AbortSignal,
  sink: EventSink,
): Promise<void> {
  const decoder = new TextDecoder();
  const most = OVERHEAD * maxMessageBytes;
  /** Characters since the last event, and the time at which counting began. */
  let length = 0;
  let since = performance.now();
  let isTooLong = false;
  let endedInReturn = false;
  const parser = createParser({
    maxBufferSize: maxMessageBytes,
    onEvent: ({ data, id, event }) => {
      length = 0;
      since = performance.now();
      if (data.length > maxMessageBytes) isTooLong = true;
      else if (!isTooLong) sink.event(data, id, event);
    },
    onRetry: (milliseconds) => sink.retry(milliseconds),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
  });
  for await (const chunk of readChunks(response, idleTimeout, signal)) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    // A CR at the end of a chunk ends its line immediately: the LF that the parser would wait for may never arrive.
    const start = endedInReturn && text.startsWith("\n") ? 1 : 0;
    endedInReturn = text.endsWith("\r");
    text = text.slice(start);
    if (text.includes("\r")) text = text.replaceAll(/\r\n?/g, "\n");
    length += text.length;
    if (length > most) {
      if (performance.now() - since < OVERHEAD_TIME) {
        throw new HttpError(`The server sent more than ${most} characters without an event`);
      }
      length = 0;
      since = performance.now();
    }
    parser.feed(text);
    if (isTooLong) throw new EventTooLongError(maxMessageBytes);
  }
}

/**
 * Error for an event that exceeds the limit. The stream must not be resumed, because the server would send the event
 * again.
 */
export class EventTooLongError extends HttpError {
  constructor(limit: number) {
    super(`The server sent an event of more than ${limit} characters (option maxMessageBytes)`);
  }
}

export interface StreamHost {
  readonly limits: ResponseLimits;
  readonly reconnect: ReconnectSettings;
  readonly url: URL;
  /** Opens the stream with a GET request and adds these headers; absent if streams cannot be resumed. */
  open?(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

export interface ResumableStreamOptions {
  /** Maximum number of consecutive failures to reopen the stream; after more, it is exhausted. */
  readonly mostFailures: number;
  readonly ontext: (text: string) => void;
  /** Receives the id of each event that has one, before its data. */
  readonly onid?: ((id: string) => void) | undefined;
}

/**
 * Maximum share by which a wait is lengthened at random, so that a server's clients do not all reconnect at the same
 * time.
 */
const SPREAD = 0.2;

export interface ResumableStream {
  canResume(): boolean;
  isExhausted(): boolean;
  /** Continues after the event with this id; with an empty id, only new events are received. */
  resumeAfter(id: string): void;
  /** Reads one connection until it ends. A broken connection counts as ended, and does not reject. */
  read(response: Response, signal: AbortSignal): Promise<void>;
  /**
   * Waits before the next {@link attempt}: longer after each failure, up to a maximum, and never less than the server
   * has set.
   */
  pause(signal: AbortSignal): Promise<void>;
  /**
   * Opens the stream where it was interrupted.
   * @returns undefined after a temporary failure
   * @throws HttpError if the server refuses permanently, the signal's reason if it aborts
   */
  attempt(signal: AbortSignal): Promise<Response | undefined>;
}

export function resumableStream(
  host: StreamHost,
  { mostFailures, ontext, onid }: ResumableStreamOptions,
): ResumableStream {
  /** Id of the last event, as a header value; empty if the stream cannot be resumed. */
  let lastId = "";
  let failures = 0;
  /** Wait that the server has set, in milliseconds. */
  let retry: number | undefined;
  const canResume = (): boolean => lastId !== "" && host.open !== undefined;
  const resumeAfter = (id: string): void => {
    lastId = headerValue(id);
  };
  return {
    canResume,
    isExhausted: () => failures > mostFailures,
    resumeAfter,
    async read(response, signal) {
      let hasEvents = false;
      let isBroken = false;
      try {
        await readEventStream(response, host.limits, signal, {
          event: (data, id) => {
            hasEvents = true;
            if (id !== undefined) resumeAfter(id);
            if (id) onid?.(id);
            if (data !== "") ontext(data);
          },
          retry: (milliseconds) => {
            retry = Math.max(milliseconds, SHORTEST_WAIT);
          },
        });
      } catch (error) {
        if (error instanceof EventTooLongError) throw error;
        isBroken = true;
      }
      const isIntended = hasEvents || (retry !== undefined && !isBroken);
      failures = isIntended ? 0 : failures + 1;
    },
    async pause(signal) {
      const { initialDelay, maxDelay, factor } = host.reconnect;
      if (failures === 0) return pause(retry ?? initialDelay, signal);
      const grown = Math.min(initialDelay * factor ** (failures - 1), maxDelay);
      return pause(Math.max(grown, retry ?? 0) * (1 + Math.random() * SPREAD), signal);
    },
    async attempt(signal) {
      try {
        const headers = canResume() ? { "last-event-id": lastId } : {};
        const response = await host.open!(headers, signal);
        if (response.ok) return response;
        if (!isTransientStatus(response.status)) {
          throw (await readRefusal(response, "GET", host.url)).error;
        }
        discard(response);
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
      }
      failures += 1;
      return undefined;
    },
  };
}

/** Longest event id that is kept, in bytes, because a header has to hold it. */
const LONGEST_ID = 4096;

/**
 * Encodes an event id as the bytes of a header, in UTF-8 (HTML: server-sent events); empty if the
 * id is too long or no header can carry it.
 */
function headerValue(id: string): string {
  let value = "";
  for (const byte of new TextEncoder().encode(id)) {
    if (byte < 0x20 || byte === 0x7f) return "";
    value += String.fromCharCode(byte);
  }
  return value.length > LONGEST_ID ? "" : value;
}
