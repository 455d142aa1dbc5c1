import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";

export interface LocalListener {
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1 (0 for any free port). Closes the connection if the handler fails. */
export async function listenLocally(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LocalListener> {
  const server = createServer((request, response) => {
    void (async () => handle(request, response))().catch(() => response.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${actual}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export const SESSION_HEADER = "mcp-session-id";
export const EVENT_STREAM = { "content-type": "text/event-stream", "cache-control": "no-cache" };

export function eventWith(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

export function refuse(response: ServerResponse, status: number, why?: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, why === undefined ? {} : { "content-type": "text/plain" });
  response.end(why && `${why}.\n`);
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * True for a request to another host or from another origin's page, because a browser may send such requests on behalf
 * of a foreign page.
 */
export function isForeign({ headers: { host = "", origin } }: IncomingMessage): boolean {
  const from = origin === undefined ? undefined : URL.canParse(origin) ? new URL(origin).host : "";
  return !LOOPBACK.test(host) || (from !== undefined && !LOOPBACK.test(from));
}

const LONGEST = 16 * 1024 * 1024;

export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Writes a chunk. Resolves when the stream can accept more or is closed. */
export async function writeTo(stream: Writable, chunk: Uint8Array): Promise<void> {
  if (stream.write(chunk) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
  });
}

/** Resolves when the signal is aborted or, without one, when the process receives SIGINT or SIGTERM. */
export async function untilEnded(signal?: AbortSignal): Promise<void> {
  if (signal !== undefined) {
    if (!signal.aborted) await once(signal, "abort");
    return;
  }
  await new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
}
