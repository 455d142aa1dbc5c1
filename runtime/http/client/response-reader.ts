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
import { isAnswer } from "./is-answer.js";
import { EVENT_STREAM, JSON_TYPE, mediaType } from "./media-type.js";
import { readRefusal } from "./read-refusal.js";
import { discard, readText } from "./read-text.js";
import { ResumableStream, type StreamHost } from "./resumable-stream.js";
import { place } from "./settings.js";

/** Time that a stream may go on after the answer that should end it, in milliseconds. */
const AFTER_ANSWER = 1000;

/** Time that a cancelled request keeps its connection, in milliseconds. */
const AFTER_CANCEL = 1000;

/** Consumer of the messages in a response. */
export type MessageSink = Pick<Receiver, "message" | "malformed">;

/** One request and the HTTP responses that bring its answer, with whatever else they bring. */
export class ResponseReader implements MessageSink {
  readonly #id: RequestId;
  readonly #host: StreamHost;
  readonly #sink: MessageSink;
  readonly #resumption: Resumption | undefined;
  readonly #controller = new AbortController();
  #isAnswered = false;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(id: RequestId, host: StreamHost, sink: MessageSink, resumption?: Resumption) {
    this.#resumption = resumption;
    this.#id = id;
    this.#host = host;
    this.#sink = sink;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(): void {
    clearTimeout(this.#leaving);
    this.#controller.abort();
  }

  /** Ends before long: nobody waits for the answer any more. */
  cancel(): void {
    this.#leaveIn(AFTER_CANCEL);
  }

  /** Nothing more is to be done. */
  finish(): void {
    clearTimeout(this.#leaving);
  }

  /**
   * Delivers what a response to the request brings.
   * @throws HttpError, SessionExpiredError when the answer is not in it and cannot be fetched either
   */
  async receive(response: Response): Promise<void> {
    if (!response.ok) return this.#receiveRefusal(response);
    const type = mediaType(response);
    if (response.status === 202 || response.status === 204) {
      discard(response);
      throw this.#unanswered("accepted without an answer", response.status);
    }
    if (type === EVENT_STREAM) return this.#receiveStream(response);
    if (type === JSON_TYPE) return this.#receiveJson(response);
    discard(response);
    const what = type === "" ? "something that has no type" : quote(type);
    throw this.#unanswered(`answered with ${what}, not JSON or events`, response.status);
  }

  async #receiveRefusal(response: Response): Promise<void> {
    const { error, text, value } = await readRefusal(response, "POST", this.#host.url);
    if (!this.#isAnswer(value)) throw error;
    deliver(text, this);
  }

  async #receiveJson(response: Response): Promise<void> {
    const text = await readText(response, this.#host.limits, this.signal);
    if (text === "") throw this.#unanswered("answered with nothing", response.status);
    deliver(text, this);
    if (!this.#isAnswered) {
      throw this.#unanswered("answered with something that is not its answer", response.status);
    }
  }

  /**
   * Delivers the answer to an earlier request, as that of this one.
   * @throws StreamEndedError when the server does not have it any more
   */
  async resume(): Promise<void> {
    const stream = this.#newStream();
    stream.resumeAfter(this.#resumption!.token!);
    if (!stream.canResume) throw streamEnded("and its token is no event id");
    const response = await stream.attempt(this.signal).catch(notResumed);
    return this.#receiveEvents(stream, response);
  }

  #newStream(): ResumableStream {
    const ontext = (text: string): void => {
      deliver(text, this);
      if (this.#isAnswered) this.#leaveIn(AFTER_ANSWER);
    };
    return new ResumableStream(
      this.#host,
      this.#host.reconnect.retries,
      ontext,
      this.#resumption?.ontoken,
    );
  }

  #receiveStream(first: Response): Promise<void> {
    return this.#receiveEvents(this.#newStream(), first);
  }

  async #receiveEvents(stream: ResumableStream, first: Response | undefined): Promise<void> {
    const { retries } = this.#host.reconnect;
    let response = first;
    for (;;) {
      if (response && mediaType(response) !== EVENT_STREAM) {
        discard(response);
        throw streamEnded("and was resumed with something that is no stream");
      }
      if (response) await stream.read(response, this.signal);
      if (this.#isAnswered) return;
      this.signal.throwIfAborted();
      if (!stream.canResume) throw streamEnded("and cannot be resumed");
      if (stream.isExhausted) throw streamEnded(`and could not be resumed ${retries} times`);
      await stream.pause(this.signal);
      response = await stream.attempt(this.signal).catch(notResumed);
    }
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

  #note(value: unknown): void {
    const answers = Array.isArray(value)
      ? value.some((one) => this.#isAnswer(one))
      : this.#isAnswer(value);
    if (answers) this.#isAnswered = true;
  }

  #isAnswer(value: unknown): boolean {
    return isAnswer(value, this.#id);
  }

  #leaveIn(milliseconds: number): void {
    this.#leaving ??= setTimeout(() => this.#controller.abort(), milliseconds);
  }

  #unanswered(how: string, status: number): HttpError {
    return new HttpError(`The request to ${place(this.#host.url)} was ${how}`, { status });
  }
}

/** Message about an earlier request as one about this: its answer and its progress. */
function asOwn(message: unknown, id: RequestId): unknown {
  if (!isObject(message)) return message;
  const { method, params } = message;
  if (method === undefined) return { ...message, id };
  const isProgress = !("id" in message) && isObject(params) && "progressToken" in params;
  return isProgress ? { ...message, params: { ...params, progressToken: id } } : message;
}

/** @param where - what has no streams that could go on */
export function notResumable(where: string): LifecycleError {
  return new LifecycleError(
    `${where} cannot go on with an earlier request: resumption.token is for sessions over Streamable HTTP`,
  );
}

function streamEnded(why: string, cause?: unknown): StreamEndedError {
  return new StreamEndedError(`The stream ended before the answer ${why}`, { cause });
}

function notResumed(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  throw streamEnded("and could not be resumed", error);
}
