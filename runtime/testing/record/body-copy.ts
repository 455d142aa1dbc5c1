import { createParser } from "eventsource-parser";
import type { IncomingHttpHeaders } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { TapeHttp } from "../tape/index.js";

/** The maximum length of a copied body, in bytes. A longer body is cut off. */
const LONGEST = 64 * 1024 * 1024;

export interface BodyCopy {
  add(chunk: Buffer): void;
  /** Returns the text of the whole body; empty for an event stream, whose events are passed to `onEvent`. */
  text(): Promise<string>;
}

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
  // If the compressed data is invalid, the client reports that. The tape contains what could be read.
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
