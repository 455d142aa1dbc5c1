import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { RawEnd } from "../support/raw-end.js";
import { until } from "../support/until.js";
import type { Wire } from "../tap/wire-message.js";

export interface RawServerOptions {
  /** The place where answers are sent: a JSON body, an event stream, or another stream. */
  readonly answers: "json" | "events" | "elsewhere";
  readonly sessions: boolean;
}

const EVENTS = { "content-type": "text/event-stream" };

/** A server for one of the HTTP transports. The test controls it, and it is written from the specification alone. */
export class RawHttpServer extends RawEnd {
  readonly #options: RawServerOptions;
  readonly #server: Server;
  /** Waiting HTTP requests, by the ids of the messages that they carried. */
  readonly #posts = new Map<unknown, ServerResponse>();
  #listening: ServerResponse | undefined;
  /**
   * The queue of messages for the stream that belongs to no request. They are sent in order as soon as that stream
   * exists.
   */
  #unasked: Promise<void> = Promise.resolve();

  constructor(options: RawServerOptions) {
    super();
    this.#options = options;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/mcp`;
  }

  say(message: unknown, about?: unknown): void {
    const { id, method } = (Array.isArray(message) ? message[0] : (message ?? {})) as Wire;
    const text = typeof message === "string" ? message : JSON.stringify(message);
    const post = this.#posts.get(about ?? (method === undefined ? id : undefined));
    if (post === undefined) this.#unasked = this.#unasked.then(() => this.#sayUnasked(text));
    else if (method === undefined && typeof message !== "string") this.#respond(post, id, text);
    else this.#stream(post).write(`data: ${text}\n\n`);
  }

  /** Shuts the server down. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { answers, sessions } = this.#options;
    if (request.method === "POST") return this.#post(response, await readText(request));
    if (request.method === "GET" && (sessions || answers === "elsewhere")) {
      response.writeHead(200, EVENTS);
      if (answers === "elsewhere") response.write("event: endpoint\ndata: /messages\n\n");
      else response.write(": hello\n\n");
      this.#listening = response;
      response.on("close", () => {
        if (answers === "elsewhere") this.isClosed = true;
      });
      return;
    }
    if (request.method === "DELETE") this.isClosed = true;
    response.writeHead(request.method === "DELETE" ? 200 : 405).end();
  }

  #post(response: ServerResponse, text: string): void {
    const message = JSON.parse(text) as Wire;
    const isRequest = message?.method !== undefined && message.id !== undefined;
    if (isRequest && this.#options.answers !== "elsewhere") this.#posts.set(message.id, response);
    else response.writeHead(202).end();
    this.take(message);
  }

  #respond(post: ServerResponse, id: unknown, text: string): void {
    const answered = [...this.#posts].filter(([, one]) => one === post).map(([one]) => one);
    for (const one of answered) this.#posts.delete(one);
    const { answers } = this.#options;
    if (answers === "events" || post.headersSent) {
      this.#stream(post).end(`data: ${text}\n\n`);
    } else {
      post.writeHead(200, { "content-type": "application/json", ...this.#sessionHeader() });
      post.end(text);
    }
  }

  #stream(post: ServerResponse): ServerResponse {
    if (!post.headersSent) post.writeHead(200, { ...EVENTS, ...this.#sessionHeader() });
    return post;
  }

  async #sayUnasked(text: string): Promise<void> {
    await until("a stream to say it on", () => this.#listening);
    this.#listening!.write(`data: ${text}\n\n`);
  }

  #sessionHeader(): Record<string, string> {
    return this.#options.sessions ? { "mcp-session-id": "session-1" } : {};
  }
}
