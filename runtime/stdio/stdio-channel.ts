import type { Readable, Writable } from "node:stream";
import { within } from "../ground/index.js";
import { type Frame, type Receiver, UsedTransportError, frameText } from "../wire/index.js";
import { type FramingOptions, LineFraming } from "../wire/framing/index.js";

export interface ChannelOptions extends FramingOptions {
  /**
   * The maximum number of bytes that may wait to be written for a peer that does not read them. The connection fails
   * above this limit. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number;
}

interface ChannelSide {
  /**
   * This side of the connection. A server pauses reading while many bytes are waiting to be written; if a client did
   * the same, each could end up waiting for the other. For the same reason, a client that has stopped reading still
   * consumes its input, so that its server can finish writing. A server ends when its output is closed, whereas a
   * client may still read what the server sent before.
   */
  readonly side: "client" | "server";
}

const MIB = 1024 * 1024;

/** The number of bytes waiting to be written above which a server pauses reading. */
const PAUSE_ABOVE = 16 * MIB;

/** The number of bytes waiting to be written above which {@link StdioChannel.send} returns a promise. */
const HIGH_WATER = MIB;

/** The number of collected characters above which they are written immediately. */
const LARGEST_WRITE = 64 * 1024;

/** The time that closing waits for the peer to read the output, in milliseconds. */
const FLUSH_TIME = 1000;

/**
 * A channel that carries each message as a line over a pair of byte streams. Lines that are sent at about the same time
 * are written together.
 */
export class StdioChannel {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #options: ChannelOptions & ChannelSide;
  #receiver: Receiver | undefined;
  #framing: LineFraming | undefined;
  #hasStoppedReading = false;
  #text = "";
  #isScheduled = false;
  /** True while received messages are being handled; their responses are then written together. */
  #isHeld = false;
  #isBroken = false;
  #room: Promise<void> | undefined;

  constructor(input: Readable, output: Writable, options: ChannelOptions & ChannelSide) {
    this.#input = input;
    this.#output = output;
    this.#options = options;
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
    this.#framing = new LineFraming(receiver, this.#options);
    this.#output.on("error", this.#outputFailed);
    this.#output.on("close", this.#outputClosed);
    this.#input.on("error", this.#fail);
    this.#input.on("end", this.#inputEnded);
    this.#input.on("close", this.#inputEnded);
    this.#input.on("data", this.#read);
  }

  /**
   * Sends a message. If a promise is returned, it resolves when the reader has caught up.
   *
   * @throws TypeError or RangeError if the message cannot be written as JSON
   */
  send(frame: Frame): Promise<void> | undefined {
    const line = frameText(frame);
    if (this.#isBroken) return undefined;
    this.#text += `${line}\n`;
    if (this.#text.length > LARGEST_WRITE) {
      this.#write();
    } else if (!this.#isScheduled && !this.#isHeld) {
      this.#isScheduled = true;
      process.nextTick(this.#write);
    }
    if (this.#output.writableLength < HIGH_WATER) return undefined;
    this.#room ??= this.#waitForRoom();
    return this.#room;
  }

  /** Stops reading, as if the peer had closed the input; requests in flight can still be answered. */
  end(): void {
    if (this.#hasStoppedReading) return;
    this.#stopReading();
    this.#framing?.end();
    this.#receiver?.ended();
  }

  async close(): Promise<void> {
    this.#stopReading();
    await this.#finish();
    this.#break();
    this.#output.off("close", this.#outputClosed);
  }

  readonly #read = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    this.#isHeld = true;
    try {
      this.#framing!.push(bytes);
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#isHeld = false;
    this.#write();
    const waiting = this.#output.writableLength;
    if (this.#options.side === "server" && waiting > PAUSE_ABOVE) this.#pause();
  };

  #pause(): void {
    this.#input.pause();
    this.#output.once("drain", () => {
      if (!this.#hasStoppedReading) this.#input.resume();
    });
  }

  readonly #write = (): void => {
    this.#isScheduled = false;
    const text = this.#text;
    if (text === "" || this.#isBroken) return;
    this.#text = "";
    const waiting = this.#output.writableLength;
    const { maxWaitingBytes = 64 * MIB } = this.#options;
    if (waiting > maxWaitingBytes) {
      this.#fail(new Error(`The peer does not read: ${waiting} bytes are waiting`));
    } else {
      this.#output.write(text);
    }
  };

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#room = undefined;
        this.#output.off("drain", done);
        this.#output.off("close", done);
        resolve();
      };
      this.#output.on("drain", done);
      this.#output.on("close", done);
    });
  }

  #finish(): Promise<void> {
    this.#write();
    const output = this.#output;
    if (this.#isBroken || output.writableLength === 0) return Promise.resolve();
    const flushed = new Promise<void>((resolve) => {
      output.write("", () => resolve());
      output.once("close", resolve);
    });
    return within(FLUSH_TIME, flushed);
  }

  readonly #inputEnded = (): void => this.end();

  /** Handles an output that has failed or closed. It is not an error if the peer has exited. */
  readonly #outputFailed = (error?: Error): void => {
    this.#break();
    if (error && !isGone(error)) this.#fail(error);
    else if (this.#options.side === "server") this.#fail();
  };

  readonly #outputClosed = (): void => this.#outputFailed();

  readonly #fail = (error?: Error): void => {
    this.#break();
    this.#stopReading();
    this.#receiver?.closed(error);
  };

  #break(): void {
    this.#isBroken = true;
    this.#text = "";
  }

  #stopReading(): void {
    this.#hasStoppedReading = true;
    this.#input.off("data", this.#read);
    this.#input.off("end", this.#inputEnded);
    this.#input.off("close", this.#inputEnded);
    if (this.#options.side === "server") this.#input.pause();
    else this.#input.resume();
  }
}

function isGone(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET");
}
