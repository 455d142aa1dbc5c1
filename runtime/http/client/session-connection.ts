import { within } from "../../ground/index.js";
import type { Receiver, RequestId, Revision, SendingOptions } from "../../wire/index.js";
import { SessionExpiredError } from "./errors.js";
import { ClientExchange, type MessageSink } from "./exchange.js";
import type { Connection } from "./message-sender.js";
import { type HttpClientOptions, reconnectSettings, responseLimits } from "./options.js";
import { ACCEPT_TIME, acceptedPosts, requester } from "./requests.js";
import { readRefusal } from "./responses.js";
import { HttpSession, type Opening, type SessionHost, expired, openAgain } from "./session.js";
import { keepSessionStream, withoutRequests } from "./session-stream.js";

const END_TIME = 2000;

/**
 * A Streamable HTTP client with sessions: it sends each message in a POST, and opens the session's stream with a GET.
 */
export class SessionConnection implements Connection {
  readonly #host: SessionHost;
  readonly #options: HttpClientOptions;
  readonly #receiver: Receiver;
  readonly #closing = new AbortController();
  readonly #exchanges = new Map<RequestId, ClientExchange>();
  readonly #accepted = acceptedPosts();
  #session: HttpSession;
  #opening: Partial<Opening> = {};
  #restarting: Promise<void> | undefined;
  /** Ends the session's stream when aborted. */
  #listening: AbortController | undefined;
  #hasSucceeded = false;

