import { type Delivery, pause } from "./link.js";

/** Time before a stream without `retry` is resumed, in milliseconds. */
const PAUSE = 300;

/** Request whose event stream can end before its response (MCP: polling). */
export interface Polled {
  /** Maximum time for the response, in milliseconds. */
  readonly limit: number;
  /** True until the request has its response. */
  isWaiting(): boolean;
  /** Resumes the stream after an event; undefined if the transport cannot. */
  resume(last: string): Promise<Delivery> | undefined;
}

/** Resumes the stream of a request whenever it ends before the response. Returns false if it once ended without `retry`. */
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
