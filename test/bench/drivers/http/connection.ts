import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  /** The status line and the header fields. */
  readonly head: string;
  /** The body as it was sent, including the marks of its chunks. */
  readonly body: string;
}

const END_OF_HEAD = "\r\n\r\n";
const END_OF_CHUNKS = "\r\n0\r\n\r\n";

/** A kept-alive connection with one pending request. It parses no more HTTP than necessary. */
export class Connection {
  readonly #socket: Socket;
  #received = "";
  /** The length in characters of the response that is arriving; 0 while unknown, NaN if the response is chunked. */
  #expected = 0;
  #settle: ((answer: Answer) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #receive: ((text: string) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#take(text));
    socket.on("error", (error) => this.#fail?.(error));
    socket.on("close", () => this.#fail?.(new Error("The server closed a connection in use")));
  }

  static async to(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  }

  /**
   * Sends a request unchanged. Calls back with its response, or when there will be none.
   *
   * @param receive - called with each part of the response as it arrives
   */
  send(
    request: string,
    settle: (answer: Answer) => void,
    fail: (error: Error) => void,
    receive?: (text: string) => void,
  ): void {
    this.#settle = settle;
    this.#fail = fail;
    this.#receive = receive;
    this.#socket.write(request, "latin1");
  }

  end(): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#receive?.(text);
    this.#received = this.#received === "" ? text : this.#received + text;
    if (this.#expected === 0) this.#expected = lengthOf(this.#received);
    const received = this.#received;
    const isWhole = Number.isNaN(this.#expected)
      ? received.endsWith(END_OF_CHUNKS)
      : this.#expected > 0 && received.length >= this.#expected;
    if (!isWhole) return;
    this.#received = "";
    this.#expected = 0;
    const end = received.indexOf(END_OF_HEAD);
    const status = Number(received.slice(9, 12));
    this.#settle?.({ status, head: received.slice(0, end), body: received.slice(end + 4) });
  }
}

/** Returns the number of characters in the head and the body, or 0 while the head has not arrived. */
function lengthOf(received: string): number {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return 0;
  const head = received.slice(0, end);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return end + END_OF_HEAD.length + Number(length);
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? NaN : end + END_OF_HEAD.length;
}
