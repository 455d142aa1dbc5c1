import type { StreamSink } from "./exchange.js";

const ENCODER = new TextEncoder();

/** Bytes of a chunk: it is taken as a whole. */
const PIECE = 64 * 1024;

/** Bytes that the stream asks for in advance. */
const READ_AHEAD = 16 * 1024;

/** A streamed body for a `Response`. */
export class WebSink implements StreamSink {
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;
  #written = 0;
  #listener: (() => void) | undefined;
  #drained: (() => void)[] = [];

  constructor() {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#release(),
        cancel: () => this.#closed(),
      },
      { highWaterMark: READ_AHEAD, size: (chunk) => chunk.byteLength },
    );
  }

  whenClosed(listener: () => void): void {
    this.#listener = listener;
    if (!this.#isOpen) queueMicrotask(listener);
  }

  get waiting(): number {
    return this.#isOpen ? Math.max(READ_AHEAD - this.#controller.desiredSize!, 0) : 0;
  }

  get taken(): number {
    return this.#written - this.waiting;
  }

  write(text: string): void {
    if (!this.#isOpen) return;
    const bytes = ENCODER.encode(text);
    this.#written += bytes.length;
    if (bytes.length <= PIECE) return this.#controller.enqueue(bytes);
    for (let start = 0; start < bytes.length; start += PIECE)
      this.#controller.enqueue(bytes.slice(start, start + PIECE));
  }

  drained(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#controller.close();
    this.#closed();
  }

  abort(): void {
    if (!this.#isOpen) return;
    this.#controller.error(new Error("The stream was dropped: it was not read"));
    this.#closed();
  }

  #closed(): void {
    this.#isOpen = false;
    this.#release();
    this.#listener?.();
  }

  #release(): void {
    const waiting = this.#drained;
    if (waiting.length === 0) return;
    this.#drained = [];
    for (const resolve of waiting) resolve();
  }
}
