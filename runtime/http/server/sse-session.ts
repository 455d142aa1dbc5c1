import {
  type Frame,
  type Malformed,
  type Receiver,
  type Transport,
  type TransportHooks,
  UsedTransportError,
} from "../../wire/index.js";
import { KEEP_ALIVE } from "./event-format.js";
import { headerFor } from "./authentication.js";
import { type AnswerLimit, answerText } from "./answer-text.js";
import { MUCH, type UnreadOutput } from "./unread-output.js";
import type { Exchange, StreamSink } from "./exchange.js";
import type { Fork } from "./server-instance.js";
import type { LiveStream } from "./live-streams.js";
import { requestIds } from "./message-ids.js";
import { JSON_FIELDS } from "./problem.js";
import type { RelayedMessage } from "./session-sharing.js";

export interface SseSessionHost {
  readonly output: AnswerLimit & { readonly unread: UnreadOutput };
  closed(session: SseSession): void;
}

/** The connection to one client of the older transport: a stream from the server, a POST for each message to it. */
export class SseSession implements Transport, TransportHooks, LiveStream {
  readonly principal: string | undefined;
  /** Key in the query of the URL that the client posts to; the protocol does not define it. */
  readonly key: string;
  /** True once the client has initialized. */
  isAgreed = false;
  readonly #host: SseSessionHost;
  readonly #server: Fork;
  readonly #sink: StreamSink;
  #receiver: Receiver | undefined;
  /** The POST whose contents are being handed over, while they could turn out to be no message. */
  #current: Exchange | undefined;

  constructor(
    host: SseSessionHost,
    server: Fork,
    sink: StreamSink,
    key: string,
    principal: string | undefined,
  ) {
    this.#host = host;
    this.#server = server;
    this.#sink = sink;
    this.key = key;
    this.principal = principal;
    sink.whenClosed(() => this.#receiver?.closed());
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
  }

  get hooks(): this {
    return this;
  }

  agreed(): void {
    this.isAgreed = true;
  }

  /** Tells the client where to send its messages. */
  invite(path: string): void {
    this.#sink.write(`event: endpoint\ndata: ${path}\n\n`);
  }

  /** Hands over a message that came to another instance. */
  take({ message, auth }: RelayedMessage): void {
    this.#receiver?.message(message, { auth, header: () => undefined });
  }

  /** Hands over a POST; what asks for something is answered on the stream. */
  receive(exchange: Exchange, value: unknown): void {
    this.#current = requestIds(value).length === 0 ? exchange : undefined;
    const header = (name: string): string | undefined => headerFor(exchange, name);
    this.#receiver?.message(value, { auth: exchange.auth, header });
    this.#current = undefined;
    if (!exchange.isAnswered) exchange.respond(202, { "Content-Type": "text/plain" }, "Accepted");
  }

  /** Answers a POST whose contents are no message. */
  refuse(exchange: Exchange, malformed: Malformed): void {
    this.#current = exchange;
    this.#receiver?.malformed(malformed);
    this.#current = undefined;
    if (!exchange.isAnswered) exchange.respond(400);
  }

  send(frame: Frame): Promise<void> | undefined {
    const { output } = this.#host;
    const text = answerText(frame, output);
    if (this.#current && "error" in frame) {
      this.#current.respond(400, JSON_FIELDS, text);
      return undefined;
    }
    const sink = this.#sink;
    if (!output.unread.admits(sink)) return undefined;
    sink.write(`event: message\ndata: ${text}\n\n`);
    if (sink.waiting <= MUCH) return undefined;
    output.unread.watch(sink);
    return sink.drained();
  }

  keepAlive(): void {
    if (this.#sink.waiting === 0) this.#sink.write(KEEP_ALIVE);
  }

  /** Takes no more messages; ends the session when all were answered. */
  finish(): void {
    this.#receiver?.ended();
  }

  /** Ends the session from this side. */
  end(): void {
    void this.#server.close();
  }

  /** Releases the session's resources, whoever ended it. */
  close(): void {
    this.#sink.end();
    this.#host.closed(this);
  }
}
