import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { OVERLOADED, type Problem } from "../problem.js";
import type { ReadBudget } from "../read-budget.js";
import { GONE, NOT_UTF8, TOO_LARGE } from "../read-message.js";

const BYTE_ORDER_MARK = 0xfeff;

/** Reads a body as text and keeps no more of it than it may have. Never rejects. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: ReadBudget,
): Promise<string | Problem> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // The request lives until it is answered: what listens to it must not keep the body alive.
    const finish = (result: string | Problem): void => {
      chunks.length = 0;
      budget.give(size);
      request.off("data", take).off("end", end).off("close", gone);
      resolve(result);
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
    const end = (): void => finish(decode(chunks));
    const gone = (): void => finish(GONE);
    request.on("data", take).on("end", end).on("close", gone);
  });
}

function decode(chunks: readonly Buffer[]): string | Problem {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
