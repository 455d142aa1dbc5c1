import { LONGEST_DELAY } from "../../ground/index.js";
import {
  ConnectionClosedError,
  type Receiver,
  type RequestId,
  deliver,
  quote,
} from "../../wire/index.js";
import { HttpError } from "./errors.js";
import { readEventStream } from "./event-stream.js";
import type { Connection } from "./message-sender.js";
import { type SseClientOptions, place, responseLimits } from "./options.js";
import { ACCEPT_TIME, acceptedPosts, type SendRequest, requester } from "./requests.js";
import { EVENT_STREAM, JSON_TYPE, discard, isAnswer, mediaType, readRefusal } from "./responses.js";

const POST_HEADERS = { "content-type": JSON_TYPE };

/**
 * An HTTP+SSE client connection: one stream for all messages from the server, and one endpoint for messages from the
 * client.
 */
export class SseConnection implements Connection {
  readonly #url: URL;
  readonly #options: SseClientOptions;
  readonly #receiver: Receiver;
  readonly #send: SendRequest;
  readonly #controller = new AbortController();
  readonly #accepted = acceptedPosts();
  #endpoint: URL | undefined;

  constructor(url: URL, options: SseClientOptions, receiver: Receiver) {
    this.#url = url;
    this.#options = options;
    this.#receiver = receiver;
    this.#send = requester(options);
  }

  /** Opens the stream; resolves when the server has named its endpoint. */
  async open(): Promise<void> {
    const { endpointTimeout = 10_000 } = this.#options;
    const { signal } = this.#controller;
    const late = new HttpError(
      `${place(this.#url)} named no endpoint within ${endpointTimeout} ms`,
    );
    const delay = Math.min(endpointTimeout, LONGEST_DELAY);
    const timer = setTimeout(() => this.#controller.abort(late), delay);
    try {
      const headers = { accept: EVENT_STREAM };
      const response = await this.#send({ method: "GET", url: this.#url, headers, signal });
      if (!response.ok) throw (await readRefusal(response, "GET", this.#url)).error;
      await this.#readEndpoint(response);
    } catch (error) {
      this.#controller.abort(error);
      throw signal.reason;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends a request without a time limit, because some servers do not respond to the POST until they have answered the
   * request.
   */
  request(id: RequestId, text: string): Promise<void> {
    return this.#post(text, Infinity, id);
  }

  notify(text: string): Promise<void> {
    return this.#post(text, ACCEPT_TIME);
  }

  answer(_ids: readonly RequestId[], text: string): Promise<void> {
    return this.#post(text, ACCEPT_TIME);
  }

  /** Does nothing, because one stream serves all requests. */
  cancel(): void {}

  agreed(): void {}

  async close(): Promise<void> {
    this.#controller.abort();
    this.#accepted.close();
  }

  /** @param id - id of the request in the body; the response to the POST may contain an error for it */
  #post(body: string, milliseconds: number, id?: RequestId): Promise<void> {
    return this.#accepted.within(milliseconds, async (signal) => {
      const url = this.#endpoint!;
      const headers = POST_HEADERS;
      const response = await this.#send({ method: "POST", url, headers, body, signal });
      if (response.ok) return this.#accepted.discard(response);
      const { error, text, value } = await readRefusal(response, "POST", url);
      if (id === undefined || !isAnswer(value, id)) throw error;
      deliver(text, this.#receiver);
    });
  }

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

  /** Reads the stream until it ends, which ends the session. The stream may be silent for any length of time. */
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

/**
 * Returns the URL of the endpoint that the server has named. It must have the stream's origin, because messages may
 * carry credentials.
 */
function endpointUrl(data: string, base: URL): URL {
  const refuse = (why: string): HttpError =>
    new HttpError(`${place(base)} named ${quote(data)} as its endpoint, ${why}`);
  if (data === "")
    throw new HttpError(`${place(base)} did not name its endpoint in the first event`);
  let url: URL;
  try {
    url = new URL(data, base);
  } catch {
    throw refuse("which is not a URL");
  }
  if (url.origin !== base.origin || url.username !== "" || url.password !== "") {
    throw refuse("which has another origin than its stream");
  }
  return url;
}
