import {
  LifecycleError,
  type Malformed,
  type Receiver,
  type RequestId,
  type Resumption,
  deliver,
  isObject,
  quote,
} from "../../wire/index.js";
import { HttpError, StreamEndedError } from "./errors.js";
import { type ResumableStream, type StreamHost, resumableStream } from "./event-stream.js";
import { place } from "./options.js";
import {
  EVENT_STREAM,
  JSON_TYPE,
  discard,
  isAnswer,
  mediaType,
  readRefusal,
  readText,
} from "./responses.js";

/** The time, in milliseconds, for which a stream may stay open after its response, which should have ended it. */
const AFTER_ANSWER = 1000;

/** The time, in milliseconds, for which a cancelled request keeps its connection. */
const AFTER_CANCEL = 1000;

export type MessageSink = Pick<Receiver, "message" | "malformed">;

/** A request from this client, together with the HTTP responses that carry its answer and related messages. */
export class ClientExchange implements MessageSink {
  readonly #id: RequestId;
  readonly #host: StreamHost;
  readonly #sink: MessageSink;
  readonly #resumption: Resumption | undefined;
  readonly #controller = new AbortController();
  readonly signal: AbortSignal = this.#controller.signal;
  #isAnswered = false;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(id: RequestId, host: StreamHost, sink: MessageSink, resumption?: Resumption) {
    this.#id = id;
    this.#host = host;
    this.#sink = sink;
    this.#resumption = resumption;
  }

  abort(): void {
    this.finish();
    this.#controller.abort();
  }

  cancel(): void {
    this.#leaveIn(AFTER_CANCEL);
  }

  finish(): void {
    clearTimeout(this.#leaving);
  }

  async receive(response: Response): Promise<void> {
    if (!response.ok) return this.#receiveRefusal(response);
    const type = mediaType(response);
    if (response.status === 202 || response.status === 204) {
      discard(response);
      throw this.#unanswered("accepted without a response", response.status);
    }
    if (type === EVENT_STREAM) return this.#receiveStream(this.#newStream(), response);
    if (type === JSON_TYPE) return this.#receiveJson(response);
    discard(response);
    const what = type === "" ? "a response without a content type" : quote(type);
    throw this.#unanswered(`answered with ${what}, not JSON or events`, response.status);
  }

  async resume(): Promise<void> {
    const stream = this.#newStream();
    stream.resumeAfter(this.#resumption!.token!);
    if (!stream.canResume()) throw streamEnded("and its token is not an event id");
    return this.#receiveStream(stream, await stream.attempt(this.signal).catch(notResumed));
  }

  message(received: unknown): void {
    const value = this.#resumption?.token === undefined ? received : asOwn(received, this.#id);
    this.#note(value);
    this.#sink.message(value, { ownRequest: this.#id });
  }

  malformed(problem: Malformed): void {
    this.#note(problem.value);
    this.#sink.malformed(problem);
  }

  async #receiveRefusal(response: Response): Promise<void> {
    const { error, text, value } = await readRefusal(response, "POST", this.#host.url);
    if (!isAnswer(value, this.#id)) throw error;
    deliver(text, this);
  }

  async #receiveJson(response: Response): Promise<void> {
    const text = await readText(response, this.#host.limits, this.signal);
    if (text === "") throw this.#unanswered("answered with an empty response", response.status);
    deliver(text, this);
    if (!this.#isAnswered) {
      throw this.#unanswered("answered with a response to another request", response.status);
    }
  }

  #newStream(): ResumableStream {
    return resumableStream(this.#host, {
      mostFailures: this.#host.reconnect.retries,
      onid: this.#resumption?.ontoken,
      ontext: (text) => {
        deliver(text, this);
        if (this.#isAnswered) this.#leaveIn(AFTER_ANSWER);
      },
    });
  }

  async #receiveStream(stream: ResumableStream, first: Response | undefined): Promise<void> {
    const { retries } = this.#host.reconnect;
    let response = first;
    for (;;) {
      if (response && mediaType(response) !== EVENT_STREAM) {
        discard(response);
        throw streamEnded("and the response to its resumption is not an event stream");
      }
      if (response) await stream.read(response, this.signal);
      if (this.#isAnswered) return;
      this.signal.throwIfAborted();
      if (!stream.canResume()) throw streamEnded("and cannot be resumed");
      if (stream.isExhausted()) throw streamEnded(`and could not be resumed ${retries} times`);
      await stream.pause(this.signal);
      response = await stream.attempt(this.signal).catch(notResumed);
    }
  }

  #note(value: unknown): void {
    this.#isAnswered ||= Array.isArray(value)
      ? value.some((one) => isAnswer(one, this.#id))
      : isAnswer(value, this.#id);
  }

  #leaveIn(milliseconds: number): void {
    this.#leaving ??= setTimeout(() => this.#controller.abort(), milliseconds);
  }

  #unanswered(how: string, status: number): HttpError {
    return new HttpError(`The request to ${place(this.#host.url)} was ${how}`, { status });
  }
}

/**
 * Rewrites the answer to an earlier request, or its progress notification, as one for the request
 * with this id; returns any other message unchanged.
 */
function asOwn(message: unknown, id: RequestId): unknown {
  if (!isObject(message)) return message;
  const { method, params } = message;
  if (method === undefined) return { ...message, id };
  const isProgress = !("id" in message) && isObject(params) && "progressToken" in params;
  return isProgress ? { ...message, params: { ...params, progressToken: id } } : message;
}

export function notResumable(where: string): LifecycleError {
  return new LifecycleError(
    `${where} cannot resume an earlier request: resumption.token is for sessions over Streamable HTTP`,
  );
}

function streamEnded(why: string, cause?: unknown): StreamEndedError {
  return new StreamEndedError(`The stream ended before the answer ${why}`, { cause });
}

function notResumed(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  throw streamEnded("and could not be resumed", error);
}
