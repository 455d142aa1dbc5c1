import { createParser } from "eventsource-parser";
import type { IncomingHttpHeaders } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { TapeHttp } from "../tape/index.js";

/** Longest body that is kept, in bytes. */
const LONGEST = 64 * 1024 * 1024;

/** Copy of the body of a message, decoded. */
export interface BodyCopy {
  add(chunk: Buffer): void;
  /** Text of the whole body; empty for an event stream, whose events are passed one by one. */
  text(): Promise<string>;
}

/** Copies a body, and reads the events of an event stream. */
export function bodyCopy(
  headers: IncomingHttpHeaders,
  onEvent?: (data: string, event?: TapeHttp["event"]) => void,
): BodyCopy {
  const isStream = onEvent && /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
  const parser = isStream
    ? createParser({
        onEvent({ data, event, id }) {
          if (data !== "") onEvent(data, eventOf(event, id));
        },
      })
    : undefined;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  const read = (chunk: Buffer): void => {
    const text = decoder.decode(chunk, { stream: true });
    if (parser) return parser.feed(text);
    length += chunk.length;
    if (length <= LONGEST) parts.push(text);
  };
  const unpacker = unpackerOf(headers["content-encoding"]);
  unpacker?.on("data", read);
  // A broken encoding is the client's to notice: the tape has what could be read.
  const unpacked =
    unpacker &&
    new Promise<void>((resolve) => {
      unpacker.on("end", resolve);
      unpacker.on("error", () => resolve());
    });
  return {
    add: (chunk) => void (unpacker ? unpacker.write(chunk) : read(chunk)),
    async text() {
      unpacker?.end();
      await unpacked;
      return parts.join("") + decoder.decode();
    },
  };
}

/** Type and id of an event; undefined without them. */
export function eventOf(type: string | undefined, id: string | undefined): TapeHttp["event"] {
  if (type === undefined && id === undefined) return undefined;
  return { ...(type !== undefined && { type }), ...(id !== undefined && { id }) };
}

function unpackerOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
