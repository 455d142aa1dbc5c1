import type { Writable } from "node:stream";

/** Bytes that may wait for a slow reader before {@link LineWriter.write} asks to wait. */
const HIGH_WATER = 1024 * 1024;

/** Characters to be written in one go; who writes without ever yielding cannot collect more. */
const LARGEST_WRITE = 64 * 1024;

export interface WriterOptions {
  /** Most bytes that may wait for a reader that does not read; beyond, the connection fails. */
  readonly maxWaitingBytes: number;
  readonly onerror: (error: Error) => void;
}

/** Writes lines, all that come up at about the same time in one go. */
export class LineWriter {
  readonly #stream: Writable;
  readonly #options: WriterOptions;
  #text = "";
  #isScheduled = false;
  #isHeld = false;
  #isBroken = false;
  #room: Promise<void> | undefined;

  constructor(stream: Writable, options: WriterOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Bytes that the stream has taken and nobody has read. */
  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  /** Takes a line; the promise, if there is one, resolves when the reader has caught up. */
  write(line: string): Promise<void> | undefined {
    if (this.#isBroken) return undefined;
    this.#text += `${line}\n`;
    if (this.#text.length > LARGEST_WRITE) {
      this.flush();
    } else if (!this.#isScheduled && !this.#isHeld) {
      this.#isScheduled = true;
      process.nextTick(this.flush);
    }
    if (this.#stream.writableLength < HIGH_WATER) return undefined;
    this.#room ??= this.#waitForRoom();
    return this.#room;
  }

  /** Holds lines back until {@link release}, because more are about to come. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.flush();
  }

  readonly flush = (): void => {
    this.#isScheduled = false;
    const text = this.#text;
    if (text === "" || this.#isBroken) return;
    this.#text = "";
    const waiting = this.#stream.writableLength;
    if (waiting > this.#options.maxWaitingBytes) {
      this.break();
      this.#options.onerror(new Error(`The peer does not read: ${waiting} bytes are waiting`));
    } else {
      this.#stream.write(text);
    }
  };

  /** Nothing can be written any more. */
  break(): void {
    this.#isBroken = true;
    this.#text = "";
  }

  /** Writes what was taken; resolves when it has been read, the stream is broken, or the time is over. */
  finish(milliseconds: number): Promise<void> {
    this.flush();
    const stream = this.#stream;
    if (this.#isBroken || stream.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      stream.write("", done);
      stream.once("close", done);
    });
  }

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#room = undefined;
        this.#stream.off("drain", done);
        this.#stream.off("close", done);
        resolve();
      };
      this.#stream.on("drain", done);
      this.#stream.on("close", done);
    });
  }
}
