import type { Readable, Writable } from "node:stream";
import {
  type Frame,
  type FramingOptions,
  LineFraming,
  type Receiver,
  UsedTransportError,
  frameText,
} from "../wire/index.js";
import { LineWriter } from "./stdio-writer.js";

export interface ChannelOptions extends FramingOptions {
  /** Most bytes that may wait for a peer that does not read, before the connection fails. Default: 64 MiB. */
  readonly maxWaitingBytes?: number;
}

interface ChannelSide {
  /**
   * A server pauses reading while much waits to be written; if a client did so too, each could wait for the
   * other. For the same reason a client that takes no more input lets it flow: its server can write to the end.
   * A server whose output is gone has nothing left to do; a client may still read what was sent to it.
   */
  readonly side: "client" | "server";
}

const MIB = 1024 * 1024;

/** Bytes waiting to be written at which reading pauses. */
const PAUSE_ABOVE = 16 * MIB;

/** Time that closing waits for the peer to read the output, in milliseconds. */
const FLUSH_TIME = 1000;

/** Messages as lines over a pair of byte streams. */
export class StdioChannel {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #options: ChannelOptions & ChannelSide;
  readonly #writer: LineWriter;
  #receiver: Receiver | undefined;
  #framing: LineFraming | undefined;
  #isEnded = false;

  constructor(input: Readable, output: Writable, options: ChannelOptions & ChannelSide) {
    this.#input = input;
    this.#output = output;
    this.#options = options;
    this.#writer = new LineWriter(output, {
      maxWaitingBytes: options.maxWaitingBytes ?? 64 * MIB,
      onerror: this.#fail,
    });
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
    this.#framing = new LineFraming(receiver, this.#options);
    this.#output.on("error", this.#outputFailed);
    this.#output.on("close", this.#outputClosed);
    this.#input.on("error", this.#fail);
    this.#input.on("end", this.endReading);
    this.#input.on("close", this.endReading);
    this.#input.on("data", this.#read);
  }

  /** @throws when the message cannot be written as JSON */
  send(frame: Frame): Promise<void> | undefined {
    return this.#writer.write(frameText(frame));
  }

  /** Takes no more input, as if the peer had closed it. */
  readonly endReading = (): void => {
    if (this.#isEnded) return;
    this.#stopReading();
    this.#framing?.end();
    this.#receiver?.ended();
  };

  /** Writes what was taken and lets go of the streams. */
  async close(): Promise<void> {
    this.#stopReading();
    await this.#writer.finish(FLUSH_TIME);
    this.#letGo();
  }

  readonly #read = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    this.#writer.hold();
    try {
      this.#framing!.push(bytes);
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#writer.release();
    if (this.#options.side === "server" && this.#writer.waitingBytes > PAUSE_ABOVE) this.#pause();
  };

  #pause(): void {
    this.#input.pause();
    this.#output.once("drain", () => {
      if (!this.#isEnded) this.#input.resume();
    });
  }

  /** A peer that has gone away is no error. */
  readonly #outputFailed = (error?: Error): void => {
    this.#writer.break();
    if (error && !isGone(error)) this.#fail(error);
    else if (this.#options.side === "server") this.#fail();
  };

  readonly #outputClosed = (): void => this.#outputFailed();

  readonly #fail = (error?: Error): void => {
    this.#writer.break();
    this.#stopReading();
    this.#receiver?.closed(error);
  };

  #stopReading(): void {
    this.#isEnded = true;
    this.#input.off("data", this.#read);
    this.#input.off("end", this.endReading);
    this.#input.off("close", this.endReading);
    if (this.#options.side === "server") this.#input.pause();
    else this.#input.resume();
  }

  #letGo(): void {
    this.#writer.break();
    this.#output.off("close", this.#outputClosed);
  }
}

function isGone(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET");
}
