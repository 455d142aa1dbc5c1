import type { ServerResponse } from "node:http";
import type { Reader, StreamSink } from "../server/limits.js";
import type { HeaderFields } from "../server/requests/problem.js";

/** The maximum number of bytes to write to the connection at once. */
const PIECE = 256 * 1024;

/**
 * The text of a long response. It is written to the connection piece by piece, which shows how much the client has
 * read.
 */
class Backlog {
  size = 0;
  readonly #response: ServerResponse;
  #texts: Buffer[] = [];
  #isEnding = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("drain", this.#continue);
    response.on("close", this.#clear);
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#texts.push(bytes);
    this.size += bytes.length;
    if (!this.#response.writableNeedDrain) this.#continue();
  }

  end(): void {
    this.#isEnding = true;
    if (this.size === 0) this.#response.end();
  }

  readonly #continue = (): void => {
    while (this.#texts.length > 0) {
      const [text] = this.#texts as [Buffer];
      const piece = text.subarray(0, PIECE);
      if (piece.length === text.length) this.#texts.shift();
      else this.#texts[0] = text.subarray(PIECE);
      this.size -= piece.length;
      // Some implementations of a response return undefined here.
      if (this.#response.write(piece) === false && this.size > 0) return;
    }
    if (this.#isEnding && !this.#response.writableEnded) this.#response.end();
  };

  readonly #clear = (): void => {
    this.#texts = [];
    this.size = 0;
  };
}

/**
 * Responds with a complete body. The head and the body are written as one string, because `end(body)` splits them into
 * several pieces, which cost more to write.
 *
 * @returns the part of a long body that has not been written
 */
export function writeWhole(
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body: string,
): Backlog | undefined {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Length": length, ...fields });
  if (length > PIECE) {
    const backlog = new Backlog(response);
    backlog.write(body);
    backlog.end();
    return backlog;
  }
  if (length > 0) {
    response.cork();
    // There are as many bytes as characters, so all of the text is ASCII.
    response.write(body, length === body.length ? "latin1" : "utf8");
    response.uncork();
  }
  response.end();
  return undefined;
}

export function readerOf(response: ServerResponse, backlog: Backlog): Reader {
  return {
    get waiting(): number {
      return response.writableLength + backlog.size;
    },
    get taken(): number {
      return takenFrom(response);
    },
    abort: () => response.destroy(),
  };
}

function takenFrom({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}

/** The maximum number of characters to hold back until the end of the turn, so that they are sent together. */
const MOST_KEPT = 16 * 1024;

/**
 * The streamed body of a `node:http` response. If it ends before the head is written, the response has a
 * `Content-Length`.
 */
export class NodeSink implements StreamSink {
  readonly #response: ServerResponse;
  #fields: HeaderFields | undefined;
  #text = "";
  #flushes = true;
  #backlog: Backlog | undefined;

  constructor(response: ServerResponse, fields: HeaderFields) {
    this.#response = response;
    this.#fields = fields;
    process.nextTick(flush, this);
  }

  get waiting(): number {
    return this.#response.writableLength + this.#text.length + (this.#backlog?.size ?? 0);
  }

  get taken(): number {
    return takenFrom(this.#response);
  }

  whenClosed(listener: () => void): void {
    if (this.#response.destroyed) process.nextTick(listener);
    else this.#response.on("close", listener);
  }

  write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    this.#text += text;
    if (this.#text.length > MOST_KEPT) {
      this.#write();
    } else if (!this.#flushes) {
      this.#flushes = true;
      process.nextTick(flush, this);
    }
  }

  drained(): Promise<void> {
    const response = this.#response;
    this.#write();
    if (!response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        if (this.#backlog?.size) return;
        response.off("drain", done);
        response.off("close", done);
        resolve();
      };
      response.on("drain", done);
      response.on("close", done);
    });
  }

  end(): void {
    const response = this.#response;
    if (response.writableEnded) return;
    const text = this.#text;
    this.#text = "";
    const fields = this.#takeFields();
    if (fields && !response.destroyed) {
      this.#backlog = writeWhole(response, 200, fields, text);
    } else if (this.#backlog || text.length > PIECE) {
      this.#writeText(text);
      this.#backlog?.end();
    } else {
      response.end(text);
    }
  }

  abort(): void {
    this.#response.destroy();
  }

  /** Writes the head even if there is no text yet, so that the client knows that the stream is open. */
  flush(): void {
    const response = this.#response;
    this.#flushes = false;
    if (this.#text !== "") {
      this.#write();
    } else if (this.#fields && !response.writableEnded && !response.destroyed) {
      this.#writeHead();
      response.flushHeaders();
    }
  }

  #write(): void {
    const response = this.#response;
    const text = this.#text;
    this.#text = "";
    if (text === "" || response.destroyed || response.writableEnded) return;
    this.#writeHead();
    this.#writeText(text);
  }

  #writeText(text: string): void {
    if (text.length > PIECE) this.#backlog ??= new Backlog(this.#response);
    if (this.#backlog) this.#backlog.write(text);
    else this.#response.write(text);
  }

  #writeHead(): void {
    const fields = this.#takeFields();
    if (fields) this.#response.writeHead(200, fields);
  }

  #takeFields(): HeaderFields | undefined {
    const fields = this.#fields;
    this.#fields = undefined;
    return this.#response.headersSent ? undefined : fields;
  }
}

function flush(sink: NodeSink): void {
  sink.flush();
}
