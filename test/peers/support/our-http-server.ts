import type { Socket } from "node:net";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { listen, type Listening } from "../../../runtime/http/node/index.js";
import type { Package } from "../../behaviour/support/packages.js";
import { Serving } from "../../behaviour/wires/serving.js";

/** Our server at all its addresses at once, with checked traffic. */
export class OurHttpServer {
  readonly serving: Serving;
  readonly http: HttpHandler;
  readonly #sockets = new Set<Socket>();
  #listening: Listening | undefined;

  constructor(from: Package, options: HttpHandlerOptions = {}) {
    this.serving = new Serving(from, "everything", true);
    this.http = createHttpHandler(this.serving, { retry: 10, onerror: ignore, ...options });
  }

  async listen(): Promise<void> {
    const { report: onerror } = this.serving;
    const sse = createSseHandler(this.serving, { onerror });
    this.#listening = await listen({ "/mcp": this.http, "/sse": sse, "/messages": sse });
    this.#listening.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  address(path: "mcp" | "sse"): string {
    return `http://127.0.0.1:${this.#listening!.port}/${path}`;
  }

  /** Breaks all connections without notice. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): Promise<void> {
    return this.#listening!.close(0);
  }
}

function ignore(): void {}
