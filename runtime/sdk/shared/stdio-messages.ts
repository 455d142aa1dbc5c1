import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from "./constants.js";
import { parseJSONRPCMessage } from "./guards.js";
import type { JSONRPCMessage } from "./protocol-types.js";

const NEWLINE = 0x0a;

/** A buffer that splits a stream of bytes into messages, one per line. */
export class ReadBuffer {
  private readonly _maximum: number;
  private _bytes = new Uint8Array();

  /** @param options - `maxBufferSize`: the maximum number of bytes to buffer for an incomplete line */
  constructor({ maxBufferSize = STDIO_DEFAULT_MAX_BUFFER_SIZE }: { maxBufferSize?: number } = {}) {
    this._maximum = maxBufferSize;
  }

  /**
   * Adds bytes to the buffer.
   *
   * @throws Error if the buffer exceeds its limit; its contents are then dropped
   */
  append(chunk: Uint8Array): void {
    const length = this._bytes.length + chunk.length;
    if (length > this._maximum) {
      this.clear();
      throw new Error(
        `ReadBuffer exceeded maximum size of ${this._maximum} bytes (option maxBufferSize)`,
      );
    }
    const all = new Uint8Array(length);
    all.set(this._bytes);
    all.set(chunk, this._bytes.length);
    this._bytes = all;
  }

  /**
   * Returns the next message, or null if no complete line is buffered. Lines that are not JSON are skipped.
   *
   * @throws ValueError if the JSON is not a message
   */
  readMessage(): JSONRPCMessage | null {
    for (let line = this._line(); line !== undefined; line = this._line()) {
      try {
        return deserializeMessage(line);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    return null;
  }

  clear(): void {
    this._bytes = new Uint8Array();
  }

  private _line(): string | undefined {
    const end = this._bytes.indexOf(NEWLINE);
    if (end < 0) return undefined;
    const line = new TextDecoder().decode(this._bytes.subarray(0, end));
    this._bytes = this._bytes.subarray(end + 1);
    return line.replace(/\r$/, "");
  }
}

/**
 * Parses a line.
 * @throws SyntaxError if the line is not JSON, ValueError if the JSON is not a message
 */
export function deserializeMessage(line: string): JSONRPCMessage {
  return parseJSONRPCMessage(JSON.parse(line));
}

/** Serializes a message as a line. */
export function serializeMessage(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`;
}
