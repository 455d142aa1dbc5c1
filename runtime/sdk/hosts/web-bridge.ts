import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** The options of {@link toWebRequest}. */
export interface ToWebRequestOptions {
  /** The request's signal. Default: a signal that aborts when the connection closes. */
  signal?: AbortSignal | undefined;
}

/**
 * Creates a `Request` from a `node:http` request.
 *
 * @param parsedBody - the body, if it has already been read
 */
export function toWebRequest(
  request: IncomingMessage,
  parsedBody?: unknown,
  { signal }: ToWebRequestOptions = {},
): Request {
  const { method = "GET", url = "/", headers, socket } = request;
  const protocol = "encrypted" in (socket ?? {}) ? "https" : "http";
  const hasBody = method !== "GET" && method !== "HEAD";
  const read = parsedBody === undefined ? undefined : JSON.stringify(parsedBody);
  const init: RequestInit & { duplex?: "half" } = {
    method,
    headers: headersOf(headers, read),
    ...(signal ? { signal } : {}),
    ...(hasBody
      ? { body: read ?? (Readable.toWeb(request) as ReadableStream), duplex: "half" }
      : {}),
  };
  return new Request(new URL(url, `${protocol}://${headers.host ?? "localhost"}`), init);
}

export async function answer(response: ServerResponse, web: Response): Promise<void> {
  response.writeHead(web.status, Object.fromEntries(web.headers));
  if (web.body === null) return void response.end();
  response.flushHeaders();
  await pipeline(Readable.fromWeb(web.body as NodeStream), response).catch(() => {});
}

/** Omits HTTP/2 pseudo-headers, and also `content-length` if the body was serialized again. */
function headersOf(fields: IncomingMessage["headers"], body: string | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith(":") || (body !== undefined && name === "content-length")) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
