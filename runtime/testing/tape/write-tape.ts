import { oneLine } from "./json-text.js";
import { type MaskOptions, type Masks, createMasks } from "./masks.js";
import { TAPE_VERSION, type TapeEntry, type TapeHead, TEXT_LIMIT } from "./tape-format.js";

export interface TapeWriterOptions extends MaskOptions {
  /** Returns the time from a monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Writes the lines of a tape and masks secrets in them. */
export interface TapeWriter {
  /** Writes a line and returns its number. */
  write(entry: TapeEntry): number;
}

/**
 * Creates a writer and writes the tape's head.
 *
 * @param sink - called with each line, including its line end
 */
export function createTapeWriter(
  head: Omit<TapeHead, "tape">,
  sink: (line: string) => void,
  options: TapeWriterOptions = {},
): TapeWriter {
  const now = options.now ?? (() => performance.now());
  const masks = createMasks(options);
  const start = now();
  let n = 0;
  const { command, url, ...rest } = head;
  sink(
    lineOf({
      tape: TAPE_VERSION,
      ...(command && { command: masks.command(command) }),
      ...(url !== undefined && { url: masks.url(url) }),
      ...rest,
    }),
  );
  return {
    write(entry) {
      const t = Math.round((now() - start) * 10) / 10;
      n++;
      sink(entryLine({ n, t }, entry, masks));
      return n;
    },
  };
}

function entryLine(
  place: { readonly n: number; readonly t: number },
  entry: TapeEntry,
  masks: Masks,
): string {
  const { from, conversation, message, messageText, text, http, ...rest } = entry;
  const body = messageText ?? (message === undefined ? undefined : JSON.stringify(message));
  const start = JSON.stringify({ ...place, ...(from && { from }), conversation });
  const end = JSON.stringify({
    ...(text !== undefined && { text: cut(masks.text(text)) }),
    ...rest,
    ...(http && {
      http: { ...http, ...(http.headers && { headers: masks.headers(http.headers) }) },
    }),
  });
  const between = body === undefined ? "" : `,"message":${masks.json(oneLine(body))}`;
  return `${start.slice(0, -1)}${between}${end === "{}" ? "" : `,${end.slice(1, -1)}`}}\n`;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function cut(text: string): string {
  if (text.length * 3 <= TEXT_LIMIT) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= TEXT_LIMIT) return text;
  return new TextDecoder().decode(bytes.subarray(0, TEXT_LIMIT), { stream: true });
}
