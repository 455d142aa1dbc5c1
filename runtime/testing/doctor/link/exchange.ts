import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { TapeLine } from "../../tape/index.js";
import { isWithin, pause } from "./link.js";

/** An HTTP response whose body has not been read yet. */
export interface Exchange {
  readonly status: number;
  /** The header fields, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, which ends the body. */
  cancel(): void;
}

export interface ExchangeOptions {
  readonly method: string;
  /** Header fields, which may include `host` and `origin`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** The body in pieces, which are sent one after the other, in place of `body`. */
  readonly pieces?: readonly Uint8Array[] | undefined;
  /** The maximum time until the response begins, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
}

/**
 * Sends one HTTP request. Adds only `user-agent`, `content-length` and the fields that HTTP requires. Does not follow
 * redirects or decompress the response.
 *
 * @throws Error if the connection fails, or if no response arrives in time
 */
export function exchange(url: URL, options: ExchangeOptions): Promise<Exchange> {
  const { method, headers = {}, body, pieces, timeout = 10_000 } = options;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const agent = "mcp-codegen (doctor)";
    const request = send(url, {
      method,
      agent: false,
      headers: { "user-agent": agent, ...length, ...headers },
    });
    const timer = setTimeout(
      () => request.destroy(new Error(`no response within ${timeout / 1000} s`)),
      timeout,
    );
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.on("response", (response) => {
      clearTimeout(timer);
      response.on("error", () => {});
      const received = Object.entries(response.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(", ") : (value ?? ""),
      ]);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(received) as Record<string, string>,
        body: quietly(response),
        cancel: () => void request.destroy(),
      });
    });
    // Node.js would encode the header fields like the text of a body.
    if (pieces === undefined) request.end(typeof body === "string" ? Buffer.from(body) : body);
    else void sendPieces(request, pieces);
  });
}

async function sendPieces(request: ClientRequest, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    request.write(piece);
    await pause(50);
  }
  request.end();
}

async function* quietly(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    // One side has closed the connection.
  }
}

export type TextFraming = Pick<TapeLine, "framing">;

/** Reads a body piece by piece. Closes the connection and returns false if the body is longer than `most` bytes. */
export async function readTexts(
  response: Exchange,
  most: number,
  onText: (text: string, framing: TextFraming) => void,
): Promise<boolean> {
  const decoder = new TextDecoder();
  const strict = new TextDecoder("utf-8", { fatal: true });
  let framing: TextFraming = {};
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > most) {
      response.cancel();
      return false;
    }
    try {
      if (framing.framing === undefined) strict.decode(chunk, { stream: true });
    } catch {
      framing = { framing: "not UTF-8" };
    }
    onText(decoder.decode(chunk, { stream: true }), framing);
  }
  return true;
}

/** Returns true if a text contains a whole event with a response, which is the last that a request's stream must carry. */
function isAnswered(text: string): boolean {
  const events = text.split(/\r?\n\r?\n/).slice(0, -1);
  return events.some((event) => /^data:/m.test(event) && /"(?:result|error)":/.test(event));
}

/** Reads at most 64 KiB of a body, for at most two seconds or until a response arrives, and closes the connection. */
export async function textOf(response: Exchange): Promise<string> {
  let text = "";
  const reading = readTexts(response, 65_536, (more) => {
    text += more;
    if (isAnswered(text)) response.cancel();
  });
  await isWithin(2_000, reading);
  response.cancel();
  return text;
}
