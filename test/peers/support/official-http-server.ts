import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { NodeStreamableHTTPServerTransport as HttpV2 } from "@modelcontextprotocol/node";
import { SSEServerTransport as SseV1 } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport as HttpV1 } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { everythingV1, everythingV2 } from "./official-everything.js";
import { OrderedEventStore } from "./ordered-event-store.js";

export type Generation = "sdk 1.32" | "sdk 2.4";
export type Manner = "stateful" | "stateful, JSON" | "stateless" | "HTTP+SSE";

type Endpoint = Pick<HttpV1, "handleRequest" | "close">;

/** An official server on its own port, in one of the manners in which it can serve. */
export class OfficialHttpServer {
  readonly ended: string[] = [];
  readonly #generation: Generation;
  readonly #manner: Manner;
  readonly #sessions = new Map<string, Endpoint>();
  readonly #streams = new Map<string, SseV1>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });

  constructor(generation: Generation, manner: Manner) {
    this.#generation = generation;
    this.#manner = manner;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/mcp`;
  }

  /** Breaks all connections without notice. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#manner === "HTTP+SSE") return this.#handleSse(request, response);
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (typeof id === "string" && session === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (this.#manner === "stateless" && request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    await (session ?? (await this.#open())).handleRequest(request, response);
  }

  async #open(): Promise<Endpoint> {
    const isV1 = this.#generation === "sdk 1.32";
    const stateful = {
      sessionIdGenerator: () => randomUUID(),
      eventStore: new OrderedEventStore(),
      retryInterval: 10,
      enableJsonResponse: this.#manner === "stateful, JSON",
      onsessioninitialized: (id: string) => void this.#sessions.set(id, transport),
      onsessionclosed: (id: string) => {
        this.#sessions.delete(id);
        this.ended.push(id);
      },
    };
    const options = this.#manner === "stateless" ? { sessionIdGenerator: undefined } : stateful;
    const transport = isV1 ? new HttpV1(options as never) : new HttpV2(options as never);
    await (isV1 ? everythingV1() : everythingV2()).connect(transport as never);
    return transport;
  }

  async #handleSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      const stream = new SseV1("/mcp", response);
      this.#streams.set(stream.sessionId, stream);
      response.on("close", () => {
        this.#streams.delete(stream.sessionId);
        this.ended.push(stream.sessionId);
      });
      await everythingV1().connect(stream);
      return;
    }
    const id = new URL(request.url!, "http://localhost").searchParams.get("sessionId");
    const stream = id === null ? undefined : this.#streams.get(id);
    if (stream) await stream.handlePostMessage(request, response);
    else response.writeHead(405).end();
  }
}
