import { HttpError, SessionExpiredError } from "./errors.js";
import { deliver } from "../../wire/index.js";
import { EventTooLongError } from "./event-stream-reader.js";
import { EVENT_STREAM, mediaType } from "./media-type.js";
import { discard } from "./read-text.js";
import type { MessageSink } from "./response-reader.js";
import { ResumableStream, type StreamHost } from "./resumable-stream.js";

/**
 * The stream for what the server sends of its own accord (MCP: Streamable HTTP, listening for messages). It is
 * opened again whenever it ends; a server that has none is left alone.
 */
export class ServerStream {
  readonly #stream: ResumableStream;
  readonly #report: (error: Error) => void;
  readonly #ongap: () => void;
  readonly #controller = new AbortController();
  #wasOpened = false;

  /** @param ongap - called when it is open again, and what was sent meanwhile is lost; must not throw */
  constructor(
    host: StreamHost,
    sink: MessageSink,
    report: (error: Error) => void,
    ongap: () => void,
  ) {
    this.#stream = new ResumableStream(host, Infinity, (text) => deliver(text, sink));
    this.#report = report;
    this.#ongap = ongap;
  }

  /** True once the server has opened such a stream. */
  get wasOpened(): boolean {
    return this.#wasOpened;
  }

  /** Resolves when it is over; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#controller;
    try {
      while (!signal.aborted) {
        const response = await this.#connect(signal);
        if (response) await this.#stream.read(response, signal).catch(this.#passOver);
        await this.#stream.pause(signal);
      }
    } catch (error) {
      if (!signal.aborted && !this.#isUnsupported(error)) this.#report(error as Error);
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  /** An event that is too long would come again: the stream goes on without what was missed. */
  readonly #passOver = (error: Error): void => {
    if (!(error instanceof EventTooLongError)) throw error;
    this.#report(error);
    this.#stream.forgetCursor();
  };

  async #connect(signal: AbortSignal): Promise<Response | undefined> {
    const isGap = this.#wasOpened && !this.#stream.canResume;
    try {
      const response = await this.#stream.attempt(signal);
      if (response && mediaType(response) !== EVENT_STREAM) {
        discard(response);
        throw new HttpError("There is no stream to listen to", { status: response.status });
      }
      this.#wasOpened ||= response !== undefined;
      if (response && isGap) this.#ongap();
      return response;
    } catch (error) {
      if (!(error instanceof HttpError) || !this.#stream.canResume) throw error;
      this.#stream.forgetCursor();
      return undefined;
    }
  }

  /** Such a stream is optional; and that the session is over is told elsewhere. */
  #isUnsupported(error: unknown): boolean {
    if (error instanceof SessionExpiredError) return true;
    const isHttp = error instanceof HttpError && error.status !== 401 && error.status !== 403;
    return isHttp && !this.#wasOpened;
  }
}
