import { within } from "../../ground/index.js";
import {
  InvalidMessageError,
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
import { AuthorizationError, isTransientStatus } from "./errors.js";
import type { StreamHost } from "./event-stream.js";
import { Exchange, type MessageSink, notResumable } from "./exchange.js";
import { FLUSH_TIME } from "./message-sender.js";
import { type HttpClientOptions, reconnectSettings, responseLimits } from "./options.js";
import {
  type MethodPlan,
  type ToolHeaders,
  methodPlan,
  requestHeaders,
  toolHeaders,
} from "./request-headers.js";
import { type SendRequest, acceptedPosts, requester } from "./requests.js";
import { isAnswer, readRefusal } from "./responses.js";

/** Client of Streamable HTTP without sessions: each message is a POST with header fields of its own. */
export class StatelessHttp implements StatelessExchanges {
  readonly #send: SendRequest;
  readonly #host: StreamHost;
  /** Host of the streams of requests that open a subscription; such a stream may be silent. */
  readonly #listeningHost: StreamHost;
  readonly #exchanges = new Map<RequestId, Exchange>();
  readonly #accepted = acceptedPosts();
  readonly #notifying = new Set<Promise<void>>();
  readonly #tools: ToolHeaders;
  readonly #names: ReadonlyMap<string, string>;
  readonly #sending: Map<RequestId, SendingOptions>;
  /** Plans by method, of the last revision that a message had. */
  readonly #plans = new Map<string, MethodPlan>();
  #revision: Revision | undefined;
  #receiver!: Receiver;
  #isClosed = false;

  /** @param sending - options of requests that are about to be sent */
  constructor(url: URL, options: HttpClientOptions, sending: Map<RequestId, SendingOptions>) {
    const limits = responseLimits(options);
    this.#sending = sending;
    this.#send = requester(options);
    this.#host = { limits, reconnect: reconnectSettings(options), url };
    this.#listeningHost = { ...this.#host, limits: { ...limits, idleTimeout: Infinity } };
    this.#names = new Map(Object.entries(options.nameHeaders ?? {}));
    this.#tools = toolHeaders((error) => this.#receiver.failed(undefined, error));
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
    await within(FLUSH_TIME, Promise.all(this.#notifying));
    this.#accepted.close();
  }

  /** Never rejects: the receiver is notified if a request fails. */
  async #request(message: RequestMessage, body: string, revision: Revision): Promise<void> {
    const { id } = message;
    const plan = this.#planOf(message.method, revision);
    const host = plan.isListening ? this.#listeningHost : this.#host;
    const exchange = new Exchange(id, host, this.#sinkOf(message, plan));
    this.#exchanges.set(id, exchange);
    const options = this.#sending.get(id);
    if (options) this.#sending.delete(id);
    try {
      if (options?.resumption?.token !== undefined) throw notResumable(revision.id);
      const headers = requestHeaders(plan, message.params, this.#tools, options);
      const { url } = host;
      const { signal } = exchange;
      const response = await this.#send({ method: "POST", url, headers, body, signal });
      if (response.ok) await exchange.receive(response);
      else await this.#receiveRefusal(response, id);
    } catch (error) {
      if (this.#exchanges.get(id) === exchange) this.#receiver.failed(id, error as Error);
    } finally {
      exchange.finish();
      if (this.#exchanges.get(id) === exchange) this.#exchanges.delete(id);
    }
  }

  #planOf(method: string, revision: Revision): MethodPlan {
    if (revision !== this.#revision) this.#plans.clear();
    this.#revision = revision;
    let plan = this.#plans.get(method);
    if (plan === undefined) {
      plan = methodPlan(method, revision, this.#names.get(method));
      this.#plans.set(method, plan);
    }
    return plan;
  }

  /** Resolves when the server has accepted the notification, or the receiver knows that it has not. */
  #notify({ method }: NotificationMessage, body: string, revision: Revision): Promise<void> {
    const { headers } = this.#planOf(method, revision);
    const sent = this.#accepted
      .send(this.#send, this.#host.url, { headers, body })
      .catch((error: Error) => {
        if (!this.#isClosed) this.#receiver.failed(undefined, error);
      });
    this.#notifying.add(sent);
    return sent.finally(() => this.#notifying.delete(sent));
  }

  /** Sink that passes on the answer to the request itself, and reports an answer to another one. */
  #sinkOf({ id, method }: RequestMessage, { isToolList }: MethodPlan): MessageSink {
    const receiver = this.#receiver;
    return {
      malformed: (problem) => receiver.malformed(problem),
      message: (value, origin) => {
        const isOwn = isAnswer(value, id);
        if (!isOwn && isSomeAnswer(value)) return receiver.failed(undefined, strayAnswer(method));
        if (!isOwn || !isToolList) return receiver.message(value, origin);
        receiver.message(withResult(value as object, (result) => this.#tools.learn(result)));
      },
    };
  }

  /** Delivers the error that refuses a request, if the response has one: with the id of the request, or without an id. */
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

/** True for a value that answers a request. */
function isSomeAnswer(value: unknown): boolean {
  return isObject(value) && value["method"] === undefined && isRequestId(value["id"]);
}

/** True for a JSON-RPC error that does not name the request it answers. */
function isErrorWithoutId(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["error"])) return false;
  return value["method"] === undefined && (value["id"] === undefined || value["id"] === null);
}

function strayAnswer(method: string): InvalidMessageError {
  return new InvalidMessageError(
    `The response to ${method} contains the result of another request`,
  );
}

function withResult(answer: { result?: unknown }, change: (result: unknown) => unknown): object {
  return "result" in answer ? { ...answer, result: change(answer.result) } : answer;
}
