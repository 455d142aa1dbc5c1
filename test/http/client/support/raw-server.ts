import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a server received it; the body is parsed if it is JSON. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** The time of arrival, as returned by `performance.now()`. */
  readonly at: number;
}

export type Handle = (seen: Seen, response: ServerResponse) => void | Promise<void>;

/** An HTTP server that records what it receives and does nothing else by itself. */
export class RawServer {
  readonly seen: Seen[] = [];
  readonly #server: Server;
  #watchers: (() => void)[] = [];

  #unanswered = 0;

  private constructor(handle: Handle) {
    this.#server = createServer((request, response) => {
      this.#unanswered += 1;
      response.on("close", () => (this.#unanswered -= 1));
      void this.#take(request).then((seen) => handle(seen, response));
    });
  }

  static async start(handle: Handle): Promise<RawServer> {
    const server = new RawServer(handle);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Returns the number of open connections, including idle ones. */
  connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_, count) => resolve(count)));
  }

  /** Returns the number of responses that have neither ended nor been abandoned. */
  streaming(): number {
    return this.#unanswered;
  }

  /**
   * Returns the requests with this HTTP or JSON-RPC method; `answer` selects messages that have an id but no method.
   */
  of(kind: string): Seen[] {
    return this.seen.filter(({ method, body }) => {
      const isAnswer = body?.method === undefined && body?.id !== undefined;
      return method === kind || (isAnswer ? "answer" : body?.method) === kind;
    });
  }

  /** Waits for the nth such request. */
  async nth(method: string, count: number): Promise<Seen> {
    while (this.of(method).length < count) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
    return this.of(method)[count - 1]!;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<Seen> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { method = "", url: path = "", headers } = request;
    const body: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text;
    const seen = { method, path, headers, body, at: performance.now() };
    this.seen.push(seen);
    for (const wake of this.#watchers.splice(0)) wake();
    return seen;
  }
}
