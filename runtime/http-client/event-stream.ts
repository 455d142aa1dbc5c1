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
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxMessageBytes,
    onEvent: ({ data, id, event }) => {
      if (data.length > maxMessageBytes) isTooLong = true;
      else if (!isTooLong) sink.event(data, id, event);
    },
    onRetry: (milliseconds) => sink.retry(milliseconds),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
  });
  for await (const chunk of readChunks(response, idleTimeout, signal)) {
    parser.feed(lines.complete(decoder.decode(chunk, { stream: true })));
    if (isTooLong) throw new EventTooLongError(maxMessageBytes);
  }
}

/** There is no point in fetching it again. */
export class EventTooLongError extends HttpError {
  constructor(limit: number) {
    super(`The server sent an event of more than ${limit} characters`);
  }
}

/** Ends a line that ends in CR at once: the parser would wait for an LF that may never come. */
class LineEnds {
  #skipsLineFeed = false;

  complete(text: string): string {
    if (text === "") return text;
    const start = this.#skipsLineFeed && text.startsWith("\n") ? 1 : 0;
    this.#skipsLineFeed = text.endsWith("\r");
    return this.#skipsLineFeed ? `${text.slice(start, -1)}\n` : text.slice(start);
  }
}
