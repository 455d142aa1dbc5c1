import type { Malformed, Origin, Receiver, Revision } from "../../wire/index.js";
import { ReceivedRequestIds } from "./received-request-ids.js";
import { HttpError, SessionExpiredError } from "./errors.js";
import type { MessageSink } from "./response-reader.js";
import { EVENT_STREAM, JSON_TYPE } from "./media-type.js";
import { discard } from "./read-text.js";
import type { Requester } from "./requester.js";
import type { StreamHost } from "./resumable-stream.js";
import type { ReconnectSettings, ResponseLimits } from "./settings.js";

/** Resources that all sessions of a connection share. */
export interface ClientSessionHost {
  readonly requester: Requester;
  readonly url: URL;
  readonly limits: ResponseLimits;
  readonly reconnect: ReconnectSettings;
  readonly receiver: Receiver;
  /** Called when a stream has found out that the server has ended the session. */
  expired(session: ClientSession): void;
}

/** Visible ASCII characters (MCP: Streamable HTTP, session management). */
const SESSION_ID = /^[\x21-\x7e]+$/;

export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && SESSION_ID.test(id);
}

/** One session with a server, named or not (MCP: Streamable HTTP, session management). */
export class ClientSession implements StreamHost, MessageSink {
  /** Set when the server has ended it. */
  isOver = false;
  readonly asked: ReceivedRequestIds = new ReceivedRequestIds();
  readonly #host: ClientSessionHost;
  #id: string | undefined;
  #version: string | undefined;
  #headers: Readonly<Record<string, string>> = {};
  /**
   * True once the server has shown that it has streams to fetch, so that a 404 is about the
   * session.
   */
  #hasStreams = false;

  constructor(host: ClientSessionHost) {
    this.#host = host;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get url(): URL {
    return this.#host.url;
  }

  get limits(): ResponseLimits {
    return this.#host.limits;
  }

  get reconnect(): ReconnectSettings {
    return this.#host.reconnect;
  }

  /**
   * Takes the name that a response gives the session.
   * @returns whether it gives one
   * @throws HttpError when it cannot be one
   */
  adopt({ headers, status }: Response): boolean {
    const id = headers.get("mcp-session-id");
    if (id === null) return false;
    if (!isSessionId(id)) {
      throw new HttpError("The server gave a session id that is not visible ASCII", { status });
    }
    this.resume(id);
    return true;
  }

  /** Goes on with a session that has this name already. */
  resume(id: string): void {
    this.#id = id;
    this.#renewHeaders();
  }

  agreed({ id, conventions }: Revision): void {
    if (conventions.versionHeader) this.#version = id;
    this.#renewHeaders();
  }

  /** @param isRepeatable - true for what may arrive twice */
  post(
    body: string,
    signal: AbortSignal,
    given?: Readonly<Record<string, string>>,
    isRepeatable = false,
  ): Promise<Response> {
    const { requester, url } = this.#host;
    const headers = {
      ...given,
      ...this.#headers,
      accept: `${JSON_TYPE}, ${EVENT_STREAM}`,
      "content-type": JSON_TYPE,
    };
    return requester.send({ method: "POST", url, headers, body, signal, isRepeatable });
  }

  async open(given: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    if (this.isOver) throw expired();
    const { requester, url } = this.#host;
    const headers = { ...this.#headers, ...given, accept: EVENT_STREAM };
    const response = await requester.send({ method: "GET", url, headers, signal });
    this.#hasStreams ||= response.ok;
    const knowsStreams = this.#hasStreams || "last-event-id" in given;
    if (knowsStreams && this.isEndedBy(response)) {
      discard(response);
      this.#host.expired(this);
      throw expired();
    }
    return response;
  }

  /** Tells the server that the session is not needed any more. */
  async end(signal: AbortSignal): Promise<void> {
    const { requester, url } = this.#host;
    discard(await requester.send({ method: "DELETE", url, headers: this.#headers, signal }));
  }

  /** True when a response says that the session does not exist. */
  isEndedBy({ status }: Response): boolean {
    return status === 404 && this.#id !== undefined;
  }

  message(value: unknown, origin?: Origin): void {
    this.asked.note(value);
    this.#host.receiver.message(value, origin);
  }

  malformed(problem: Malformed): void {
    this.asked.note(problem.value);
    this.#host.receiver.malformed(problem);
  }

  #renewHeaders(): void {
    this.#headers = {
      ...(this.#id !== undefined && { "mcp-session-id": this.#id }),
      ...(this.#version !== undefined && { "mcp-protocol-version": this.#version }),
    };
  }
}

export function expired(cause?: unknown): SessionExpiredError {
  return new SessionExpiredError("The server has ended the session", { cause });
}
