import {
  InvalidMessageError,
  type Method,
  type MethodTable,
  type NotificationMessage,
  type Receiver,
  type RequestId,
  type RequestMessage,
  type Revision,
  type SendingOptions,
  type StatelessExchanges,
  deliver,
  isObject,
  isRequestId,
} from "../../wire/index.js";
import { Discards } from "./discards.js";
import { AuthorizationError, isTransientStatus } from "./errors.js";
import { ResponseReader, type MessageSink, notResumable } from "./response-reader.js";
import { isAnswer } from "./is-answer.js";
import { isErrorWithoutId } from "./is-error-without-id.js";
import { EVENT_STREAM, JSON_TYPE } from "./media-type.js";
import type { HttpClientOptions } from "./options.js";
import { readRefusal } from "./read-refusal.js";
import { methodHeaders, requestHeaders } from "./request-headers.js";
import { Requester } from "./requester.js";
import type { StreamHost } from "./resumable-stream.js";
import { reconnectSettings, responseLimits } from "./settings.js";
import { ToolHeaders } from "./tool-headers.js";
import { ACCEPT_TIME, TimedWork } from "./timed-work.js";
import { settledWithin } from "./wait.js";

/** Time that closing waits for the server to take the messages sent before, in milliseconds. */
const FLUSH_TIME = 2000;

/** Stateless messages over HTTP: each is a POST with header fields of its own. */
export class StatelessHttp implements StatelessExchanges {
  readonly #requester: Requester;
  readonly #host: StreamHost;
  readonly #exchanges = new Map<RequestId, ResponseReader>();
  readonly #telling = new TimedWork();
  readonly #open = new Set<Promise<void>>();
  readonly #discards = new Discards();
  readonly #tools: ToolHeaders;
  readonly #names: ReadonlyMap<string, string>;
  #receiver!: Receiver;
  #isClosed = false;

  readonly #wishes: Map<RequestId, SendingOptions>;

  /** @param wishes - of the callers of requests that are about to be sent */
  constructor(url: URL, options: HttpClientOptions, wishes: Map<RequestId, SendingOptions>) {
    this.#wishes = wishes;
    this.#requester = new Requester(options);
    this.#host = { limits: responseLimits(options), reconnect: reconnectSettings(options), url };
    this.#names = new Map(Object.entries(options.nameHeaders ?? {}));
    this.#tools = new ToolHeaders((error) => this.#receiver.failed(undefined, error));
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(
    message: RequestMessage | NotificationMessage,
    revision: Revision,
  ): Promise<void> | undefined {
    const body = JSON.stringify(message);
    if (this.#isClosed) return undefined;
    if (!("id" in message)) return this.#notify(message, body, revision);
    void this.#request(message, body, revision);
    return undefined;
  }

  cancel(id: RequestId): boolean {
    const exchange = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    exchange?.abort();
    return exchange !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#exchanges.keys()) this.cancel(id);
    await settledWithin(FLUSH_TIME, Promise.all(this.#open));
    this.#telling.abort();
    this.#discards.close();
  }

  /** Never rejects: the receiver is told when a request fails. */
  async #request(message: RequestMessage, body: string, revision: Revision): Promise<void> {
    const { id, method } = message;
    const row = revision.methods.get(method);
    const exchange = new ResponseReader(id, this.#hostOf(row), this.#sinkOf(message, revision));
    this.#exchanges.set(id, exchange);
    const wishes = this.#wishes.get(id);
    if (wishes) this.#wishes.delete(id);
    try {
      if (wishes?.resumption?.token !== undefined) throw notResumable(revision.id);
      const named = this.#names.get(method);
      const headers = {
        ...wishes?.headers,
        ...requestHeaders(message, revision, this.#tools, named, wishes?.tool),
      };
      const response = await this.#post(body, headers, exchange.signal);
      if (response.ok) await exchange.receive(response);
      else await this.#receiveRefusal(response, id);
    } catch (error) {
      if (this.#exchanges.get(id) === exchange) this.#receiver.failed(id, error as Error);
    } finally {
      exchange.finish();
      if (this.#exchanges.get(id) === exchange) this.#exchanges.delete(id);
    }
  }

  /** Resolves when the server has taken it, or the receiver knows that it has not. */
  #notify({ method }: NotificationMessage, body: string, revision: Revision): Promise<void> {
    const told = this.#tell(method, body, revision).catch((error: Error) => {
      if (!this.#isClosed) this.#receiver.failed(undefined, error);
    });
    this.#open.add(told);
    return told.finally(() => this.#open.delete(told));
  }

  #post(
    body: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const accept = `${JSON_TYPE}, ${EVENT_STREAM}`;
    const headers = { ...given, accept, "content-type": JSON_TYPE };
    return this.#requester.send({ method: "POST", url: this.#host.url, headers, body, signal });
  }

  #tell(method: string, body: string, revision: Revision): Promise<void> {
    return this.#telling.within(ACCEPT_TIME, async (signal) => {
      const response = await this.#post(body, methodHeaders(method, revision), signal);
      if (!response.ok) throw (await readRefusal(response, "POST", this.#host.url)).error;
      this.#discards.add(response);
    });
  }

  /** Limits of a response; one that only listens may be silent for long. */
  #hostOf(row: Method | undefined): StreamHost {
    if (row?.role !== "listen") return this.#host;
    return { ...this.#host, limits: { ...this.#host.limits, idleTimeout: Infinity } };
  }

  /** Passes on the answer to the request itself; an answer to any other one has got there by mistake. */
  #sinkOf({ id, method }: RequestMessage, { methods }: Revision): MessageSink {
    const receiver = this.#receiver;
    const isList = listsHeaders(method, methods);
    return {
      malformed: (problem) => receiver.malformed(problem),
      message: (value, origin) => {
        const isOwn = isAnswer(value, id);
        if (!isOwn && isSomeAnswer(value)) return receiver.failed(undefined, strayAnswer(method));
        if (!isOwn || !isList) return receiver.message(value, origin);
        receiver.message(withResult(value as object, (result) => this.#tools.learn(result)));
      },
    };
  }

  /**
   * Delivers the error that refuses a request, if there is one in the response: with the request's id, or with none,
   * for there is nothing else in a POST that it could be about.
   */
  async #receiveRefusal(response: Response, id: RequestId): Promise<void> {
    const { status } = response;
    const { error, text, value } = await readRefusal(response, "POST", this.#host.url);
    const isAboutId = isAnswer(value, id) && (status === 500 || !isTransientStatus(status));
    const isAboutPost = (status === 400 || status === 404) && isErrorWithoutId(value);
    if (error instanceof AuthorizationError || !(isAboutId || isAboutPost)) throw error;
    deliver(text, {
      malformed: (problem) => this.#receiver.malformed(problem),
      message: (answer) => this.#receiver.message({ ...(answer as object), id }),
    });
  }
}

/** True for a method that lists which arguments are repeated in header fields. */
function listsHeaders(method: string, methods: MethodTable): boolean {
  for (const { paramHeaders } of methods.values()) if (paramHeaders === method) return true;
  return false;
}

/** True when a value says that it answers a request. */
function isSomeAnswer(value: unknown): boolean {
  return isObject(value) && value["method"] === undefined && isRequestId(value["id"]);
}

function strayAnswer(method: string): InvalidMessageError {
  return new InvalidMessageError(`The response to ${method} has the answer to another request`);
}

function withResult(answer: { result?: unknown }, change: (result: unknown) => unknown): object {
  return "result" in answer ? { ...answer, result: change(answer.result) } : answer;
}
