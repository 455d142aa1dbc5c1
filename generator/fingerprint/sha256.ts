import { hash } from "node:crypto";

/** Returns the SHA-256 digest of a string in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return hash("sha256", text);
}
