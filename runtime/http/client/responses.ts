import { LONGEST_DELAY } from "../../ground/index.js";
import { type RequestId, isObject } from "../../wire/index.js";
import { AuthorizationError, HttpError } from "./errors.js";
import { type ResponseLimits, place } from "./options.js";

export const JSON_TYPE = "application/json";
export const EVENT_STREAM = "text/event-stream";

export function mediaType({ headers }: Response): string {
  const type = headers.get("content-type") ?? "";
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

export function isAnswer(value: unknown, id: RequestId): boolean {
  return isObject(value) && value["method"] === undefined && value["id"] === id;
}

/**
 * Yields the body of a response, chunk by chunk. Leaving the loop early closes the connection.
 *
 * @param idleTimeout - the time, in milliseconds, within which the next chunk must arrive
 * @param signal - the request's signal. Some implementations of `fetch` do not end a read if the signal aborts at the
 *   very moment the body is complete (nodejs/undici#4089)
 * @throws HttpError if no chunk arrives in time, the connection breaks, or the signal aborts
 */
export async function* readChunks(
  response: Response,
  idleTimeout: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const cancel = (): void => void reader.cancel().catch(() => {});
  let last = performance.now();
  let isSilent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // One timer serves all chunks: when it fires, it checks when the last chunk arrived, and restarts for the remaining
  // time.
  const look = (): void => {
    const left = last + idleTimeout - performance.now();
    isSilent = left <= 0;
    if (isSilent) cancel();
    else timer = setTimeout(look, Math.ceil(left));
  };
  if (idleTimeout <= LONGEST_DELAY) timer = setTimeout(look, idleTimeout);
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (signal?.aborted) brokenOff(signal.reason);
      if (isSilent) throw new HttpError(`The server sent nothing for ${idleTimeout} ms`);
      if (done) return;
      last = performance.now();
      yield value;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function brokenOff(cause: unknown): never {
  throw new HttpError("The connection broke during the server's response", { cause });
}

export async function readText(
  response: Response,
  { maxMessageBytes, idleTimeout }: ResponseLimits,
  signal: AbortSignal,
): Promise<string> {
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

/** Reading the start of a body stops after this many milliseconds without a chunk. */
const START_TIME = 1000;
/** No further chunk is read from the start of a body after this many milliseconds. */
const MOST_TIME = 5000;

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
    // Only the text that has arrived so far is available.
  }
  return text.slice(0, length);
}

/**
 * Releases a response whose body is not needed. A short body is read to the end so that its connection can be reused.
 */
export function discard(response: Response): void {
  if (!response.bodyUsed) void readStart(response, 16_384);
}

/** The maximum number of characters to read from the body of an error response. */
const LONGEST_READ = 65_536;
/** The maximum number of those characters to keep in the error. */
const LONGEST_DETAIL = 1000;
/** The maximum number of those characters to quote in the error's message. */
const LONGEST_REASON = 200;

export interface Refusal {
  readonly error: HttpError;
  readonly text: string;
  /** The response body, if it is JSON. */
  readonly value: unknown;
}

export async function readRefusal(response: Response, method: string, url: URL): Promise<Refusal> {
  const { status, statusText } = response;
  const text = response.bodyUsed ? "" : await readStart(response, LONGEST_READ);
  const type = mediaType(response);
  const value = type === JSON_TYPE ? parsed(text) : undefined;
  const found = isObject(value) ? value["error"] : undefined;
  const rpcError = isObject(found) ? found : undefined;
  const message = `${method} ${place(url)} was answered ${status}${reasonIn(rpcError, type, text)}`;
  const detail = text.slice(0, LONGEST_DETAIL);
  const rpcCode = rpcError?.["code"];
  const wait = retryAfter(response);
  const failure = {
    status,
    ...(statusText !== "" && { statusText }),
    ...(detail !== "" && { detail }),
    ...(typeof rpcCode === "number" && { rpcCode }),
    ...(wait !== undefined && { retryAfter: wait }),
  };
  const challenge = response.headers.get("www-authenticate") ?? undefined;
  const isAboutSender = status === 401 || (status === 403 && challenge !== undefined);
  if (!isAboutSender) return { error: new HttpError(message, failure), text, value };
  return { error: new AuthorizationError(message, challenge, failure), text, value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonIn(
  error: Readonly<Record<string, unknown>> | undefined,
  type: string,
  text: string,
): string {
  const message = error?.["message"];
  if (typeof message === "string") return `: ${shown(message)}`;
  if (type !== "text/plain" && type !== "") return "";
  const reason = shown(text);
  return reason === '""' ? "" : `: ${reason}`;
}

function shown(text: string): string {
  const line = text
    .slice(0, LONGEST_REASON + 1)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return `"${line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line}"`;
}

/**
 * The statuses with which a server refuses a request before processing it, provided that it also says when to retry.
 */
const REFUSALS: readonly number[] = [429, 503];

/** The shortest wait, in milliseconds. It keeps a server from making this client retry constantly. */
export const SHORTEST_WAIT = 100;

/**
 * Returns how many milliseconds to wait before a refused request can be sent again (RFC 9110, section 10.2.3). Returns
 * undefined if the response names no such time, or if the wait is longer than `most`.
 */
export function retryAfter(
  { status, headers }: Response,
  most: number = Infinity,
): number | undefined {
  const value = REFUSALS.includes(status) ? headers.get("retry-after")?.trim() : undefined;
  if (!value) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  const wait = Math.max(delay, SHORTEST_WAIT);
  return wait <= most ? wait : undefined;
}
