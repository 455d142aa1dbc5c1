import { createParser } from "eventsource-parser";
import { pause } from "../../ground/index.js";
import { HttpError, isTransient, isTransientStatus } from "./errors.js";
import type { ReconnectSettings, ResponseLimits } from "./options.js";
import { SHORTEST_WAIT, discard, readChunks, readRefusal } from "./responses.js";

export interface EventSink {
  event(data: string, id: string | undefined, type: string | undefined): void;
  retry(milliseconds: number): void;
}

/**
 * The factor by which an event's text may be longer than its data, because each line of data begins with a field name.
 */
const OVERHEAD = 8;

/**
 * The time, in milliseconds, after which the count of text without an event is reset, because an idle stream receives
 * comments for as long as it is open.
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
  /** The number of characters since the last event, and the time at which counting began. */
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
    // A CR at the end of a chunk ends its line immediately, because the LF that the parser would wait for may never
    // arrive.
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
 * The error thrown if an event exceeds the limit. The stream must not be resumed, because the server would send the
 * event again.
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
  /** Opens the stream with a GET request, to which it adds these headers. Absent if streams cannot be resumed. */
  open?(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

export interface ResumableStreamOptions {
  /** The maximum number of consecutive failures to reopen the stream. After more than that, it is exhausted. */
  readonly mostFailures: number;
  readonly ontext: (text: string) => void;
  /** Receives the id of each event that has one, before its data. */
  readonly onid?: ((id: string) => void) | undefined;
}

/**
 * The maximum fraction by which a wait is randomly lengthened, so that a server's clients do not all reconnect at the
 * same time.
 */
const SPREAD = 0.2;

export interface ResumableStream {
  canResume(): boolean;
  isExhausted(): boolean;
  /** Continues after the event with this id. If the id is empty, only new events are received. */
  resumeAfter(id: string): void;
  /**
   * Reads one connection until it ends. If the connection breaks, this counts as its end and does not cause a
   * rejection.
   */
  read(response: Response, signal: AbortSignal): Promise<void>;
  /**
   * Waits before the next {@link attempt}. The wait is longer after each failure, up to a maximum, and is never shorter
   * than the server has requested.
   */
  pause(signal: AbortSignal): Promise<void>;
  /**
   * Reopens the stream where it was interrupted.
   *
   * @returns undefined after a temporary failure
   * @throws HttpError if the server refuses permanently, or the signal's reason if it is aborted
   */
  attempt(signal: AbortSignal): Promise<Response | undefined>;
}

export function resumableStream(
  host: StreamHost,
  { mostFailures, ontext, onid }: ResumableStreamOptions,
): ResumableStream {
  /** The id of the last event, as a header value; empty if the stream cannot be resumed. */
  let lastId = "";
  let failures = 0;
  /** The wait that the server has requested, in milliseconds. */
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

/** The maximum length of an event id that is kept, in bytes. It is limited because the id has to fit in a header. */
const LONGEST_ID = 4096;

/**
 * Encodes an event id as UTF-8 header bytes (HTML: server-sent events). Returns an empty string if the id is too long
 * or cannot be carried in a header.
 */
function headerValue(id: string): string {
  let value = "";
  for (const byte of new TextEncoder().encode(id)) {
    if (byte < 0x20 || byte === 0x7f) return "";
    value += String.fromCharCode(byte);
  }
  return value.length > LONGEST_ID ? "" : value;
}
