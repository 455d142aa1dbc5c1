import { FileTooLargeError, readBytes } from "../load/read-bytes.js";

/** Maximum size of a project file that is read, in bytes. */
const LIMIT = 64 * 1024 * 1024;

/** Text of a project file, unchanged: a byte order mark is kept. @throws as `readBytes` does */
export function projectText(file: string): string {
  const bytes = readBytes(file, LIMIT);
  if (bytes.length > LIMIT) throw new FileTooLargeError(`${file} is larger than ${LIMIT} bytes`);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
