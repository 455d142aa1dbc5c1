import { HttpError } from "./errors.js";
import { readChunks } from "./read-chunks.js";
import type { ResponseLimits } from "./settings.js";

/**
 * The whole body of a response as text.
 * @throws HttpError when it is too long, stops coming, or breaks off
 */
export async function readText(
  response: Response,
  limits: ResponseLimits,
  signal: AbortSignal,
): Promise<string> {
  const { maxMessageBytes, idleTimeout } = limits;
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of readChunks(response, idleTimeout, signal)) {
    length += chunk.byteLength;
    if (length > maxMessageBytes) {
      const { status } = response;
      const limit = `${maxMessageBytes} bytes (option maxMessageBytes)`;
      throw new HttpError(`The server's answer is longer than ${limit}`, { status });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads the start of a body: all that matters of one that is only shown, or not even that. */
export async function readStart(
  response: Response,
  length: number,
  signal?: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  const latest = performance.now() + MOST_TIME;
  let text = "";
  try {
    for await (const chunk of readChunks(response, START_TIME, signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= length || performance.now() > latest) break;
    }
  } catch {
    // What came so far is all there is.
  }
  return text.slice(0, length);
}

/** Milliseconds that a body which hardly matters may stay silent. */
const START_TIME = 1000;

/** Milliseconds that it may take, silent or not. */
const MOST_TIME = 5000;

/** Releases a response whose body matters to nobody; a short one is read, so that its connection is used again. */
export function discard(response: Response): void {
  if (!response.bodyUsed) void readStart(response, 16_384);
}
