import type { Receiver, RequestId, Revision, SendingOptions } from "../../wire/index.js";
import type { Connection } from "./connection.js";
import { Discards } from "./discards.js";
import { SessionExpiredError } from "./errors.js";
import { type MessageSink, ResponseReader } from "./response-reader.js";
import { expired, ClientSession, type ClientSessionHost } from "./client-session.js";
import { ServerStream } from "./server-stream.js";
import type { HttpClientOptions } from "./options.js";
import { readRefusal } from "./read-refusal.js";
import { Requester } from "./requester.js";
import { reconnectSettings, responseLimits } from "./settings.js";
import { type Opening, startOver } from "./session-restart.js";
import { ACCEPT_TIME, TimedWork } from "./timed-work.js";
import { settledWithin } from "./wait.js";
import { withoutRequests } from "./without-requests.js";

/** Time that closing waits for the server to end the session, in milliseconds. */
const END_TIME = 2000;

/** A client's end of Streamable HTTP: a POST for each message, a GET for what the server says unasked. */
export class StreamableConnection implements Connection {
  readonly #host: ClientSessionHost;
  readonly #options: HttpClientOptions;
  readonly #receiver: Receiver;
  readonly #closing = new AbortController();
  readonly #exchanges = new Map<RequestId, ResponseReader>();
  readonly #telling = new TimedWork();
  readonly #discards = new Discards();
  #session: ClientSession;
  #opening: Partial<Opening> = {};
  #restarting: Promise<void> | undefined;
  #serverStream: ServerStream | undefined;
  #hasSucceeded = false;

  constructor(url: URL, options: HttpClientOptions, receiver: Receiver) {
    this.#options = options;
    this.#receiver = receiver;
    this.#host = {
      requester: new Requester(options),
      url,
      limits: responseLimits(options),
      reconnect: reconnectSettings(options),
      receiver,
      expired: (session) => void this.#renew(session).catch(() => {}),
    };
    this.#session = new ClientSession(this.#host);
    if (options.session) this.#session.resume(options.session.id);
    this.#hasSucceeded = options.session !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#session.id;
  }

  /** True once the server has taken a message, and so knows this transport. */
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
    wishes: SendingOptions = {},
  ): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    if (await this.#tryRequest(session, id, text, wishes)) return;
    await this.#renew(session);
    if (isRelated || !(await this.#tryRequest(this.#session, id, text, wishes))) throw expired();
  }

  async notify(text: string, isRelated: boolean): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    const { revision, notification } = this.#opening;
    const opens = revision !== undefined && notification === undefined && !this.#options.session;
    if (opens) this.#opening = { ...this.#opening, notification: text };
    if (await this.#tryTell(session, text)) {
      if (opens) this.#listen();
      return;
    }
    await this.#renew(session);
    // Starting over has told the server what opens a session.
    if (opens) return;
    if (isRelated || !(await this.#tryTell(this.#session, text))) throw expired();
  }

  async answer(ids: readonly RequestId[], text: string): Promise<void> {
    if (this.#restarting) await this.#restarting;
    const session = this.#session;
    const isAwaited = ids.map((id) => session.asked.take(id)).includes(true);
    if (ids.length > 0 && !isAwaited) return;
    if (!(await this.#tryTell(session, text))) await this.#renew(session);
  }

  cancel(id: RequestId): void {
    this.#exchanges.get(id)?.cancel();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#serverStream?.stop();
    this.#telling.abort();
    this.#discards.close();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    const session = this.#session;
    if (session.id !== undefined && !session.isOver) await this.#end(session);
  }

  /** Lets the server know, unless it takes too long. */
  async #end(session: ClientSession): Promise<void> {
    const { endSession = true } = this.#options;
    if (!(typeof endSession === "function" ? endSession() : endSession)) return;
    const ending = new AbortController();
    await settledWithin(END_TIME, session.end(ending.signal));
    ending.abort();
  }

  /** @returns false when the server says that the session is over */
  async #tryRequest(
    session: ClientSession,
    id: RequestId,
    text: string,
    { headers, resumption }: SendingOptions,
  ): Promise<boolean> {
    const exchange = new ResponseReader(id, session, session, resumption);
    this.#exchanges.set(id, exchange);
    try {
      if (resumption?.token !== undefined) {
        await exchange.resume();
        return true;
      }
      const response = await session.post(text, exchange.signal, headers);
      if (session.isEndedBy(response)) {
        this.#discards.add(response);
        return false;
      }
      if (response.ok) this.#accepted(session, response, id, text);
      await exchange.receive(response);
      return true;
    } finally {
      exchange.finish();
      this.#exchanges.delete(id);
    }
  }

  /** @returns false when the server says that the session is over */
  #tryTell(session: ClientSession, text: string): Promise<boolean> {
    return this.#telling.within(ACCEPT_TIME, async (signal) => {
      const response = await session.post(text, signal);
      const isOver = session.isEndedBy(response);
      if (!response.ok && !isOver) throw (await readRefusal(response, "POST", session.url)).error;
      this.#discards.add(response);
      return !isOver;
    });
  }

  /** The response that names the session is the one that opens it. */
  #accepted(session: ClientSession, response: Response, id: RequestId, request: string): void {
    this.#hasSucceeded = true;
    const isOpen = this.#opening.revision !== undefined;
    if (!isOpen && session.adopt(response)) this.#opening = { id, request };
  }

  #listen(): void {
    const { listen = true } = this.#options;
    if (this.#closing.signal.aborted) return;
    if (!listen || this.#opening.revision?.traits.lifecycle !== "initialize") return;
    const session = this.#session;
    this.#serverStream = new ServerStream(session, this.#streamSink(session), this.#report, () =>
      this.#tell(this.#options.ongap),
    );
    void this.#serverStream.run();
  }

  #streamSink(session: ClientSession): MessageSink {
    if (this.#options.unrelatedRequests !== "refuse") return session;
    return withoutRequests(session, (answer) => {
      this.#tryTell(session, JSON.stringify(answer)).catch(this.#report);
    });
  }

  /**
   * Opens another session in place of one that is over.
   * @throws SessionExpiredError when that is not wanted, or does not work; the connection is over then
   */
  #renew(session: ClientSession): Promise<void> {
    session.isOver = true;
    if (session === this.#session && !this.#restarting) {
      this.#serverStream?.stop();
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
    const session = new ClientSession(this.#host);
    let opened: Readonly<Record<string, unknown>>;
    try {
      if (!restart || !isComplete(opening)) throw expired();
      opened = await startOver(session, opening, this.#closing.signal);
      this.#closing.signal.throwIfAborted();
    } catch (cause) {
      if (session.id !== undefined) void this.#end(session);
      const error = cause instanceof SessionExpiredError ? cause : notRenewed(cause as Error);
      this.#receiver.closed(error);
      throw error;
    }
    this.#session = session;
    this.#listen();
    // What is sent from here on may be what the hook waits for.
    this.#restarting = undefined;
    await this.#tell(onrestart && (() => onrestart(opened)));
  }

  #tell(hook: (() => void | Promise<void>) | undefined): void | Promise<void> {
    try {
      return hook?.();
    } catch (error) {
      this.#report(error as Error);
    }
  }

  readonly #report = (error: Error): void => this.#receiver.failed(undefined, error);
}

function isComplete(opening: Partial<Opening>): opening is Opening {
  return opening.id !== undefined && opening.notification !== undefined;
}

function notRenewed(cause: Error): SessionExpiredError {
  const text = `The server has ended the session, and a new one did not open: ${cause.message}`;
  return new SessionExpiredError(text, { cause });
}
