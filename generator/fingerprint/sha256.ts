import { hash } from "node:crypto";

/** Returns the SHA-256 digest in hexadecimal. */
export function sha256(text: string): string {
  return hash("sha256", text);
}
