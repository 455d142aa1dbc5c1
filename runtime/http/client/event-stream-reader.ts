import { createParser } from "eventsource-parser";
import { HttpError } from "./errors.js";
import { readChunks } from "./read-chunks.js";
import type { ResponseLimits } from "./settings.js";

export interface EventSink {
  /** An event; `id` and `type` are absent when it names none. Data may be empty. */
  event(data: string, id: string | undefined, type: string | undefined): void;
  /** The server's wish for how long to wait before coming back, in milliseconds. */
  retry(milliseconds: number): void;
}

/**
 * Reads server-sent events until the stream ends.
 * @throws HttpError when an event is too long, or the stream breaks off or falls silent
 */
export async function readEventStream(
  response: Response,
  { maxMessageBytes, idleTimeout }: ResponseLimits,
  signal: AbortSignal,
  sink: EventSink,
): Promise<void> {
  const decoder = new TextDecoder();
  const lines = new LineEnds();
  const noise = new Noise(NOISE * maxMessageBytes);
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxMessageBytes,
    onEvent: ({ data, id, event }) => {
      noise.reset();
      if (data.length > maxMessageBytes) isTooLong = true;
      else if (!isTooLong) sink.event(data, id, event);
    },
    onRetry: (milliseconds) => sink.retry(milliseconds),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
  });
  for await (const chunk of readChunks(response, idleTimeout, signal)) {
    const text = lines.complete(decoder.decode(chunk, { stream: true }));
    noise.note(text.length);
    parser.feed(text);
    if (isTooLong) throw new EventTooLongError(maxMessageBytes);
  }
}

/** There is no point in fetching it again. */
export class EventTooLongError extends HttpError {
  constructor(limit: number) {
    super(`The server sent an event of more than ${limit} characters (option maxMessageBytes)`);
  }
}

/**
 * Factor by which the text of an event may exceed its data: each line break starts a line of its
 * own.
 */
const NOISE = 8;

/** Milliseconds within which text without an event counts: comments come for as long as a stream is open. */
const NOISE_TIME = 60_000;

/** Notices text that never becomes an event. */
class Noise {
  readonly #limit: number;
  #length = 0;
  #since = performance.now();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws HttpError when there is too much of it */
  note(length: number): void {
    this.#length += length;
    if (this.#length <= this.#limit) return;
    if (performance.now() - this.#since < NOISE_TIME) {
      throw new HttpError(`The server sent more than ${this.#limit} characters without an event`);
    }
    this.reset();
  }

  reset(): void {
    this.#length = 0;
    this.#since = performance.now();
  }
}

/**
 * Makes all line ends LF. A CR at the end of a piece ends its line at once: the LF that the parser would wait for may
 * never come.
 */
class LineEnds {
  #skipsLineFeed = false;

  complete(text: string): string {
    if (text === "") return text;
    const start = this.#skipsLineFeed && text.startsWith("\n") ? 1 : 0;
    this.#skipsLineFeed = text.endsWith("\r");
    const rest = text.slice(start);
    return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest;
  }
}
