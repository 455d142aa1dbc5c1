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
  quote,
  valueAt,
} from "../../wire/index.js";
import { headerValueOf } from "../../wire/header-values/index.js";
import { type ParamHeader, paramHeadersOf } from "../../wire/param-headers/index.js";
import { AuthorizationError, isTransientStatus } from "./errors.js";
import type { StreamHost } from "./event-stream.js";
import { ClientExchange, type MessageSink, notResumable } from "./exchange.js";
import { FLUSH_TIME } from "./message-sender.js";
import { type HttpClientOptions, reconnectSettings, responseLimits } from "./options.js";
import { type SendRequest, acceptedPosts, requester } from "./requests.js";
import { EVENT_STREAM, JSON_TYPE, isAnswer, readRefusal } from "./responses.js";

/** A Streamable HTTP client without sessions: each message is a POST with its own header fields. */
export class StatelessHttp implements StatelessExchanges {
  readonly #send: SendRequest;
  readonly #host: StreamHost;
  /** The stream settings for requests that open a subscription, whose streams may be silent. */
  readonly #listeningHost: StreamHost;
  readonly #exchanges = new Map<RequestId, ClientExchange>();
  readonly #accepted = acceptedPosts();
  readonly #notifying = new Set<Promise<void>>();
  readonly #tools: ToolHeaders;
  readonly #names: ReadonlyMap<string, string>;
  readonly #sending: Map<RequestId, SendingOptions>;
  /** Maps each method to its plan for the latest message's revision. */
  readonly #plans = new Map<string, MethodPlan>();
  #revision: Revision | undefined;
  #receiver!: Receiver;
  #isClosed = false;

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

  /** Sends a request. Never rejects: if the request fails, the receiver is notified. */
  async #request(message: RequestMessage, body: string, revision: Revision): Promise<void> {
    const { id } = message;
    const plan = this.#planOf(message.method, revision);
    const host = plan.isListening ? this.#listeningHost : this.#host;
    const exchange = new ClientExchange(id, host, this.#sinkOf(message, plan));
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

  /** Sends a notification. Resolves when the server has accepted it, or when its failure has been reported. */
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

  /** Creates a sink that passes on the messages in the response. It reports an answer to another request instead. */
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

  /**
   * Delivers the JSON-RPC error in a refusal as the answer to the request. Throws the HTTP error instead if the refusal
   * contains no error for the request, if authorization is the cause, or if the failure may be temporary (500 does not
   * count).
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

function isSomeAnswer(value: unknown): boolean {
  return isObject(value) && value["method"] === undefined && isRequestId(value["id"]);
}

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

type HeaderFields = Readonly<Record<string, string>>;

/** The facts shared by all messages of a method in one revision. */
interface MethodPlan {
  readonly headers: HeaderFields;
  /** The member of the parameters that requests mirror in `Mcp-Name`. */
  readonly named: string | undefined;
  /** True if arguments are mirrored in header fields. */
  readonly hasToolHeaders: boolean;
  /** True for the method that lists tools. The list says which arguments are mirrored in header fields. */
  readonly isToolList: boolean;
  readonly isListening: boolean;
}

function methodPlan(
  method: string,
  { id, conventions, methods }: Revision,
  named: string | undefined,
): MethodPlan {
  const row = methods.get(method);
  const headers = {
    "mcp-protocol-version": id,
    ...(conventions.methodHeaders && { "mcp-method": headerValueOf(method) }),
    accept: `${JSON_TYPE}, ${EVENT_STREAM}`,
    "content-type": JSON_TYPE,
  };
  return {
    headers,
    named: row ? row.nameHeader : named,
    hasToolHeaders: row?.paramHeaders !== undefined,
    isToolList: [...methods.values()].some(({ paramHeaders }) => paramHeaders === method),
    isListening: row?.role === "listen",
  };
}

/**
 * Returns the header fields of a stateless request, which mirror parts of its body (MCP: Streamable HTTP, request
 * metadata headers).
 */
function requestHeaders(
  { headers, named, hasToolHeaders }: MethodPlan,
  params: unknown,
  tools: ToolHeaders,
  options: SendingOptions | undefined,
): HeaderFields {
  const name = named === undefined ? undefined : valueAt(params, [named]);
  return {
    ...options?.headers,
    ...(hasToolHeaders && tools.of(params, options?.tool)),
    ...headers,
    ...(typeof name === "string" && { "mcp-name": headerValueOf(name) }),
  };
}

const MOST = 10_000;

/** The arguments of a tool that are mirrored in header fields, or the reason why the tool cannot be called. */
type Definition = readonly ParamHeader[] | string;

type ToolHeaders = ReturnType<typeof toolHeaders>;

/**
 * Remembers which arguments of a server's tools are mirrored in header fields, according to the latest tool list (MCP:
 * Streamable HTTP, custom headers from tool parameters).
 */
function toolHeaders(report: (error: Error) => void) {
  const definitions = new Map<string, Definition>();
  const note = (tool: unknown): boolean => {
    const name = isObject(tool) ? tool["name"] : undefined;
    if (typeof name !== "string") return true;
    const definition = definitionOf((tool as Record<string, unknown>)["inputSchema"]);
    const before = definitions.get(name);
    definitions.delete(name);
    if (definition.length > 0) definitions.set(name, definition);
    const [oldest] = definitions.size > MOST ? definitions.keys() : [];
    if (oldest !== undefined) definitions.delete(oldest);
    if (typeof definition !== "string") return true;
    if (before !== definition) report(refused(name, definition, "left out of the list"));
    return false;
  };
  return {
    learn(result: unknown): unknown {
      const tools = isObject(result) ? result["tools"] : undefined;
      if (!Array.isArray(tools)) return result;
      const usable = tools.filter(note);
      return usable.length === tools.length ? result : { ...(result as object), tools: usable };
    },
    /**
     * Returns the header fields for a call.
     *
     * @param tool - a definition to use instead of the listed one
     */
    of(params: unknown, tool?: object): Record<string, string> {
      const { name, arguments: given } = isObject(params) ? params : {};
      const definition = tool
        ? definitionOf((tool as { inputSchema?: unknown }).inputSchema)
        : definitions.get(name as string);
      if (typeof definition === "string") throw refused(name as string, definition, "not called");
      const headers: Record<string, string> = {};
      for (const { header, path } of definition ?? []) {
        const value = valueAt(given, path);
        if (value !== undefined && value !== null) headers[header] = fieldValue(value, header);
      }
      return headers;
    },
  };
}

function definitionOf(inputSchema: unknown): Definition {
  try {
    return paramHeadersOf(inputSchema);
  } catch (error) {
    return (error as Error).message;
  }
}

function fieldValue(value: unknown, header: string): string {
  try {
    if (typeof value === "object") throw new TypeError("it is an object or an array");
    return headerValueOf(value as string | number | boolean);
  } catch (error) {
    const text = `An argument cannot be sent as ${header}: ${(error as Error).message}`;
    throw new InvalidMessageError(text);
  }
}

function refused(name: string, problem: string, consequence: string): InvalidMessageError {
  return new InvalidMessageError(`The tool ${quote(name)} is ${consequence}: ${problem}`);
}
