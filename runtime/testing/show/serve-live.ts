import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenLocally, refuse } from "../record/local-http.js";

/** The interval between checks of the tape's size, in milliseconds. */
const INTERVAL = 150;
const PIECE = 64 * 1024;

export interface LiveServer {
  /** The page's URL. Its fragment is the token that gives access to the tape. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a page and a growing tape on 127.0.0.1, for reading only. */
export async function serveLive(path: string, page: string): Promise<LiveServer> {
  const token = randomBytes(24).toString("base64url");
  const ending = new AbortController();
  // When a page is saved as a file, its content security policy forbids all connections. This page, however, must fetch
  // its tape from this server.
  const live = page
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace("<!-- tape -->", "");
  const server = await listenLocally(0, (request, response) => {
    const { host } = request.headers;
    const own = new URL(server.origin).host;
    response.setHeader("cache-control", "no-store");
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("cross-origin-resource-policy", "same-origin");
    response.setHeader("content-security-policy", "frame-ancestors 'none'");
    if (host !== own) return refuse(response, 403, "This server has another name");
    const { origin } = request.headers;
    if (origin !== undefined && origin !== server.origin) {
      return refuse(response, 403, "Another page cannot read this server");
    }
    if (request.method !== "GET") return refuse(response, 405, "This server is for reading only");
    if (request.url === "/") {
      return void response.setHeader("content-type", "text/html; charset=utf-8").end(live);
    }
    if (request.url !== "/tape") return refuse(response, 404, "There is nothing here");
    if (!isAllowed(request, token)) return refuse(response, 401, "The token is wrong");
    return follow(path, response, ending.signal);
  });
  return {
    url: `${server.origin}/#${token}`,
    close() {
      ending.abort();
      return server.close();
    },
  };
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function opened(path: string, isOver: () => boolean): Promise<FileHandle | undefined> {
  while (!isOver()) {
    try {
      return await open(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await wait(INTERVAL);
    }
  }
  return undefined;
}

/** Sends a file, and then what is appended to it, until the reader disconnects or the file becomes shorter. */
async function follow(path: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { "content-type": "application/jsonl" }).flushHeaders();
  const file = await opened(path, () => response.destroyed || signal.aborted);
  if (file === undefined) return;
  try {
    const buffer = Buffer.alloc(PIECE);
    for (let position = 0; !response.destroyed && !signal.aborted;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE, position);
      position += bytesRead;
      if (bytesRead === 0) {
        if ((await file.stat()).size < position) break;
        await wait(INTERVAL);
      } else if (!response.write(Buffer.from(buffer.subarray(0, bytesRead)))) {
        await Promise.race([once(response, "drain"), once(response, "close")]);
      }
    }
    response.end();
  } finally {
    await file.close();
  }
}
