import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 64 * 1024;

/**
 * Reads a file, but never much more than `limit` bytes, so that an endless device or pipe ends too.
 * Throws what `node:fs` throws.
 */
export function readBytes(file: string, limit: number): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    while (length <= limit) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(descriptor, chunk, 0, CHUNK, null);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
    return Buffer.concat(chunks, length);
  } finally {
    closeSync(descriptor);
  }
}
