import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Problem } from "../http/problem.js";
import { GONE, NOT_UTF8, TOO_LARGE } from "../http/read-message.js";

const BYTE_ORDER_MARK = 0xfeff;

/** Reads a body as text and keeps no more of it than it may have. Never rejects. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | Problem> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.off("data", take);
      request.pause();
      resolve(TOO_LARGE);
    };
    request.on("data", take);
    request.on("end", () => resolve(size > maxBytes ? TOO_LARGE : decode(chunks)));
    request.on("close", () => resolve(GONE));
  });
}

function decode(chunks: readonly Buffer[]): string | Problem {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
