import { Backoff } from "./backoff.js";
import { isTransient, isTransientStatus } from "./errors.js";
import { EventTooLongError, readEventStream } from "./event-stream-reader.js";
import { discard } from "./read-text.js";
import { readRefusal } from "./read-refusal.js";
import type { ReconnectSettings, ResponseLimits } from "./settings.js";
import { wait } from "./wait.js";

/** Operations of the connection that a stream needs. */
export interface StreamHost {
  readonly limits: ResponseLimits;
  readonly reconnect: ReconnectSettings;
  readonly url: URL;
  /**
   * Does a GET for a stream, with these headers in addition to those that all requests have; absent where streams
   * that ended cannot be fetched again.
   */
  open?(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

/** One stream of events over as many connections as it takes (MCP: Streamable HTTP, resumability). */
export class ResumableStream {
  readonly #host: StreamHost;
  readonly #backoff: Backoff;
  readonly #ontext: (text: string) => void;
  readonly #oncursor: ((id: string) => void) | undefined;
  /** The last event's id, as a header value; empty when the stream cannot be resumed. */
  #cursor = "";

  /**
   * @param mostFailures - of attempts to come back to it, in a row
   * @param ontext - gets the data of each event that has some
   * @param oncursor - gets the id of each event that has one, before its data
   */
  constructor(
    host: StreamHost,
    mostFailures: number,
    ontext: (text: string) => void,
    oncursor?: (id: string) => void,
  ) {
    this.#host = host;
    this.#oncursor = oncursor;
    this.#backoff = new Backoff(host.reconnect, mostFailures);
    this.#ontext = ontext;
  }

  get canResume(): boolean {
    return this.#cursor !== "" && this.#host.open !== undefined;
  }

  get isExhausted(): boolean {
    return this.#backoff.isExhausted;
  }

  /** Begins behind an event that was received before. */
  resumeAfter(id: string): void {
    this.#cursor = headerValue(id);
  }

  /** Starts anew: what was missed meanwhile is lost. */
  forgetCursor(): void {
    this.#cursor = "";
  }

  /**
   * Reads one connection to its end, however it ends.
   * @throws HttpError when an event is too long
   */
  async read(response: Response, signal: AbortSignal): Promise<void> {
    const backoff = this.#backoff;
    let hasEvents = false;
    let isBroken = false;
    try {
      await readEventStream(response, this.#host.limits, signal, {
        event: (data, id) => {
          hasEvents = true;
          if (id !== undefined) this.#cursor = headerValue(id);
          if (id) this.#oncursor?.(id);
          if (data !== "") this.#ontext(data);
        },
        retry: (milliseconds) => {
          backoff.retry = milliseconds;
        },
      });
    } catch (error) {
      if (error instanceof EventTooLongError) throw error;
      isBroken = true;
    }
    if (hasEvents || (backoff.hasRetry && !isBroken)) backoff.succeed();
    else backoff.fail();
  }

  /** Waits as long as it has to before {@link attempt}. */
  async pause(signal: AbortSignal): Promise<void> {
    await wait(this.#backoff.delay, signal);
  }

  /**
   * Connects, where the stream was left.
   * @returns undefined when it may work later
   * @throws HttpError when the server refuses for good, the signal's reason when that aborts
   */
  async attempt(signal: AbortSignal): Promise<Response | undefined> {
    try {
      const headers = this.canResume ? { "last-event-id": this.#cursor } : {};
      const response = await this.#host.open!(headers, signal);
      if (response.ok) return response;
      if (!isTransientStatus(response.status)) {
        throw (await readRefusal(response, "GET", this.#host.url)).error;
      }
      discard(response);
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
    }
    this.#backoff.fail();
    return undefined;
  }
}

/** Longest event id that is kept, in bytes; a header has to hold it. */
const LONGEST_ID = 4096;

/** An event id as a header can carry it, in UTF-8 (HTML: server-sent events); empty when none can. */
function headerValue(id: string): string {
  let value = "";
  for (const byte of new TextEncoder().encode(id)) {
    if (byte < 0x20 || byte === 0x7f) return "";
    value += String.fromCharCode(byte);
  }
  return value.length > LONGEST_ID ? "" : value;
}
