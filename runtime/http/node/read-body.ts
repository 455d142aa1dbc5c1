import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { OVERLOADED, type Problem } from "../server/problem.js";
import type { ByteBudget } from "../server/byte-budget.js";
import { GONE, NOT_UTF8, TOO_LARGE } from "../server/read-message.js";

const BYTE_ORDER_MARK = 0xfeff;

/** Reads a body as text and keeps no more of it than it may have. Never rejects. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  return new Promise((resolve) => {
    // The request lives until it is answered: what listens to it must not keep the body alive.
    let settle: ((result: string | Problem) => void) | undefined = resolve;
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: string | Problem): void => {
      const settled = settle;
      settle = undefined;
      chunks.length = 0;
      budget.give(size);
      request.off("data", take);
      settled?.(result);
    };
    const take = (chunk: Buffer): void => {
      const isFull = !budget.take(chunk.length);
      if (!isFull) size += chunk.length;
      if (!isFull && size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      finish(isFull ? OVERLOADED : TOO_LARGE);
    };
    request.on("data", take);
    request.on("end", () => {
      if (settle) finish(decode(chunks));
    });
    request.on("close", () => {
      if (settle) finish(GONE);
    });
  });
}

function decode(chunks: readonly Buffer[]): string | Problem {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
