import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const CHUNK = 64 * 1024;

/** The error code for devices, pipes and sockets. */
export const NOT_REGULAR = "ENOTREGULAR";

/**
 * Reads a regular file, but not much more than `limit` bytes. Devices, pipes and sockets are rejected, because
 * reading them might never end.
 *
 * @throws the errors of `node:fs`, and an error with the code `ENOTREGULAR`
 */
export function readBytes(file: string, limit: number): Uint8Array {
  // The flag is missing on Windows, where pipes are not in the file system.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && !stats.isDirectory()) {
      throw Object.assign(new Error(`${file} is not a regular file`), { code: NOT_REGULAR });
    }
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

export class FileTooLargeError extends Error {
  readonly code = "EFBIG";
}

/**
 * Returns the text of a regular UTF-8 file, without a byte order mark.
 *
 * @throws as {@link readBytes} does, and `FileTooLargeError`
 */
export function readText(file: string, limit: number): string {
  const bytes = readBytes(file, limit);
  if (bytes.length > limit) throw new FileTooLargeError(`${file} is larger than ${limit} bytes`);
  return new TextDecoder().decode(bytes);
}