  constructor(url: URL, options: HttpClientOptions, receiver: Receiver) {
    this.#options = options;
    this.#receiver = receiver;
    this.#host = {
      send: requester(options),
      url,
      limits: responseLimits(options),
      reconnect: reconnectSettings(options),
      receiver,
      expired: (session) => void this.#renew(session).catch(this.#reportUnlessOver),
    };
    this.#session = new HttpSession(this.#host);
    if (options.session) this.#session.resume(options.session.id);
    this.#hasSucceeded = options.session !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#session.id;
  }

  /**
   * True once the server has accepted a request, or if an earlier session continues. Either shows that the server
   * supports this transport.
   */
  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  agreed(revision: Revision): void {
    this.#opening = { ...this.#opening, revision };
    this.#session.agreed(revision);
    if (this.#options.session) this.#listen();
  }

  async request(
    id: RequestId,
    text: string,
    isRelated: boolean,
    options: SendingOptions = {},
  ): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    if (await this.#tryRequest(session, id, text, options)) return;
    await this.#renew(session);
    if (isRelated || !(await this.#tryRequest(this.#session, id, text, options))) throw expired();
  }

  async notify(text: string, isRelated: boolean): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    const { revision, notification } = this.#opening;
    const opens = revision !== undefined && notification === undefined && !this.#options.session;
    if (opens) this.#opening = { ...this.#opening, notification: text };
    if (await this.#trySend(session, text)) {
      if (opens) this.#listen();
      return;
    }
    await this.#renew(session);
    // The notification was one of the messages that opened the new session, so it has been sent already.
    if (opens) return;
    if (isRelated || !(await this.#trySend(this.#session, text))) throw expired();
  }

  async answer(ids: readonly RequestId[], text: string): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    const isAwaited = ids.map((id) => session.takeRequest(id)).includes(true);
    if (ids.length > 0 && !isAwaited) return;
    const isRepeatable = true;
    if (!(await this.#trySend(session, text, isRepeatable))) await this.#renew(session);
  }

  cancel(id: RequestId): void {
    this.#exchanges.get(id)?.cancel();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listening?.abort();
    this.#accepted.close();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    const session = this.#session;
    if (session.id !== undefined && !session.isOver) await this.#end(session);
  }

  async #end(session: HttpSession): Promise<void> {
    const { endSession = true } = this.#options;
    if (!(typeof endSession === "function" ? endSession() : endSession)) return;
    const ending = new AbortController();
    await within(
      END_TIME,
      session.end(ending.signal).catch(() => {}),
    );
    ending.abort();
  }

  /**
   * Sends a request in a session.
   * @returns false if the session has ended
   */
  async #tryRequest(
    session: HttpSession,
    id: RequestId,
    text: string,
    { headers, resumption }: SendingOptions,
  ): Promise<boolean> {
    const exchange = new ClientExchange(id, session, session, resumption);
    this.#exchanges.set(id, exchange);
    try {
      if (resumption?.token !== undefined) {
        await exchange.resume();
        return true;
      }
      const response = await session.post(text, exchange.signal, headers);
      if (session.isEndedBy(response)) {
        this.#accepted.discard(response);
        return false;
      }
      if (response.ok) this.#adopt(session, response, id, text);
      await exchange.receive(response);
      return true;
    } finally {
      exchange.finish();
      this.#exchanges.delete(id);
    }
  }

  /**
   * Sends a notification or a response in a session.
   * @returns false if the session has ended
   */
  #trySend(session: HttpSession, text: string, isRepeatable = false): Promise<boolean> {
    return this.#accepted.within(ACCEPT_TIME, async (signal) => {
      const response = await session.post(text, signal, undefined, isRepeatable);
      const isOver = session.isEndedBy(response);
      if (!response.ok && !isOver) throw (await readRefusal(response, "POST", session.url)).error;
      this.#accepted.discard(response);
      return !isOver;
    });
  }

  #adopt(session: HttpSession, response: Response, id: RequestId, request: string): void {
    this.#hasSucceeded = true;
    const isOpen = this.#opening.revision !== undefined;
    if (!isOpen && session.adopt(response)) this.#opening = { id, request };
  }

  #listen(): void {
    const { listen = true } = this.#options;
    if (this.#closing.signal.aborted) return;
    if (!listen || this.#opening.revision?.traits.lifecycle !== "initialize") return;
    const session = this.#session;
    this.#listening = new AbortController();
    void keepSessionStream({
      host: session,
      sink: this.#streamSink(session),
      report: this.#report,
      ongap: () => void this.#noteGap(),
      signal: this.#listening.signal,
    });
  }

  #streamSink(session: HttpSession): MessageSink {
    if (this.#options.unrelatedRequests !== "refuse") return session;
    return withoutRequests(session, (answer) => {
      this.#trySend(session, JSON.stringify(answer)).catch(this.#report);
    });
  }

  /**
   * Opens another session to replace one that has ended. Concurrent callers share one attempt.
   *
   * @throws SessionExpiredError if reopening is disabled or fails; the connection is then closed
   */
  #renew(session: HttpSession): Promise<void> {
    session.isOver = true;
    if (session === this.#session && !this.#restarting) {
      this.#listening?.abort();
      const restarting = this.#restart().finally(() => {
        if (this.#restarting === restarting) this.#restarting = undefined;
      });
      this.#restarting = restarting;
      return restarting;
    }
    return this.#restarting ?? Promise.resolve();
  }

  async #restart(): Promise<void> {
    const opening = this.#opening;
    const { restart = true, onrestart } = this.#options;
    const session = new HttpSession(this.#host);
    let opened: Readonly<Record<string, unknown>>;
    try {
      if (!restart || !isComplete(opening)) throw expired();
      opened = await openAgain(session, opening, this.#closing.signal);
      this.#closing.signal.throwIfAborted();
    } catch (cause) {
      if (session.id !== undefined) this.#end(session).catch(this.#report);
      const error = cause instanceof SessionExpiredError ? cause : notRenewed(cause as Error);
      this.#receiver.closed(error);
      throw error;
    }
    this.#session = session;
    this.#listen();
    // The hook may wait for messages that are sent from here on.
    this.#restarting = undefined;
    await onrestart?.(opened);
  }

  async #noteGap(): Promise<void> {
    try {
      await this.#options.ongap?.();
    } catch (error) {
      this.#report(error as Error);
    }
  }

  readonly #report = (error: Error): void => this.#receiver.failed(undefined, error);

  /**
   * Reports a failure of `onrestart` when no message is waiting for it. The end of the session is reported elsewhere.
   */
  readonly #reportUnlessOver = (error: Error): void => {
    if (!(error instanceof SessionExpiredError)) this.#report(error);
  };
}

function isComplete(opening: Partial<Opening>): opening is Opening {
  return opening.id !== undefined && opening.notification !== undefined;
}

function notRenewed(cause: Error): SessionExpiredError {
  const text = `The server has ended the session, and a new one did not open: ${cause.message}`;
  return new SessionExpiredError(text, { cause });
}
