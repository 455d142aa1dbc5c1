import { OVERLOADED, type Problem } from "./problem.js";
import type { ByteBudget } from "./byte-budget.js";
import { GONE, NOT_UTF8, TOO_LARGE } from "./read-message.js";

const DECODER = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body in one piece; never rejects. Servers see to it that it is no longer than it was declared to be.
 *
 * @param declared - bytes, which are taken from the budget before they have come
 */
export async function readShortBody(
  request: Request,
  declared: number,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  if (!budget.take(declared)) return OVERLOADED;
  try {
    const bytes = await request.arrayBuffer();
    return bytes.byteLength > maxBytes ? TOO_LARGE : decode(bytes);
  } catch {
    return GONE;
  } finally {
    budget.give(declared);
  }
}

function decode(bytes: ArrayBuffer): string | Problem {
  try {
    return DECODER.decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

/** Reads a body as text and keeps no more of it than it may have. Never rejects. */
export async function readWebBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  const stop = (problem: Problem): Problem => {
    reader.cancel().catch(() => {});
    return problem;
  };
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const piece = await reader.read().catch(() => undefined);
      if (piece === undefined) return GONE;
      const length = piece.value?.byteLength ?? 0;
      if (!budget.take(length)) return stop(OVERLOADED);
      size += length;
      if (size > maxBytes) return stop(TOO_LARGE);
      try {
        text += decoder.decode(piece.value, { stream: !piece.done });
      } catch {
        return stop(NOT_UTF8);
      }
      if (piece.done) return text;
    }
  } finally {
    budget.give(size);
  }
}
