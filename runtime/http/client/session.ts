import {
  type Malformed,
  type Origin,
  type Receiver,
  type RequestId,
  type Revision,
  isObject,
  isRequestId,
} from "../../wire/index.js";
import { HttpError, SessionExpiredError } from "./errors.js";
import type { StreamHost } from "./event-stream.js";
import { ClientExchange, type MessageSink } from "./exchange.js";
import type { ReconnectSettings, ResponseLimits } from "./options.js";
import type { SendRequest } from "./requests.js";
import { EVENT_STREAM, JSON_TYPE, discard, isAnswer, readRefusal } from "./responses.js";

export interface SessionHost {
  readonly send: SendRequest;
  readonly url: URL;
  readonly limits: ResponseLimits;
  readonly reconnect: ReconnectSettings;
  readonly receiver: Receiver;
  expired(session: HttpSession): void;
}

/** Matches visible ASCII characters (MCP: Streamable HTTP, session management). */
const SESSION_ID = /^[\x21-\x7e]+$/;

export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && SESSION_ID.test(id);
}

type HeaderFields = Readonly<Record<string, string>>;

const POST_FIELDS = { accept: `${JSON_TYPE}, ${EVENT_STREAM}`, "content-type": JSON_TYPE };

/** A session with a server, which may have an id (MCP: Streamable HTTP, session management). */
export class HttpSession implements StreamHost, MessageSink {
  isOver = false;
  readonly url: URL;
  readonly limits: ResponseLimits;
  readonly reconnect: ReconnectSettings;
  readonly #host: SessionHost;
  readonly #received = new Map<RequestId, number>();
  #id: string | undefined;
  /** The header fields sent with every request. They change only when the id or the revision becomes known. */
  #headers: HeaderFields = {};
  /** True once the server has opened or resumed a stream: only then does a 404 mean that the session has ended. */
  #hasStreams = false;

  constructor(host: SessionHost) {
    this.#host = host;
    this.url = host.url;
    this.limits = host.limits;
    this.reconnect = host.reconnect;
  }

  get id(): string | undefined {
    return this.#id;
  }

  adopt({ headers, status }: Response): boolean {
    const id = headers.get("mcp-session-id");
    if (id === null) return false;
    if (!isSessionId(id)) {
      throw new HttpError("The server sent a session id that is not visible ASCII", { status });
    }
    this.resume(id);
    return true;
  }

  resume(id: string): void {
    this.#id = id;
    this.#headers = { ...this.#headers, "mcp-session-id": id };
  }

  agreed({ id, conventions }: Revision): void {
    if (conventions.versionHeader) this.#headers = { ...this.#headers, "mcp-protocol-version": id };
  }

  post(
    body: string,
    signal: AbortSignal,
    given?: HeaderFields,
    isRepeatable = false,
  ): Promise<Response> {
    const headers = { ...given, ...this.#headers, ...POST_FIELDS };
    return this.#host.send({ method: "POST", url: this.url, headers, body, signal, isRepeatable });
  }

  async open(given: HeaderFields, signal: AbortSignal): Promise<Response> {
    if (this.isOver) throw expired();
    const headers = { ...this.#headers, ...given, accept: EVENT_STREAM };
    const response = await this.#host.send({ method: "GET", url: this.url, headers, signal });
    this.#hasStreams ||= response.ok;
    const knowsStreams = this.#hasStreams || "last-event-id" in given;
    if (knowsStreams && this.isEndedBy(response)) {
      discard(response);
      this.#host.expired(this);
      throw expired();
    }
    return response;
  }

  async end(signal: AbortSignal): Promise<void> {
    const headers = this.#headers;
    discard(await this.#host.send({ method: "DELETE", url: this.url, headers, signal }));
  }

  /** True if the server no longer has the session. If there is no session id, a 404 has another cause. */
  isEndedBy({ status }: Response): boolean {
    return status === 404 && this.#id !== undefined;
  }

  message(value: unknown, origin?: Origin): void {
    this.#note(value);
    this.#host.receiver.message(value, origin);
  }

  malformed(problem: Malformed): void {
    this.#note(problem.value);
    this.#host.receiver.malformed(problem);
  }

  /**
   * Removes a received request. A later session starts its ids again, and its server must not receive answers to
   * requests from an earlier one.
   *
   * @returns true if the request was received in this session
   */
  takeRequest(id: RequestId): boolean {
    const count = this.#received.get(id);
    if (count === undefined) return false;
    if (count > 1) this.#received.set(id, count - 1);
    else this.#received.delete(id);
    return true;
  }

  #note(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) this.#noteOne(one);
    else this.#noteOne(value);
  }

  #noteOne(value: unknown): void {
    if (!isObject(value) || value["method"] === undefined || !isRequestId(value["id"])) return;
    const { id } = value as { id: RequestId };
    this.#received.set(id, (this.#received.get(id) ?? 0) + 1);
    if (this.#received.size <= MOST_RECEIVED) return;
    const [oldest] = this.#received.keys();
    this.#received.delete(oldest!);
  }
}

/**
 * The maximum number of received request ids to remember. Cancelled requests are never answered, so without a limit
 * their ids would accumulate.
 */
const MOST_RECEIVED = 10_000;

export function expired(cause?: unknown): SessionExpiredError {
  return new SessionExpiredError("The server has ended the session", { cause });
}

export interface Opening {
  readonly id: RequestId;
  readonly request: string;
  readonly notification: string;
  readonly revision: Revision;
}

/** The time, in milliseconds, that the server may take to open another session. */
const OPENING_TIME = 30_000;

/**
 * Opens a session with the messages that opened an earlier one (MCP: Streamable HTTP, session management).
 * @returns the result of the request that opens it
 */
export async function openAgain(
  session: HttpSession,
  opening: Opening,
  closing: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { id, request, notification, revision } = opening;
  let answer: unknown;
  const exchange = new ClientExchange(id, session, {
    malformed: (problem) => session.malformed(problem),
    message: (value) => {
      if (isAnswer(value, id)) answer = value;
      else session.message(value);
    },
  });
  const { signal } = exchange;
  const abort = (): void => exchange.abort();
  const timer = setTimeout(abort, OPENING_TIME);
  closing.addEventListener("abort", abort, { once: true });
  try {
    const opened = await session.post(request, signal);
    if (opened.ok) session.adopt(opened);
    await exchange.receive(opened);
    const result = isObject(answer) ? answer["result"] : undefined;
    if (!isObject(result) || result["protocolVersion"] !== revision.id) {
      throw new HttpError(`The server no longer accepts ${revision.id}`);
    }
    session.agreed(revision);
    const notified = await session.post(notification, signal);
    if (!notified.ok) throw (await readRefusal(notified, "POST", session.url)).error;
    discard(notified);
    return result;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", abort);
    exchange.finish();
  }
}
