import { FileTooLargeError, readBytes } from "../load/read-bytes.js";

/** Longest file of a project that is read, in bytes. */
const LIMIT = 64 * 1024 * 1024;

/** Text of a file of a project, every byte of it: a byte order mark stays. @throws what `readBytes` does */
export function projectText(file: string): string {
  const bytes = readBytes(file, LIMIT);
  if (bytes.length > LIMIT) throw new FileTooLargeError(`${file} is larger than ${LIMIT} bytes`);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
