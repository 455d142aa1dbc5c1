import { LONGEST_DELAY } from "../../ground/index.js";
import {
  ConnectionClosedError,
  type Receiver,
  type RequestId,
  deliver,
  quote,
} from "../../wire/index.js";
import type { Connection } from "./connection.js";
import { Discards } from "./discards.js";
import { HttpError } from "./errors.js";
import { readEventStream } from "./event-stream-reader.js";
import { isAnswer } from "./is-answer.js";
import { EVENT_STREAM, JSON_TYPE, mediaType } from "./media-type.js";
import type { SseClientOptions } from "./options.js";
import { readRefusal } from "./read-refusal.js";
import { discard } from "./read-text.js";
import { Requester } from "./requester.js";
import { place, responseLimits } from "./settings.js";
import { ACCEPT_TIME, TimedWork } from "./timed-work.js";

/** A client's end of HTTP+SSE: a stream for all that the server says, and an endpoint that it names for the rest. */
export class SseConnection implements Connection {
  readonly #url: URL;
  readonly #options: SseClientOptions;
  readonly #receiver: Receiver;
  readonly #requester: Requester;
  readonly #controller = new AbortController();
  readonly #posting = new TimedWork();
  readonly #discards = new Discards();
  #endpoint: URL | undefined;

  constructor(url: URL, options: SseClientOptions, receiver: Receiver) {
    this.#url = url;
    this.#options = options;
    this.#receiver = receiver;
    this.#requester = new Requester(options);
  }

  /**
   * Opens the stream, and resolves when the server has named its endpoint.
   * @throws HttpError when it does not, or names one of another origin
   */
  async open(): Promise<void> {
    const { endpointTimeout = 10_000 } = this.#options;
    const { signal } = this.#controller;
    const late = new HttpError(`${place(this.#url)} named no endpoint in ${endpointTimeout} ms`);
    const delay = Math.min(endpointTimeout, LONGEST_DELAY);
    const timer = setTimeout(() => this.#controller.abort(late), delay);
    try {
      const headers = { accept: EVENT_STREAM };
      const request = { method: "GET", url: this.#url, headers, signal } as const;
      const response = await this.#requester.send(request);
      if (!response.ok) throw (await readRefusal(response, "GET", this.#url)).error;
      await this.#readEndpoint(response);
    } catch (error) {
      this.#controller.abort(error);
      throw signal.reason;
    } finally {
      clearTimeout(timer);
    }
  }

  /** There are servers that accept a request only when they have answered it. */
  request(id: RequestId, text: string): Promise<void> {
    return this.#post(text, Infinity, id);
  }

  notify(text: string): Promise<void> {
    return this.#post(text, ACCEPT_TIME);
  }

  answer(_ids: readonly RequestId[], text: string): Promise<void> {
    return this.#post(text, ACCEPT_TIME);
  }

  /** The stream is for all requests: there is nothing to let go of. */
  cancel(): void {}

  agreed(): void {}

  async close(): Promise<void> {
    this.#controller.abort();
    this.#posting.abort();
    this.#discards.close();
  }

  /** @param id - of the request in it, which a refusal may answer */
  #post(body: string, milliseconds: number, id?: RequestId): Promise<void> {
    return this.#posting.within(milliseconds, async (signal) => {
      const url = this.#endpoint!;
      const headers = { "content-type": JSON_TYPE };
      const response = await this.#requester.send({ method: "POST", url, headers, body, signal });
      if (response.ok) return this.#discards.add(response);
      const { error, text, value } = await readRefusal(response, "POST", url);
      if (id === undefined || !isAnswer(value, id)) throw error;
      deliver(text, this.#receiver);
    });
  }

  /** Starts to read the stream, and resolves once the server has named the endpoint. */
  async #readEndpoint(response: Response): Promise<void> {
    if (mediaType(response) !== EVENT_STREAM) {
      discard(response);
      const { status } = response;
      throw new HttpError(`GET ${place(this.#url)} was not answered with events`, { status });
    }
    await new Promise<void>((resolve, reject) => {
      const take = (data: string): void => {
        try {
          this.#endpoint = endpointUrl(data, new URL(response.url || this.#url));
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      this.#read(response, take).then(
        () => reject(new HttpError(`GET ${place(this.#url)} ended without naming an endpoint`)),
        reject,
      );
    });
  }

  /** A silent server is no dead one here: the end of the stream would be the end of the session. */
  async #read(response: Response, take: (data: string) => void): Promise<void> {
    const limits = { ...responseLimits(this.#options), idleTimeout: Infinity };
    let problem: Error | undefined;
    try {
      await readEventStream(response, limits, this.#controller.signal, {
        event: (data, _id, type) => {
          if (this.#endpoint === undefined) take(type === "endpoint" ? data : "");
          else if (data !== "" && type !== "endpoint") deliver(data, this.#receiver);
        },
        retry: () => {},
      });
    } catch (error) {
      problem = error as Error;
    }
    if (this.#endpoint === undefined) {
      if (problem) throw problem;
    } else if (!this.#controller.signal.aborted) {
      const why = problem === undefined ? "" : `: ${problem.message}`;
      const cause = problem && { cause: problem };
      const text = `The stream of the server has ended${why}`;
      this.#receiver.closed(new ConnectionClosedError(text, cause));
    }
  }
}

/** @throws HttpError for an endpoint that must not get what is meant for the server */
function endpointUrl(data: string, base: URL): URL {
  const refuse = (why: string): HttpError =>
    new HttpError(`${place(base)} named ${quote(data)} as its endpoint, ${why}`);
  if (data === "") throw new HttpError(`${place(base)} did not begin by naming its endpoint`);
  let url: URL;
  try {
    url = new URL(data, base);
  } catch {
    throw refuse("which is no URL");
  }
  if (url.origin !== base.origin || url.username !== "" || url.password !== "") {
    throw refuse("which has another origin than its stream");
  }
  return url;
}
