import type { ServerResponse } from "node:http";
import type { HeaderFields, StreamSink } from "../server/exchange.js";
import { Backlog, PIECE } from "./backlog.js";
import { takenFrom } from "./node-reader.js";
import { writeWhole } from "./write-whole.js";

/** Characters that are kept for the end of the turn, so that they travel together. */
const MOST_KEPT = 16 * 1024;

/** A streamed body of a `node:http` response. One that is over before the end of its turn has a length. */
export class NodeSink implements StreamSink {
  readonly #response: ServerResponse;
  /** Header fields; undefined once the head is written. */
  #fields: HeaderFields | undefined;
  /** Text written in this turn. */
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

  /** The client is told that the stream is open, though there may be nothing to say for long. */
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

  /** Header fields still to be written; undefined when someone has written the head. */
  #takeFields(): HeaderFields | undefined {
    const fields = this.#fields;
    this.#fields = undefined;
    return this.#response.headersSent ? undefined : fields;
  }
}

function flush(sink: NodeSink): void {
  sink.flush();
}
