import {
  createHttpHandler,
  createSseHandler,
  type HttpHandlerOptions,
} from "@mcp-codegen/runtime/http/server";
import {
  type HttpClientOptions,
  HttpClientTransport,
  SseClientTransport,
} from "@mcp-codegen/runtime/http/client";
import { listen } from "@mcp-codegen/runtime/http/node";
import { RawHttpClient, RawSseClient } from "./http-client.js";
import { RawHttpServer, type RawServerOptions } from "./http-server.js";
import { Serving } from "./serving.js";
import type { Connecting } from "./wire.js";

const inSessions = { sessions: true, asks: true, early: false, tells: true, shared: true };
const stateless = { sessions: false, asks: false, early: false, tells: true, shared: true };

/** Streamable HTTP with responses that each consist of one JSON body. */
export const httpJson: Connecting = streamable(
  "Streamable HTTP answering JSON",
  { responses: "json" },
  { answers: "json", sessions: true },
);

/** Streamable HTTP with slow responses that become streams. */
export const httpEvents: Connecting = streamable(
  "Streamable HTTP streaming SSE",
  { responses: "auto", upgradeAfter: 1 },
  { answers: "events", sessions: true },
);

/** Streamable HTTP with stateless requests. */
export const httpOneWay: Connecting = streamable(
  "one-way HTTP without sessions",
  { sessions: false },
  { answers: "events", sessions: false },
);

/** The transport that preceded Streamable HTTP. */
export const httpSse: Connecting = {
  name: "HTTP+SSE",
  traits: { ...inSessions, early: true },

  async serve(from, kind, trustsClients) {
    const serving = new Serving(from, kind, trustsClients);
    const handler = createSseHandler(serving, { onerror: serving.report });
    const listening = await listen({ "/sse": handler, "/messages": handler });
    const { violations, errors } = serving;
    return {
      violations,
      errors,
      transport: () => new SseClientTransport(listening.url),
      raw: async () => {
        const raw = new RawSseClient(listening.url);
        await raw.open();
        return raw;
      },
      close: () => listening.close(0),
    };
  },

  async puppet() {
    const raw = new RawHttpServer({ answers: "elsewhere", sessions: false });
    const transport = new SseClientTransport(await raw.listen());
    return { transport, raw, close: () => raw.close() };
  },
};

function streamable(
  name: string,
  options: HttpHandlerOptions,
  puppetOptions: RawServerOptions,
): Connecting {
  return {
    name,
    traits: {
      ...(options.sessions === false ? stateless : inSessions),
      tells: options.responses !== "json",
    },

    async serve(from, kind, trustsClients) {
      const serving = new Serving(from, kind, trustsClients);
      const listening = await listen(
        createHttpHandler(serving, { onerror: serving.report, ...options }),
      );
      const { violations, errors } = serving;
      return {
        violations,
        errors,
        transport: (isDeaf = false) =>
          new HttpClientTransport(listening.url, { ...clientOptions, listen: !isDeaf }),
        raw: async () => new RawHttpClient(listening.url),
        close: () => listening.close(0),
      };
    },

    async puppet() {
      const raw = new RawHttpServer(puppetOptions);
      const transport = new HttpClientTransport(await raw.listen(), clientOptions);
      return { transport, raw, close: () => raw.close() };
    },
  };
}

const clientOptions: HttpClientOptions = {
  sse: "never",
  reconnect: { initialDelay: 20, retries: 1 },
};
