import { type Delivery, pause } from "./link.js";

/** The time before a stream without `retry` is resumed, in milliseconds. */
const PAUSE = 300;

/** A request whose event stream may end before its response (MCP: polling). */
export interface Polled {
  /** The maximum pause before a stream is resumed, in milliseconds. */
  readonly limit: number;
  isWaiting(): boolean;
  /** Resumes the stream after the event with the given id. Returns undefined if the transport cannot resume streams. */
  resume(last: string): Promise<Delivery> | undefined;
}

/**
 * Resumes a request's stream each time it ends early. Returns false if a resumable stream ended before the server had
 * sent `retry`.
 */
export async function poll(first: Delivery, polled: Polled): Promise<boolean> {
  let hasRetry = true;
  let next: Delivery | undefined = first;
  let retry: number | undefined;
  while (next !== undefined) {
    await next.done;
    const { last, retry: named }: NonNullable<Delivery["stream"]> = next.stream ?? {};
    if (last === undefined || !polled.isWaiting()) break;
    retry = named ?? retry;
    hasRetry &&= retry !== undefined;
    await pause(Math.min(retry ?? PAUSE, polled.limit));
    next = polled.isWaiting() ? await polled.resume(last) : undefined;
  }
  return hasRetry;
}
