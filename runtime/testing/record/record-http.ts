import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { TapeFile } from "../tape/tape-file.js";
import {
  createTapeWriter,
  type MaskOptions,
  type TapeHttp,
  type TapeWriter,
} from "../tape/index.js";
import { bodyCopy } from "./body-copy.js";
import { conversations, type Conversations } from "./conversations.js";
import { contentOf } from "./line-copy.js";
import { listenLocally, untilEnded, writeTo } from "./local-http.js";

export interface HttpRecording extends MaskOptions {
  readonly url: URL;
  /** The port on 127.0.0.1; 0 for any free port. */
  readonly port: number;
  readonly generator: string;
  readonly tape: TapeFile;
  /** Shows the user a message with the address for clients. */
  readonly note: (text: string) => void;
  /** A signal that ends the recording. Default: SIGINT and SIGTERM end it. */
  readonly signal?: AbortSignal;
}

/** The headers that concern only a single connection and that a proxy does not forward (RFC 9110, section 7.6.1). */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

interface Recorder {
  readonly url: URL;
  readonly tape: TapeFile;
  readonly writer: TapeWriter;
  readonly conversations: Conversations;
  exchange: number;
  readonly note: (text: string) => void;
  /** True if the last request failed because the server was unreachable, so that this is noted once. */
  isUnreachable: boolean;
}

/**
 * Forwards requests to a server with their bodies unchanged, and records a copy. Resolves when the recording has ended.
 */
export async function recordHttp(options: HttpRecording): Promise<void> {
  const { url, port, generator, tape, note, signal } = options;
  const writer = createTapeWriter(
    { url: url.href, transport: "http", generator },
    tape.write,
    options,
  );
  const recorder: Recorder = {
    url,
    tape,
    writer,
    conversations: conversations(),
    exchange: 0,
    note,
    isUnreachable: false,
  };
  const server = await listenLocally(port, (request, response) =>
    passOn(recorder, request, response),
  );
  note(
    `Recording ${url.origin}${url.pathname} at ${server.origin}${url.pathname}; stop it with Ctrl+C`,
  );
  await untilEnded(signal);
  await server.close();
}

async function passOn(
  recorder: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url, writer, tape } = recorder;
  const target = new URL(request.url ?? "/", url.origin);
  // Authorization server metadata is not part of the conversation and may contain secrets.
  const isRecorded = !target.pathname.startsWith("/.well-known/");
  const exchange = isRecorded ? ++recorder.exchange : 0;
  const outgoing = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
    method: request.method,
    headers: { ...passedHeaders(request.headers), host: url.host },
  });
  response.on("close", () => outgoing.destroy());
  const requestBody = request.method === "POST" ? bodyCopy(request.headers) : undefined;
  outgoing.on("error", (error: NodeJS.ErrnoException) => {
    if (response.headersSent || response.destroyed) return void response.destroy();
    response.writeHead(502, { "content-type": "text/plain" });
    response.end("The server cannot be reached.\n");
    if (!recorder.isUnreachable) {
      recorder.note(`${url.origin} cannot be reached: ${error.code ?? error.message}`);
    }
    recorder.isUnreachable = true;
  });
  outgoing.on("response", (incoming) => {
    recorder.isUnreachable = false;
    void answer(recorder, { exchange, isRecorded }, incoming, response);
  });
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      await writeTo(outgoing, chunk);
      requestBody?.add(chunk);
      await tape.ready();
    }
    if (isRecorded) {
      const http = {
        exchange,
        method: request.method ?? "GET",
        headers: flatHeaders(request.headers),
      };
      const body = await requestBody?.text();
      const conversation = recorder.conversations.ofRequest(request.headers, exchange, body);
      if (body) writer.write({ from: "client", conversation, ...contentOf(body), http });
      else writer.write({ from: "client", conversation, event: "request", http });
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

async function answer(
  { writer, tape, conversations: known }: Recorder,
  { exchange, isRecorded }: { readonly exchange: number; readonly isRecorded: boolean },
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = incoming.statusCode ?? 502;
  response.writeHead(status, passedHeaders(incoming.headers));
  response.flushHeaders();
  const conversation = known.ofResponse(incoming.headers, exchange);
  let http: TapeHttp = { exchange, status, headers: flatHeaders(incoming.headers) };
  const copy = bodyCopy(incoming.headers, (data, event) => {
    if (!isRecorded) return;
    writer.write({
      from: "server",
      conversation,
      ...contentOf(data),
      http: { ...http, stream: true, ...(event && { event }) },
    });
    http = { exchange };
  });
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      await writeTo(response, chunk);
      copy.add(chunk);
      await tape.ready();
    }
    const body = await copy.text();
    response.end();
    if (!isRecorded || http.status === undefined) return;
    if (body) writer.write({ from: "server", conversation, ...contentOf(body), http });
    else writer.write({ from: "server", conversation, event: "response", http });
  } catch {
    response.destroy();
  }
}

function passedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_CONNECTION.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]),
  );
}
