import type { ServerResponse } from "node:http";
import type { StreamSink } from "../exchange.js";

/** A streamed body of a `node:http` response. */
export class NodeSink implements StreamSink {
  readonly #response: ServerResponse;
  #hasWritten = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    process.nextTick(() => this.#flush());
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  whenClosed(listener: () => void): void {
    if (this.#response.destroyed) process.nextTick(listener);
    else this.#response.on("close", listener);
  }

  write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    this.#hasWritten = true;
    response.write(text);
  }

  drained(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        response.off("drain", done);
        response.off("close", done);
        resolve();
      };
      response.on("drain", done);
      response.on("close", done);
    });
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }

  /** The client is told that the stream is open, though there may be nothing to say for long. */
  #flush(): void {
    const response = this.#response;
    if (!this.#hasWritten && !response.writableEnded && !response.destroyed)
      response.flushHeaders();
  }
}
