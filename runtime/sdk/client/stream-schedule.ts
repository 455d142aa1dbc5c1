import { type Fetch, HttpError } from "@mcp-codegen/runtime/http/client";

/**
 * Decides when an interrupted stream is reopened.
 *
 * @param reconnect - reopens the stream
 * @param delay - the time, in milliseconds, after which the transport itself would reopen it
 * @param attemptCount - the number of failed attempts since the interruption
 * @returns a function to call if the stream is no longer needed
 */
export type ReconnectionScheduler = (
  reconnect: () => void,
  delay: number,
  attemptCount: number,
) => (() => void) | void;

interface Schedule {
  readonly initialDelay?: number;
  readonly maxDelay?: number;
  readonly factor?: number;
  readonly retries?: number;
}

interface Reports {
  readonly report: (error: Error) => void;
}

/** The status reported for an attempt that is not made. After it, the runtime does not try to reopen the stream. */
const GONE = 410;

/**
 * Returns a `fetch` that reports interrupted streams, and failures to reopen them, with the SDK's messages. The program
 * decides when and how often a stream is reopened. A stream is identified by the signal of its requests.
 *
 * @param schedule - the delays and number of attempts; without a schedule, the runtime limits the attempts
 */
export function reopening(
  perform: Fetch,
  schedule: Schedule | undefined,
  scheduler: ReconnectionScheduler | undefined,
  reports: Reports,
): Fetch {
  const { initialDelay = 1000, maxDelay = 30_000, factor = 2, retries = Infinity } = schedule ?? {};
  /** The number of consecutive failures to reopen each stream, by the signal of its requests. */
  const failures = new WeakMap<AbortSignal, number>();

  /**
   * Waits until the program allows a stream to be reopened.
   * @throws HttpError if the stream must not be reopened
   */
  const permitted = async (signal: AbortSignal, count: number): Promise<void> => {
    if (count >= retries) throw gone(`Maximum reconnection attempts (${retries}) exceeded.`);
    if (scheduler === undefined) return;
    const delay = Math.min(initialDelay * factor ** count, maxDelay);
    let cancel: unknown;
    const over = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error);
        signal.addEventListener("abort", abort, { signal: over.signal });
        cancel = scheduler(resolve, delay, count);
      });
    } catch (error) {
      if (typeof cancel === "function") cancel();
      throw signal.aborted ? error : gone(String(error));
    } finally {
      over.abort();
    }
  };

  const attempt = async (url: URL, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const count = failures.get(signal) ?? 0;
    const failed = (why: string): void => {
      failures.set(signal, count + 1);
      reports.report(new Error(`Failed to reconnect SSE stream: ${why}`));
    };
    await permitted(signal, count);
    try {
      const response = await perform(url, init);
      if (!response.ok) failed(`${response.status} ${response.statusText}`.trim());
      return response;
    } catch (error) {
      if (!signal.aborted) failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };

  return async (url, init) => {
    const { signal, method } = init;
    if (!signal) return perform(url, init);
    const isReopened = method === "GET" && failures.has(signal);
    const response = await (isReopened ? attempt(url, init, signal) : perform(url, init));
    const { ok, body, headers, status, statusText } = response;
    if (!ok || !body || !headers.get("content-type")?.startsWith("text/event-stream")) {
      return response;
    }
    failures.set(signal, 0);
    const broken = (error: unknown): void => {
      if (!signal.aborted) reports.report(new Error(`SSE stream disconnected: ${String(error)}`));
    };
    return new Response(observed(body, broken), { headers, status, statusText });
  };
}

function gone(message: string): HttpError {
  return new HttpError(message, { status: GONE });
}

function observed(
  body: ReadableStream<Uint8Array>,
  broken: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          broken(error);
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
